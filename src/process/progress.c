/* SPDX-License-Identifier: Apache-2.0 */
#include "process/progress.h"
#include "base/clock.h"
#include "base/die.h"
#include "process/messages.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    double start;
    int terminal, log;           /* file descriptors; -1: none */
    const char *volatile *phase; /* in memory shared with the children */
} progress = {.terminal = -1, .log = -1};

void progress_start(bool shown, bool logged) {
    progress.start = clock_seconds();
    progress.phase = mmap(NULL, sizeof *progress.phase, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress.phase == MAP_FAILED) out_of_resources(MSG_PROCESS_NO_SHARED_MEMORY, strerror(errno));
    if (shown && isatty(STDERR_FILENO)) progress.terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (logged) progress.log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
}

void progress_phase(const char *phase) {
    *progress.phase = phase;
    if (progress.log >= 0) dprintf(progress.log, "heddle: %6.2f s  %s\n", clock_seconds() - progress.start, phase);
}

const char *progress_last_phase(void) { return *progress.phase ? *progress.phase : "starting"; }

bool progress_is_shown(void) { return progress.terminal >= 0; }

void progress_line(void *unused, const char *line) {
    struct winsize w = {0};
    (void)unused;
    ioctl(progress.terminal, TIOCGWINSZ, &w);
    dprintf(progress.terminal, "\r\033[K%5.1f s  %.*s", clock_seconds() - progress.start, w.ws_col > 12 ? w.ws_col - 11 : 60, line);
}

void progress_clear(void) {
    if (progress.terminal >= 0) dprintf(progress.terminal, "\r\033[K");
}

void progress_said(const Buf *errors) {
    const char *text = buf_string(errors);
    if (progress.log >= 0) dprintf(progress.log, "%s", text);
    else if (strstr(text, "Sanitizer:") || strstr(text, ": runtime error: ")) fputs(text, stderr);
}
