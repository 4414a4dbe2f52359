/* SPDX-License-Identifier: Apache-2.0 */
#include "process/job.h"
#include "base/clock.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

void job_phase(Job *job, const char *name) {
    job->shared->phase = name;
    if (job->log >= 0) dprintf(job->log, "heddle: %6.2f s  %s\n", clock_seconds() - job->start, name);
}

void job_progress(void *context, const char *line) {
    const Job *job = context;
    struct winsize w = {0};
    ioctl(job->terminal, TIOCGWINSZ, &w);
    dprintf(job->terminal, "\r\033[K%5.1f s  %.*s", clock_seconds() - job->start, w.ws_col > 12 ? w.ws_col - 11 : 60, line);
}

void job_said(const Job *job, const Buf *errors) {
    const char *text = buf_string(errors);
    if (job->log >= 0) dprintf(job->log, "%s", text);
    else if (strstr(text, "Sanitizer:") || strstr(text, ": runtime error: ")) fputs(text, stderr);
}

bool job_wants_obligations(const Job *job) { return job->options->certificate || job->options->recheck; }

uint64_t job_memory(const Job *job) { return (uint64_t)(job->options->memory * 1048576); }

void job_put_time_limit(const Job *job, Buf *out) {
    double share = job->deadline - job->start, all = job->options->timeout;
    bool several = job->properties & (job->properties - 1);
    if (several && share < 0.95 * all)
        buf_printf(out, "the %.1f s that this property had of the %g s of the time limit were over", share, all);
    else buf_printf(out, "the time limit of %g s was reached", all);
}
