/* SPDX-License-Identifier: Apache-2.0 */
#include "run/cancel.h"
#include "run/sync.h"
#include <pthread.h>

_Noreturn void cancel_act(void) {
    self->cancelled = false;
    self->no_cancel = true;
    scheduler_leave();
    REAL(pthread_exit)(PTHREAD_CANCELED);
    __builtin_unreachable();
}

bool thread_is_cancelled(const Thread *t) { return t->cancelled && !t->no_cancel && (t->async_cancel || t->event.cancels); }

static Thread *find(pthread_t handle) {
    for (unsigned i = nthreads; i-- > 0;)
        if (threads[i]->handle == handle && threads[i]->state != THREAD_DEAD) return threads[i];
    return NULL;
}

EXPORTED int pthread_cancel(pthread_t handle) {
    if (!scheduler_enter()) return REAL(pthread_cancel)(handle);
    Thread *t = find(handle);
    scheduler_event(&(Event){.kind = EVENT_CANCEL, .pc = CALLER}, true);
    if (t) t->cancelled = true;
    if (t) history_thread(EVENT_CANCEL, t, CALLER);
    scheduler_leave();
    return t ? 0 : ESRCH;
}

EXPORTED int pthread_setcancelstate(int state, int *old) {
    if (!self) return REAL(pthread_setcancelstate)(state, old);
    if (old) *old = self->no_cancel ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    self->no_cancel = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

EXPORTED int pthread_setcanceltype(int type, int *old) {
    if (!self) return REAL(pthread_setcanceltype)(type, old);
    if (old) *old = self->async_cancel ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    self->async_cancel = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    return 0;
}

EXPORTED void pthread_testcancel(void) {
    if (!scheduler_enter()) return;
    scheduler_event(&(Event){.kind = EVENT_YIELD, .pc = CALLER, .cancels = true}, true);
    scheduler_leave();
}
