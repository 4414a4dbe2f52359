/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, end and join of threads. Each is a thread of the C library, which waits for its turn. */
#include "run/object.h"
#include "run/scheduler.h"
#include "run/shadow.h"
#include "run/history.h"
#include "run/strategy.h"
#include "run/sync.h"
#include "run/watchdog.h"
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

Thread *threads[MOST_THREADS];
unsigned nthreads, nlive, nloose;
__thread Thread *self;
static pthread_key_t end_key; /* its destructor runs last */

Thread *thread_new(void) {
    if (nthreads == MOST_THREADS) scheduler_end(OUTCOME_LIMIT, 0, "the program creates more than %d threads", MOST_THREADS);
    Thread *t = base_memory(sizeof *t);
    t->id = nthreads;
    t->frames = base_memory(MOST_FRAMES * sizeof *t->frames);
    t->clock = clock_new();
    if (self) clock_join(t->clock, self->clock);
    t->clock->at[t->id] = 1;
    t->event = (Event){.kind = EVENT_START};
    threads[nthreads++] = t;
    nlive++;
    if (nthreads > shared->threads) shared->threads = nthreads;
    if (strategy->created) strategy->created(t);
    return t;
}

/* ---- the end of a thread ---- */

/* Ends the control over a thread. After the last thread, the process ends. */
static void finish(void) {
    if (!scheduler_enter()) return;
    scheduler_event(&(Event){.kind = EVENT_EXIT}, true);
    self->clock->at[self->id]++;
    self->state = THREAD_DEAD;
    nlive--;
    nloose += !self->joined;
    if (!nlive) {
        scheduler_leave();
        exit(0);
    }
    scheduler_exit();
}

/* Destructors run in several rounds, and may set keys anew. */
static void run_last(void *thread) {
    Thread *t = thread;
    if (++t->destructor_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) REAL(pthread_setspecific)(end_key, t);
    else finish();
}

void threads_start(void) {
    pthread_key_create(&end_key, run_last);
    scheduler_start();
    REAL(pthread_setspecific)(end_key, self);
}

/* ---- its beginning ---- */

/* Forgets accesses of the stack, which a thread that has ended may have used before. */
static void forget_stack(void) {
    pthread_attr_t a;
    void *stack;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &a)) return;
    if (!pthread_attr_getstack(&a, &stack, &size)) {
        shadow_clear((Address)stack, size);
        object_forget((Address)stack, size);
    }
    pthread_attr_destroy(&a);
}

static void *run(void *thread) {
    self = thread;
    self->tid = (int)syscall(SYS_gettid);
    scheduler_begin_thread();
    forget_stack();
    REAL(pthread_setspecific)(end_key, self);
    scheduler_leave();
    return self->start(self->argument);
}

static bool is_detached(const pthread_attr_t *a) {
    int how = PTHREAD_CREATE_JOINABLE;
    return a && !pthread_attr_getdetachstate(a, &how) && how == PTHREAD_CREATE_DETACHED;
}

static void forget(Thread *t) {
    t->state = THREAD_DEAD;
    nthreads--;
    nlive--;
}

int threads_create(pthread_t *to, const pthread_attr_t *a, void *(*start)(void *), void *argument, Address pc) {
    Event e = {.kind = EVENT_CREATE, .pc = pc};
    scheduler_event(&e, false);
    Thread *t = thread_new();
    t->start = start;
    t->argument = argument;
    t->detached = is_detached(a);
    watchdog_start();
    int result = REAL(pthread_create)(&t->handle, a, run, t);
    if (result) {
        forget(t);
        return result;
    }
    self->clock->at[self->id]++; /* only now: the new thread knows what came before, and nothing later */
    *to = t->handle;
    t->state = THREAD_LIVE;
    history_thread(EVENT_CREATE, t, pc);
    scheduler_event(&e, true); /* the new thread may run first */
    return 0;
}

EXPORTED int pthread_create(pthread_t *to, const pthread_attr_t *a, void *(*start)(void *), void *argument) {
    SYNC(REAL(pthread_create)(to, a, start, argument), threads_create(to, a, start, argument, CALLER));
}

/* ---- join and detach ---- */

static Thread *find(pthread_t handle) {
    for (unsigned i = nthreads; i-- > 0;)
        if (threads[i]->handle == handle && !threads[i]->joined) return threads[i];
    return NULL;
}

static bool has_ended(const Thread *t) { return t->event.target->state == THREAD_DEAD; }

/* Waits for the end of the thread, as the event says. */
static int join(pthread_t handle, bool tries, const struct timespec *until, Address pc) {
    Thread *t = find(handle);
    if (!t) return ESRCH;
    if (t == self) return EDEADLK;
    if (tries && t->state != THREAD_DEAD) return EBUSY;
    Event e = {.kind = EVENT_JOIN, .pc = pc, .ready = has_ended, .target = t, .timed = until, .cancels = true};
    e.deadline = until ? vtime_of(until) : 0;
    scheduler_event(&e, true);
    if (t->state != THREAD_DEAD) return ETIMEDOUT;
    clock_join(self->clock, t->clock);
    t->joined = true;
    nloose--;
    history_thread(EVENT_JOIN, t, pc);
    return 0;
}

int threads_join(pthread_t handle, void **result, bool tries, const struct timespec *until, Address pc) {
    int failed = join(handle, tries, until, pc);
    return failed ? failed : REAL(pthread_join)(handle, result);
}

EXPORTED int pthread_join(pthread_t handle, void **result) {
    SYNC(REAL(pthread_join)(handle, result), threads_join(handle, result, false, NULL, CALLER));
}
EXPORTED int pthread_tryjoin_np(pthread_t handle, void **result) {
    SYNC(REAL(pthread_tryjoin_np)(handle, result), threads_join(handle, result, true, NULL, CALLER));
}
EXPORTED int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *until) {
    SYNC(REAL(pthread_timedjoin_np)(handle, result, until), threads_join(handle, result, false, until, CALLER));
}

static int detach(pthread_t handle) {
    Thread *t = find(handle);
    if (t) t->detached = true;
    return REAL(pthread_detach)(handle);
}
EXPORTED int pthread_detach(pthread_t handle) { SYNC(REAL(pthread_detach)(handle), detach(handle)); }
