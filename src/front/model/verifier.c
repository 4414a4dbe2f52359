/* SPDX-License-Identifier: Apache-2.0 */
/* What verification tasks call, as far as it can be said in C. */
#include "heddle.h"

/* Any bytes: those of fresh memory, which nobody has written to. */
MODEL void __VERIFIER_nondet_memory(void *memory, size_t size) {
    void *any = __heddle_alloc(size, 0);
    __heddle_copy(memory, any, size);
    __heddle_free(any);
}
