/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the effects of a function without a body: words in a text, with blanks between them. N and M are numbers of parameters, from 0.
   - rN, wN, rwN: The function reads the object to which parameter N points, writes it, or both.
   - r*N: The object is a string: it ends with a zero byte. This form exists for w and rw, too.
   - rN*M: The object has as many bytes as parameter M. This form exists for w and rw, too.
   - r^, w^, rw^: The function accesses all objects to which the arguments lead.
   - =N: The function returns parameter N.
   - fresh: The function returns a new object.
   - pure: The function has no effect. No other word stands beside this one.
   - keepN: The function keeps the pointer N.
   - callsN: The function may call the function N, even after its return.
   - callsNnow: The function may call the function N before its return.
   - lockN: The function takes the lock N. The words unlockN and rlockN release it, or share it with readers.
   - waitN: The function waits at N. The word waitN,M also releases the lock M during the wait.
   - signalN: The function wakes up the threads that wait at N. The word signal does not name the parameter.
   - cancel: The function may cancel its thread. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

/* Returns true if the text consists of such words, and all their parameters exist. Otherwise it puts a message into `why`. */
bool effects_check(const char *text, unsigned parameters, Buf *why);
