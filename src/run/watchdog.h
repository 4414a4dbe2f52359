/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out, in a thread of its own, when the running thread sleeps in a system call that the runtime does not replace. Another thread then
   continues. */
#pragma once

/* Starts the watchdog, once. */
void watchdog_start(void);
