/* SPDX-License-Identifier: Apache-2.0 */
/* Models the functions that the compiler calls for atomic objects without machine instructions, such as an _Atomic struct. The call does
   not record whether a compare-exchange is weak and may fail for no reason, so each one may. */
#include "heddle.h"

typedef __UINT16_TYPE__ u16;
typedef __UINT64_TYPE__ u64;
#define NAMED(name) __asm__(#name)
enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQUIRE_RELEASE, SEQ_CST };

/* Stops where an access is weaker than the model: it orders accesses here that the program's order does not. */
static void needs_order(_Bool given, int order) {
    if (__heddle_c11() && order != SEQ_CST)
        __heddle_unsupported("an atomic object of this size is accessed in a weaker order than seq_cst");
    if (given || !__heddle_order()) return;
    if (__heddle_choose()) __heddle_unsupported("there is no data race if every atomic access acquires and releases; this one does not");
}
static void loads(int order) { needs_order(order == CONSUME || order == ACQUIRE || order == SEQ_CST, order); }
static void stores(int order) { needs_order(order == RELEASE || order == SEQ_CST, order); }
static void changes(int order) { needs_order(order == ACQUIRE_RELEASE || order == SEQ_CST, order); }

/* A function of its own, as one side of the copy is no atomic object: so the copy counts as done by the program in an atomic section. */
static __attribute__((noinline)) void move(void *to, const void *from, size_t size) { __heddle_copy(to, from, size); }

void load(size_t size, const void *object, void *result, int order) NAMED(__atomic_load);
MODEL void load(size_t size, const void *object, void *result, int order) {
    loads(order);
    __heddle_atomic_begin();
    move(result, object, size);
    __heddle_atomic_end();
}
void store(size_t size, void *object, const void *value, int order) NAMED(__atomic_store);
MODEL void store(size_t size, void *object, const void *value, int order) {
    stores(order);
    __heddle_atomic_begin();
    move(object, value, size);
    __heddle_atomic_end();
}
void exchange(size_t size, void *object, const void *value, void *result, int order) NAMED(__atomic_exchange);
MODEL void exchange(size_t size, void *object, const void *value, void *result, int order) {
    changes(order);
    __heddle_atomic_begin();
    move(result, object, size);
    move(object, value, size);
    __heddle_atomic_end();
}
static _Bool fails(void) {
    if (!__heddle_choose()) return 0;
    __heddle_over("a compare-exchange may fail for no reason, if it is a weak one");
    return 1;
}
_Bool compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure)
    NAMED(__atomic_compare_exchange);
MODEL _Bool compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure) {
    changes(success), loads(failure);
    _Bool equal = !fails();
    __heddle_atomic_begin();
    for (size_t i = 0; i < size && equal; i++) equal = ((u8 *)object)[i] == ((u8 *)expected)[i];
    if (equal) move(object, desired, size);
    else move(expected, object, size);
    __heddle_atomic_end();
    return equal;
}

/* Versions for known sizes, which the compiler calls where the machine has no such instruction or the object may be misaligned. */
#define SIZED(T, N)                                                                                                               \
    T load_##N(const T *object, int order) NAMED(__atomic_load_##N);                                                              \
    MODEL T load_##N(const T *object, int order) {                                                                                \
        loads(order);                                                                                                             \
        __heddle_atomic_begin();                                                                                                  \
        T value = *object;                                                                                                        \
        __heddle_atomic_end();                                                                                                    \
        return value;                                                                                                             \
    }                                                                                                                             \
    void store_##N(T *object, T value, int order) NAMED(__atomic_store_##N);                                                      \
    MODEL void store_##N(T *object, T value, int order) {                                                                         \
        stores(order);                                                                                                            \
        __heddle_atomic_begin();                                                                                                  \
        *object = value;                                                                                                          \
        __heddle_atomic_end();                                                                                                    \
    }                                                                                                                             \
    T exchange_##N(T *object, T value, int order) NAMED(__atomic_exchange_##N);                                                   \
    MODEL T exchange_##N(T *object, T value, int order) {                                                                         \
        changes(order);                                                                                                           \
        __heddle_atomic_begin();                                                                                                  \
        T old = *object;                                                                                                          \
        *object = value;                                                                                                          \
        __heddle_atomic_end();                                                                                                    \
        return old;                                                                                                               \
    }                                                                                                                             \
    T fetch_add_##N(T *object, T value, int order) NAMED(__atomic_fetch_add_##N);                                                 \
    MODEL T fetch_add_##N(T *object, T value, int order) {                                                                        \
        changes(order);                                                                                                           \
        __heddle_atomic_begin();                                                                                                  \
        T old = *object;                                                                                                          \
        *object = (T)(old + value);                                                                                               \
        __heddle_atomic_end();                                                                                                    \
        return old;                                                                                                               \
    }                                                                                                                             \
    T fetch_sub_##N(T *object, T value, int order) NAMED(__atomic_fetch_sub_##N);                                                 \
    MODEL T fetch_sub_##N(T *object, T value, int order) { return fetch_add_##N(object, (T)(0 - value), order); }                 \
    _Bool compare_exchange_##N(T *object, T *expected, T desired, int success, int failure) NAMED(__atomic_compare_exchange_##N); \
    MODEL _Bool compare_exchange_##N(T *object, T *expected, T desired, int success, int failure) {                               \
        changes(success), loads(failure);                                                                                         \
        T wanted = *expected;                                                                                                     \
        _Bool failed = fails();                                                                                                   \
        __heddle_atomic_begin();                                                                                                  \
        T old = *object;                                                                                                          \
        _Bool equal = old == wanted && !failed;                                                                                   \
        if (equal) *object = desired;                                                                                             \
        __heddle_atomic_end();                                                                                                    \
        if (!equal) *expected = old;                                                                                              \
        return equal;                                                                                                             \
    }
SIZED(u8, 1)
SIZED(u16, 2)
SIZED(u32, 4)
SIZED(u64, 8)
