/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/aside.h"
#include "strategy/engines.h"
#include "ir/copy.h"
#include "check/judge.h"
#include <stdlib.h>
#include <string.h>

Verdict *aside(Job *job, const Program *p, Property property, double deadline, Verdict *(*decide)(Job *)) {
    Job other = *job;
    Buf error = {0};
    other.program = p;
    other.question.property = property;
    other.deadline = deadline;
    other.engine = NULL;
    Verdict *v = engines_choose(&other, &error) ? judge(&other, decide(&other)) : verdict_unknown((Position){0}, "%s", buf_string(&error));
    memset(job->shared->stats_of, 0, sizeof job->shared->stats_of);
    job->shared->stats = job->loaded;
    buf_free(&error);
    return v;
}

void aside_certificate(Verdict *v, const char *said, const char *first, const char *instead) {
    Buf both = {0};
    if (!v->certificate) return;
    buf_text(&both, said);
    if (first) buf_printf(&both, "%s(reset)\n; The property:\n", first);
    else buf_text(&both, instead);
    buf_text(&both, v->certificate);
    free(v->certificate);
    v->certificate = both.text;
}

Program *aside_sc(const Program *p) {
    Program *copy = program_copy(p);
    copy->memory = MEMORY_SC;
    return copy;
}
