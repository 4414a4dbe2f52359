/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-specific data. A key is an index into a thread-local array; the number of a deleted key is not used again. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, KEYS = 8 };
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
    if (value != NULL && destructors[key] != NULL) __heddle_unsupported("a destructor of thread-specific data");
    values[key] = (void *)value;
    return 0;
}
