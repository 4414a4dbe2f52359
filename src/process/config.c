/* SPDX-License-Identifier: Apache-2.0 */
#include "process/config.h"
#include "base/clock.h"
#include "process/messages.h"
#include <math.h>

bool config_valid(const Config *c) { return c->timeout >= 0 && c->processors && (!c->engine || c->engine_name); }

double slot_left(TimeSlot t) { return t.deadline - clock_seconds(); }

TimeSlot slot_share(TimeSlot t, double share, double most) {
    double now = clock_seconds();
    return (TimeSlot){now, now + fmin(share * (t.deadline - now), most)};
}

void config_put_time_limit(const Config *c, TimeSlot t, const char *where, Buf *out) {
    double share = t.deadline - t.start;
    if (c->several && share < 0.95 * c->timeout) buf_printf(out, MSG_PROCESS_TIME_SHARE, share, c->timeout, where);
    else buf_printf(out, MSG_PROCESS_TIME_LIMIT, c->timeout, where);
}
