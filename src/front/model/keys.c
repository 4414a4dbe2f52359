/* SPDX-License-Identifier: Apache-2.0 */
/* Models thread-specific data. A key is an index into a thread-local array, and the number of a deleted key may be used again. If the
   program makes keys, the front end calls __heddle_at_thread_end when a thread ends. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, KEYS = 8, ROUNDS = 4 };
typedef void (*Destructor)(void *);
static _Thread_local void *values[KEYS];
static Destructor destructors[KEYS];
static u32 keys;

/* ---- deleted keys: when a number is used again, no thread has a value for it ---- */
static _Bool deleted[KEYS];
static u32 uses[KEYS];                  /* how often a key had the number */
static _Thread_local u32 set_for[KEYS]; /* the value of `uses` when the value was set */

static _Bool deletes(void) { return __heddle_calls("pthread_key_delete") || __heddle_calls("tss_delete"); }
static u32 used_again(void) {
    u32 found = KEYS;
    for (u32 k = 0; k < keys; k++)
        if (deleted[k] && __heddle_choose()) found = k;
    if (found == KEYS) return KEYS;
    deleted[found] = 0;
    uses[found]++;
    return found;
}
static _Bool is_set(u32 key) { return values[key] != NULL && (!deletes() || set_for[key] == uses[key]); }

MODEL int pthread_key_create(unsigned *key, Destructor destructor) {
    MAY_RETURN(ENOMEM);
    __heddle_atomic_begin();
    u32 number = deletes() ? used_again() : KEYS;
    if (number == KEYS) {
        number = keys;
        if (number == KEYS) __heddle_unsupported("more than 8 keys of thread-specific data");
        keys = number + 1;
    }
    destructors[number] = destructor;
    __heddle_atomic_end();
    *key = number;
    return 0;
}
MODEL int pthread_key_delete(unsigned key) {
    __heddle_atomic_begin();
    _Bool known = key < keys && !deleted[key];
    if (known) {
        destructors[key] = NULL;
        deleted[key] = 1;
    }
    __heddle_atomic_end();
    return known ? 0 : EINVAL;
}
MODEL void *pthread_getspecific(unsigned key) {
    if (key >= KEYS) return NULL;
    return !deletes() || set_for[key] == uses[key] ? values[key] : NULL;
}
MODEL int pthread_setspecific(unsigned key, const void *value) {
    MAY_RETURN(ENOMEM);
    if (key >= KEYS) return EINVAL;
    values[key] = (void *)value;
    if (deletes()) set_for[key] = uses[key];
    return 0;
}

/* Chooses one of the values that still need their destructor in this round, in any order; KEYS if no value does. */
static u32 next_to_destroy(const _Bool *done) {
    u32 found = KEYS;
    for (u32 k = 0; k < keys; k++)
        if (!done[k] && is_set(k) && destructors[k] != NULL && (found == KEYS || __heddle_choose())) found = k;
    return found;
}

/* Calls destructors. If they set values again, there is another round, up to a limit. */
static void destroy_values(void) {
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
MODEL void __heddle_at_thread_end(void) {
    if (__heddle_calls("pthread_key_create") || __heddle_calls("tss_create")) destroy_values();
    note_end();
}
