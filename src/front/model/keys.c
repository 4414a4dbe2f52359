/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-specific data. A key is an index into a thread-local array; the number of a deleted key is not used again. When a thread ends,
   the front end calls __heddle_at_thread_end if the program makes keys. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, KEYS = 8, ROUNDS = 4 };
typedef void (*Destructor)(void *);
static _Thread_local void *values[KEYS];
static Destructor destructors[KEYS];
static u32 keys;

MODEL int pthread_key_create(unsigned *key, Destructor destructor) {
    MAY_RETURN(ENOMEM);
    __heddle_atomic_begin();
    u32 number = keys;
    if (number == KEYS) __heddle_unsupported("more than 8 keys of thread-specific data");
    keys = number + 1;
    destructors[number] = destructor;
    __heddle_atomic_end();
    *key = number;
    return 0;
}
MODEL int pthread_key_delete(unsigned key) {
    if (key >= KEYS) return EINVAL;
    destructors[key] = NULL;
    return 0;
}
MODEL void *pthread_getspecific(unsigned key) { return key < KEYS ? values[key] : NULL; }
MODEL int pthread_setspecific(unsigned key, const void *value) {
    if (key >= KEYS) return EINVAL;
    values[key] = (void *)value;
    return 0;
}

/* One of the values with a destructor that are still to be destroyed in this round, in any order; KEYS: none. */
static u32 next_to_destroy(const _Bool *done) {
    u32 found = KEYS;
    for (u32 k = 0; k < keys; k++)
        if (!done[k] && values[k] != NULL && destructors[k] != NULL && (found == KEYS || __heddle_choose())) found = k;
    return found;
}

/* Destructors may set values anew: then there is another round, up to a limit. */
MODEL void __heddle_at_thread_end(void) {
    for (u32 round = 0; round < ROUNDS; round++) {
        _Bool done[KEYS] = {0};
        u32 k = next_to_destroy(done);
        if (k == KEYS) return;
        while (k != KEYS) {
            void *value = values[k];
            values[k] = NULL;
            done[k] = 1;
            destructors[k](value);
            k = next_to_destroy(done);
        }
    }
}
