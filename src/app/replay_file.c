/* SPDX-License-Identifier: Apache-2.0 */
#include "app/replay_file.h"
#include "app/messages.h"
#include "base/file.h"
#include "check/accept.h"
#include "check/replay.h"
#include "output/report.h"
#include "result/property.h"

static Verdict *claim(const char *path, const Program *p, const Question *q, Trace *t) {
    Buf why = {0};
    Verdict *v = verdict_new(VERDICT_UNSAFE);
    v->trace = t;
    if (replay_violates(p, q, t, &why)) v = accept_verdict(p, q, v, NULL, 0);
    else {
        verdict_free(v);
        v = verdict_unknown((Position){0}, MSG_APP_TRACE_FAILS, path, (int)message_length(buf_string(&why)), buf_string(&why));
    }
    buf_free(&why);
    return v;
}

Verdict *replay_file(const char *path, const Program *p, const Question *q, Buf *error) {
    Buf text = {0};
    Trace *t = file_read(path, FILE_TEXT, &text, error)
                   ? schedule_read(path, buf_string(&text), p, property_text(q->property, q->parts), error)
                   : NULL;
    buf_free(&text);
    return t ? claim(path, p, q, t) : NULL;
}
