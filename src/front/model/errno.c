/* SPDX-License-Identifier: Apache-2.0 */
/* Models errno: one per thread, zero at the start. */
#include "heddle.h"

static _Thread_local int errno_of_thread;
MODEL int *__errno_location(void) { return &errno_of_thread; }

MODEL void disturb_errno(void) {
    if (__heddle_choose()) return;
    int number = (int)__heddle_any();
    __heddle_assume(number > 0);
    errno_of_thread = number;
}
