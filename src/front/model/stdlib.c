/* SPDX-License-Identifier: Apache-2.0 */
/* Models <stdlib.h>: memory, numbers, searching and sorting. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, ERANGE = 34 };

/* ---- memory ---- */
static void *lacks_memory(void) {
    *__errno_location() = ENOMEM;
    return NULL;
}
/* An allocation of no bytes is an object of its own or NULL. No object is larger than the largest difference of pointers into it. */
#define MOST ((size_t)-1 / 2)
MODEL void *malloc(size_t size) {
    if (size > MOST) return lacks_memory();
    MAY_LACK_MEMORY();
    MAY_SET_ERRNO();
    if (size == 0 && __heddle_choose()) return NULL;
    return __heddle_alloc(size, 0);
}
MODEL void *calloc(size_t count, size_t size) {
    if (size != 0 && count > MOST / size) return lacks_memory();
    MAY_LACK_MEMORY();
    MAY_SET_ERRNO();
    if (count * size == 0 && __heddle_choose()) return NULL;
    return __heddle_alloc(count * size, 1);
}
MODEL void free(void *memory) { __heddle_free(memory); }
/* The new object may have the address of the old one. A smaller new object may also be the old one. */
MODEL void *realloc(void *memory, size_t size) {
    if (memory == NULL) return malloc(size);
    /* C leaves this to the library; otherwise the object is freed and a new one of no bytes is made */
    if (size == 0 && __heddle_choose()) {
        MAY_SET_ERRNO();
        if (__heddle_choose()) __heddle_over("realloc to no bytes may keep the object; with glibc it frees the object");
        else __heddle_free(memory);
        return NULL;
    }
    if (size > MOST) return lacks_memory();
    MAY_LACK_MEMORY();
    MAY_SET_ERRNO();
    size_t old = __heddle_size(memory), keep = old < size ? old : size;
    void *kept = __heddle_alloc_spare(keep);
    __heddle_copy(kept, memory, keep);
    __heddle_free(memory);
    void *moved = __heddle_alloc(size, 0);
    __heddle_copy(moved, kept, keep);
    __heddle_free(kept);
    return moved;
}
MODEL void *reallocarray(void *memory, size_t count, size_t size) {
    if (size != 0 && count > MOST / size) return lacks_memory();
    return realloc(memory, count * size);
}
/* ---- memory with an alignment ---- */
static _Bool is_power(size_t n) { return n != 0 && (n & (n - 1)) == 0; }
static void *alloc_at(size_t alignment, size_t size) {
    if (alignment > 4096) __heddle_over("objects lie at multiples of 4096, not of more");
    if (size == 0 && __heddle_choose()) return NULL;
    return __heddle_alloc_aligned(size, alignment);
}
/* An invalid alignment is undefined in C11, and makes the call fail in later C and in some libraries. */
static void *aligned(size_t alignment, size_t size) {
    if (!is_power(alignment)) __heddle_unsupported("an alignment that is no power of two");
    MAY_LACK_MEMORY();
    MAY_SET_ERRNO();
    return alloc_at(alignment, size);
}
MODEL void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size); }
MODEL void *memalign(size_t alignment, size_t size) { return aligned(alignment, size); }
MODEL void *valloc(size_t size) { return aligned(4096, size); }
MODEL int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || !is_power(alignment)) return EINVAL;
    MAY_RETURN(ENOMEM);
    MAY_SET_ERRNO();
    *memory = alloc_at(alignment, size);
    return 0;
}

/* ---- numbers ---- */
MODEL int abs(int x) { return x < 0 ? -x : x; }
MODEL long labs(long x) { return x < 0 ? -x : x; }
MODEL long long llabs(long long x) { return x < 0 ? -x : x; }
typedef struct {
    int quotient, rest;
} Division;
typedef struct {
    long quotient, rest;
} LongDivision;
typedef struct {
    long long quotient, rest;
} LongLongDivision;
MODEL Division div(int x, int y) { return (Division){x / y, x % y}; }
MODEL LongDivision ldiv(long x, long y) { return (LongDivision){x / y, x % y}; }
MODEL LongLongDivision lldiv(long long x, long long y) { return (LongLongDivision){x / y, x % y}; }

