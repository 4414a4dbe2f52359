/* SPDX-License-Identifier: Apache-2.0 */
/* Models functions that verification tasks call, as far as C can express them. */
#include "heddle.h"

/* Fills memory with any bytes: those of fresh memory that was never written. */
MODEL void __VERIFIER_nondet_memory(void *memory, size_t size) {
    void *any = __heddle_alloc(size, 0);
    __heddle_copy(memory, any, size);
    __heddle_free(any);
}
