/* SPDX-License-Identifier: Apache-2.0 */
/* Time limits of solver calls. Z3's own time limit wakes a thread for each call, which costs more than most calls do. Here, one thread for
   each context regularly checks whether the present call is overdue, and interrupts it. Calls that are limited by Z3's count of its work
   are watched as well, since some parts of Z3 do not heed that limit. */
#include "smt/internal.h"
#include "smt/messages.h"
#include "base/clock.h"
#include "base/die.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { GRAIN_MS = 10 };

struct Watch { /* the mutex guards all fields */
    Z3_context z3;
    Z3_solver solver; /* the solver of the present call; NULL without a call or without a limit */
    double due;
    double (*clock)(void);
    bool over;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

static void wait_a_little(Watch *w) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += GRAIN_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&w->wake, &w->mutex, &until);
}

static void *watch(void *context) {
    Watch *w = context;
    pthread_mutex_lock(&w->mutex);
    while (!w->over) {
        wait_a_little(w);
        /* Z3_interrupt would also interrupt later calls in the context. */
        if (w->solver && w->clock() > w->due) Z3_solver_interrupt(w->z3, w->solver);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

Watch *watch_new(Z3_context z3) {
    Watch *w = zeroed(1, sizeof *w);
    w->z3 = z3;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->wake, NULL);
    if (pthread_create(&w->thread, NULL, watch, w)) out_of_resources(MSG_SMT_WATCH_REFUSED);
    return w;
}

void watch_free(Watch *w) {
    if (!w) return;
    pthread_mutex_lock(&w->mutex);
    w->over = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

static void set(Watch *w, Z3_solver solver, double (*clock)(void), double due) {
    pthread_mutex_lock(&w->mutex);
    w->solver = solver;
    w->clock = clock;
    w->due = due;
    pthread_mutex_unlock(&w->mutex);
}

void watch_begin(Watch *w, Z3_solver solver, unsigned milliseconds) {
    set(w, solver, clock_seconds, clock_seconds() + milliseconds / 1000.0);
}
void watch_begin_work(Watch *w, Z3_solver solver, unsigned milliseconds) {
    set(w, solver, clock_processor, clock_processor() + milliseconds / 1000.0);
}
void watch_end(Watch *w) { set(w, NULL, NULL, 0); }