/* Random numbers: no generator is prescribed, so any sequence may be that of some generator. Still, the same seed repeats the same
   sequence, and the first one belongs to seed 1. So numbers after a second seed are an over-approximation. All generators count as one. */
static _Bool begun, again;
static void next_number(void) {
    if (!__heddle_calls("srand") && !__heddle_calls("srandom") && !__heddle_calls("srand48")) return;
    if (again) __heddle_over("after the same seed come the same random numbers");
    else if (!begun) begun = 1;
}
static void seed_numbers(void) {
    if (begun) again = 1;
    begun = 1;
}
static int nonnegative(void) { return (int)(__heddle_any() >> 1); }
static int number(void) {
    next_number();
    return nonnegative();
}
MODEL int rand(void) { return number(); }
/* The sequence depends only on the seed. */
static _Bool seen;
MODEL int rand_r(unsigned *seed) {
    if (seen) __heddle_over("from the same seed come the same random numbers");
    else seen = 1;
    *seed = __heddle_any();
    return nonnegative();
}
MODEL void srand(unsigned seed) {
    (void)seed;
    seed_numbers();
}
MODEL long random(void) { return number(); }
MODEL void srandom(unsigned seed) {
    (void)seed;
    seed_numbers();
}
/* POSIX fixes the generator. */
MODEL long lrand48(void) {
    __heddle_over("lrand48 is fixed by its seed");
    return number();
}
MODEL void srand48(long seed) {
    (void)seed;
    seed_numbers();
}
MODEL unsigned arc4random(void) { return __heddle_any(); }

/* ---- memory of the system ---- */
enum { PAGE = 4096, READ_AND_WRITE = 3, FIXED = 0x10, ANONYMOUS = 0x20 };
#define MAP_FAILED ((void *)-1)
static size_t whole_pages(size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }
/* Maps whole pages of zeros. A program may forget such pages without a leak, so the call is not modelled where leaks are asked for. */
MODEL void *mmap(void *address, size_t size, int protection, int flags, int file, long offset) {
    (void)address, (void)file, (void)offset;
    if (__heddle_lives()) __heddle_unsupported("mmap, where it is asked whether memory is lost");
    if (protection != READ_AND_WRITE || !(flags & ANONYMOUS) || flags & FIXED) __heddle_unsupported("mmap of a file or of a given place");
    if (size == 0 || size > MOST - PAGE) {
        *__errno_location() = size == 0 ? EINVAL : ENOMEM;
        return MAP_FAILED;
    }
    if (__heddle_may_fail())
        if (__heddle_choose()) {
            *__errno_location() = ENOMEM;
            return MAP_FAILED;
        }
    void *memory = __heddle_alloc_aligned(whole_pages(size), PAGE);
    __heddle_fill(memory, 0, whole_pages(size));
    return memory;
}
MODEL int munmap(void *memory, size_t size) {
    if (__heddle_size(memory) != whole_pages(size)) __heddle_unsupported("munmap of a part of a mapping");
    __heddle_free(memory);
    return 0;
}

static int digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}
/* Converts a number for strtol and its variants. A magnitude above `positive` (or `negative`, after a minus sign) is out of range. */
static unsigned long long convert(const char *text, char **end, int base, unsigned long long positive, unsigned long long negative) {
    if (base < 0 || base == 1 || base > 36) __heddle_unsupported("strtol with an invalid base");
    const char *at = text, *start = text;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
    _Bool minus = *at == '-', over = 0;
    if (minus || *at == '+') at++;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) base = *at == '0' ? 8 : 10;
    unsigned long long value = 0, most = minus ? negative : positive;
    for (int d; (d = digit(*at)) < base; text = ++at) {
        over |= value > (most - (unsigned)d) / (unsigned)base;
        if (!over) value = value * (unsigned)base + (unsigned)d;
    }
    if (end != NULL) *end = (char *)text;
    if (text == start && __heddle_calls("__errno_location") && __heddle_choose())
        *__errno_location() = EINVAL; /* there is no number, which some libraries report */
    if (!over) return minus ? 0 - value : value;
    *__errno_location() = ERANGE;
    return minus && negative != positive ? 0 - most : most;
}
#define LONG_TOP ((unsigned long long)(~0ul >> 1))
#define LLONG_TOP (~0ull >> 1)
MODEL long strtol(const char *text, char **end, int base) { return (long)convert(text, end, base, LONG_TOP, LONG_TOP + 1); }
MODEL long long strtoll(const char *text, char **end, int base) { return (long long)convert(text, end, base, LLONG_TOP, LLONG_TOP + 1); }
MODEL unsigned long strtoul(const char *text, char **end, int base) { return (unsigned long)convert(text, end, base, ~0ul, ~0ul); }
MODEL unsigned long long strtoull(const char *text, char **end, int base) { return convert(text, end, base, ~0ull, ~0ull); }
MODEL int atoi(const char *text) {
    long value = strtol(text, NULL, 10);
    if ((int)value != value) __heddle_over("atoi of a number that is out of range");
    return (int)value;
}
MODEL long atol(const char *text) { return strtol(text, NULL, 10); }
MODEL long long atoll(const char *text) { return strtoll(text, NULL, 10); }
/* Newer headers call these. */
MODEL long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
MODEL long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
MODEL unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
MODEL unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

