/* SPDX-License-Identifier: Apache-2.0 */
/* Is a claimed order of locks one: are locks held only where it is claimed, and taken in its order? doc/rules.md, "An order of locks". */
#pragma once
#include "result/lock_order.h"

/* False: *why says which rule it breaks. *kept: how many waits keep to the order. certificate (may be NULL): what is to hold of each of them,
   as SMT-LIB. */
bool lock_order_check(const Program *, const LockOrder *, uint64_t *kept, Buf *certificate, Buf *why);
