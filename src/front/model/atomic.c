/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler calls for atomic objects that the machine has no instructions for, such as an _Atomic struct.
   The call does not say whether a compare-exchange is a weak one, which may fail for no reason: perhaps it is. */
#include "heddle.h"

typedef __UINT16_TYPE__ u16;
typedef __UINT64_TYPE__ u64;
#define NAMED(name) __asm__(#name)

void load(size_t size, const void *object, void *result, int order) NAMED(__atomic_load);
MODEL void load(size_t size, const void *object, void *result, int order) {
    (void)order;
    __heddle_copy(result, object, size);
}
void store(size_t size, void *object, const void *value, int order) NAMED(__atomic_store);
MODEL void store(size_t size, void *object, const void *value, int order) {
    (void)order;
    __heddle_copy(object, value, size);
}
void exchange(size_t size, void *object, const void *value, void *result, int order) NAMED(__atomic_exchange);
MODEL void exchange(size_t size, void *object, const void *value, void *result, int order) {
    (void)order;
    __heddle_atomic_begin();
    __heddle_copy(result, object, size);
    __heddle_copy(object, value, size);
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
    (void)success, (void)failure;
    _Bool equal = !fails();
    __heddle_atomic_begin();
    for (size_t i = 0; i < size && equal; i++) equal = ((u8 *)object)[i] == ((u8 *)expected)[i];
    if (equal) __heddle_copy(object, desired, size);
    else __heddle_copy(expected, object, size);
    __heddle_atomic_end();
    return equal;
}

/* Of known sizes: where the machine has no such instruction or the object may be misaligned. */
#define SIZED(T, N) \
    T load_##N(const T *object, int order) NAMED(__atomic_load_##N); \
    MODEL T load_##N(const T *object, int order) { (void)order; return *object; } \
    void store_##N(T *object, T value, int order) NAMED(__atomic_store_##N); \
    MODEL void store_##N(T *object, T value, int order) { (void)order; *object = value; } \
    T exchange_##N(T *object, T value, int order) NAMED(__atomic_exchange_##N); \
    MODEL T exchange_##N(T *object, T value, int order) { \
        (void)order; \
        __heddle_atomic_begin(); \
        T old = *object; \
        *object = value; \
        __heddle_atomic_end(); \
        return old; \
    } \
    T fetch_add_##N(T *object, T value, int order) NAMED(__atomic_fetch_add_##N); \
    MODEL T fetch_add_##N(T *object, T value, int order) { \
        (void)order; \
        __heddle_atomic_begin(); \
        T old = *object; \
        *object = (T)(old + value); \
        __heddle_atomic_end(); \
        return old; \
    } \
    T fetch_sub_##N(T *object, T value, int order) NAMED(__atomic_fetch_sub_##N); \
    MODEL T fetch_sub_##N(T *object, T value, int order) { return fetch_add_##N(object, (T)(0 - value), order); } \
    _Bool compare_exchange_##N(T *object, T *expected, T desired, int success, int failure) \
        NAMED(__atomic_compare_exchange_##N); \
    MODEL _Bool compare_exchange_##N(T *object, T *expected, T desired, int success, int failure) { \
        (void)success, (void)failure; \
        T wanted = *expected; \
        _Bool failed = fails(); \
        __heddle_atomic_begin(); \
        T old = *object; \
        _Bool equal = old == wanted && !failed; \
        if (equal) *object = desired; \
        __heddle_atomic_end(); \
        if (!equal) *expected = old; \
        return equal; \
    }
SIZED(u8, 1)
SIZED(u16, 2)
SIZED(u32, 4)
SIZED(u64, 8)