/* ---- searching and sorting ---- */
typedef int (*Compare)(const void *, const void *);

/* Stops unless the comparison changes nothing: the library decides how often and on which elements it is called. */
static void require_pure(Compare compare) {
    if (!__heddle_pure((void *)compare)) __heddle_unsupported("qsort or bsearch with a comparison that is not known, or changes something");
}

/* Compares each element with each. C leaves open which elements are compared. A comparison changes nothing, so those that do no harm have
   no effect. */
static void compare_all(const u8 *bytes, size_t count, size_t size, Compare compare) {
    if (!__heddle_faults()) return;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) compare(bytes + i * size, bytes + j * size);
}
/* Sorts by insertion. C leaves the order of equal elements open. */
MODEL void qsort(void *base, size_t count, size_t size, Compare compare) {
    require_pure(compare);
    u8 *bytes = base;
    compare_all(bytes, count, size, compare);
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            u8 *right = bytes + j * size, *left = right - size;
            int order = compare(left, right);
            if (order < 0 || (order == 0 && __heddle_choose())) break;
            for (size_t k = 0; k < size; k++) {
                u8 byte;
                __heddle_copy(&byte, left + k, 1);
                __heddle_copy(left + k, right + k, 1);
                __heddle_copy(right + k, &byte, 1);
            }
        }
}
/* Returns any one of the matching elements. In an array that is not sorted, the library may miss them all. */
MODEL void *bsearch(const void *key, const void *base, size_t count, size_t size, Compare compare) {
    require_pure(compare);
    const u8 *bytes = base, *found = NULL;
    _Bool sorted = 1;
    int before = 1;
    for (size_t i = 0; i < count; i++) {
        int order = compare(key, bytes + i * size);
        sorted &= order > 0 ? before > 0 : order < 0 || before >= 0;
        before = order;
        if (order == 0 && (found == NULL || __heddle_choose())) found = bytes + i * size;
    }
    return sorted || __heddle_choose() ? (void *)found : NULL;
}

/* ---- the environment is any, but a variable has a single text ---- */
enum { SHORT = 16 };
static char environment[SHORT];
static _Bool asked;
MODEL char *getenv(const char *name) {
    (void)*name;
    if (asked || __heddle_calls("setenv") || __heddle_calls("putenv") || __heddle_calls("unsetenv") || __heddle_calls("clearenv"))
        __heddle_over("a variable of the environment is what it was, or was set to");
    asked = 1;
    if (__heddle_choose()) return NULL;
    if (__heddle_use() != MATTERS) return environment; /* only whether it is set matters */
    if (__heddle_choose()) __heddle_unsupported("getenv of a variable with a text of 16 characters or more");
    for (int i = 0; i < SHORT - 1; i++) environment[i] = (char)__heddle_any();
    return environment;
}
MODEL char *secure_getenv(const char *name) {
    if (__heddle_choose()) return NULL;
    return getenv(name);
}

/* ---- bits ---- */
MODEL int ffs(int x) { return x == 0 ? 0 : __builtin_ctz((unsigned)x) + 1; }
MODEL int ffsl(long x) { return x == 0 ? 0 : __builtin_ctzl((unsigned long)x) + 1; }
MODEL int ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1; }
