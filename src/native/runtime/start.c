/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the program: signals, the timer, and main. */
#include "runtime.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* ---- signals ---- */

static void crash(int signal) {
    bool last = self && self->next == NO_TURN && self->number == schedule->thread && now == schedule->nturns;
    if (!last || schedule->end != END_FAULT) DIVERGED("thread %u crashes: %s", self ? self->number : 0, strsignal(signal));
    report_end();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &usual, NULL);
    raise(signal);
}

/* Is called for every second of processor time. */
static void tick(int signal) {
    static unsigned last = NO_TURN, since, round;
    (void)signal;
    if (last != now || round != rounds) since = 0;
    last = now;
    round = rounds;
    if (now == schedule->nturns && schedule->end == END_ENDLESS) end_as_in_trace();
    if (++since >= PATIENCE) DIVERGED("no thread takes a step");
}

static void catch_signals(void) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    struct sigaction on_crash = {.sa_handler = crash, .sa_flags = SA_NODEFER}, on_tick = {.sa_handler = tick, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &on_crash, NULL);
    sigaction(SIGPROF, &on_tick, NULL);
    setitimer(ITIMER_PROF, &(struct itimerval){{1, 0}, {1, 0}}, NULL);
}

/* ---- main ---- */

static void find_following(void) {
    unsigned n = schedule->nturns, *soonest = malloc((schedule->threads + 1) * sizeof *soonest);
    following = malloc((n + 1) * sizeof *following);
    if (!soonest || !following) DIVERGED("out of memory");
    for (unsigned t = 0; t <= schedule->threads; t++) soonest[t] = NO_TURN;
    for (unsigned round = 0; round < 2; round++) /* an endless run repeats the loop */
        for (unsigned i = n; i-- > (schedule->end == END_ENDLESS && !round ? schedule->loop : 0);) {
            const HeddleTurn *t = &schedule->turns[i];
            if (schedule->end != END_ENDLESS && !round) break;
            following[i] = soonest[t->thread];
            if (!(t->flags & TURN_PIECE)) soonest[t->thread] = i;
        }
    free(soonest);
}

/* Splits arguments as front/arguments.c splits --args. */
static int split(const char *s, char **words, int most) {
    int n = 0;
    char *room = malloc(strlen(s) + 1), quote = 0;
    for (s += strspn(s, " \t\n"); *s && n < most; s += strspn(s, " \t\n")) {
        words[n++] = room;
        for (; *s && (quote || !strchr(" \t\n", *s)); s++) {
            if (quote ? *s == quote : *s == '\'' || *s == '"') quote = quote ? 0 : *s;
            else if (*s == '\\' && quote != '\'' && s[1]) *room++ = *++s;
            else *room++ = *s;
        }
        *room++ = 0;
        if (!*s) break;
    }
    return n;
}

int main(void) {
    static char *words[256] = {(char *)"program"}, strings[5][16];
    static char *none[] = {NULL};
    int n = 1;
    quiet = getenv("HEDDLE_QUIET") != NULL;
    points = getenv("HEDDLE_POINTS") != NULL; /* shows where a run diverges */
    find_following();
    self = new_thread();
    catch_signals();
    if (schedule->arguments) n += split(schedule->arguments, words + 1, 254);
    else {
        n = (int)__heddle_input(0);
        for (int i = 0; i < 5; i++) words[i] = i < n ? strings[i] : NULL;
    }
    if (schedule->turns[0].thread && first_turn(1) != 0 && schedule->turns[0].thread != 1) DIVERGED("main does not take the first step");
    call_hook(__heddle_hook_constructors, 0);
    __heddle_main(n, words, none);
    origin = 0;
    __heddle_finish(false);
}
