/* SPDX-License-Identifier: Apache-2.0 */
#include "process/config.h"
#include "base/clock.h"
#include <math.h>

bool config_valid(const Config *c) { return c->timeout >= 0 && c->processors && (!c->engine || c->engine_name); }

double slot_left(TimeSlot t) { return t.deadline - clock_seconds(); }

TimeSlot slot_share(TimeSlot t, double share, double most) {
    double now = clock_seconds();
    return (TimeSlot){now, now + fmin(share * (t.deadline - now), most)};
}

void config_put_time_limit(const Config *c, TimeSlot t, Buf *out) {
    double share = t.deadline - t.start;
    if (c->several && share < 0.95 * c->timeout)
        buf_printf(out, "this property used up its %.1f s of the time limit of %g s", share, c->timeout);
    else buf_printf(out, "the time limit of %g s was reached", c->timeout);
}
