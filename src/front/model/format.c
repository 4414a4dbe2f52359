/* SPDX-License-Identifier: Apache-2.0 */
/* Models formatting into memory in the C locale. Floating-point numbers, pointers and wide characters are not modelled, unless the text
   is only printed: then it is any text. */
#include "heddle.h"

typedef __builtin_va_list Arguments;
#define va_start __builtin_va_start
#define va_copy __builtin_va_copy
#define va_arg __builtin_va_arg
#define va_end __builtin_va_end
void __VERIFIER_nondet_memory(void *memory, size_t size);
size_t strnlen(const char *text, size_t most);

enum { ENOMEM = 12, EOVERFLOW = 75, DIGITS = 24, LONGEST = 0x7fffffff };
#define UNLIMITED ((size_t)-1)

/* The state of formatting: the remaining arguments, the length of the text so far, and the memory for it with its size. */
typedef struct Sink {
    Arguments list;
    char *to;
    size_t size, length;
    _Bool shown; /* whether the text is only shown, and its length does not matter */
} Sink;

static void put(Sink *s, char c) {
    if (s->length + 1 < s->size || s->size == UNLIMITED) s->to[s->length] = c;
    s->length++;
}
static void put_many(Sink *s, char c, int count) {
    for (int i = 0; i < count; i++) put(s, c);
}

/* ---- one conversion ---- */
typedef struct Spec {
    _Bool left, plus, space, alternate, zero;
    int width, precision; /* precision -1: none */
    int size;             /* size of the argument: -2 char, -1 short, 0 int, 1 long (also size_t and the like), 2 long long */
} Spec;

static const char *read_flags(const char *at, Spec *spec) {
    for (;; at++) switch (*at) {
        case '-': spec->left = 1; break;
        case '+': spec->plus = 1; break;
        case ' ': spec->space = 1; break;
        case '#': spec->alternate = 1; break;
        case '0': spec->zero = 1; break;
        default: return at;
        }
}
static const char *read_size(const char *at, Spec *spec) {
    for (;; at++) switch (*at) {
        case 'h': spec->size--; break;
        case 'l': spec->size++; break;
        case 'z':
        case 't': spec->size = 1; break;
        case 'j':
        case 'q': spec->size = 2; break;
        default: return at;
        }
}
static const char *read_number(Sink *s, const char *at, int *number) {
    if (*at == '*') {
        *number = va_arg(s->list, int);
        return at + 1;
    }
    *number = 0;
    for (; *at >= '0' && *at <= '9'; at++) *number = 10 * *number + (*at - '0');
    return at;
}

static void put_number(Sink *s, const Spec *spec, unsigned long long value, char sign, unsigned base, char letter) {
    char digits[DIGITS];
    int n = 0, zeros = 0, blanks;
    _Bool marked = spec->alternate && value != 0;
    for (; value != 0; value /= base) {
        unsigned digit = (unsigned)(value % base);
        digits[n++] = (char)(digit < 10 ? '0' + digit : letter - 'x' + 'a' + digit - 10);
    }
    if (spec->precision >= 0) zeros = spec->precision - n;
    else zeros = n == 0;
    if (base == 8 && spec->alternate && zeros <= 0 && (n == 0 || marked)) zeros = 1;
    if (zeros < 0) zeros = 0;
    int prefix = (sign != 0) + (base == 16 && marked ? 2 : 0);
    blanks = spec->width - n - zeros - prefix;
    if (spec->zero && !spec->left && spec->precision < 0 && blanks > 0) {
        zeros += blanks;
        blanks = 0;
    }
    if (!spec->left) put_many(s, ' ', blanks);
    if (sign != 0) put(s, sign);
    if (base == 16 && marked) {
        put(s, '0');
        put(s, letter);
    }
    put_many(s, '0', zeros);
    while (n > 0) put(s, digits[--n]);
    if (spec->left) put_many(s, ' ', blanks);
}

static void put_text(Sink *s, const Spec *spec, const char *text) {
    size_t length = strnlen(text, spec->precision >= 0 ? (size_t)spec->precision : UNLIMITED);
    int blanks = spec->width > (int)length ? spec->width - (int)length : 0;
    if (!spec->left) put_many(s, ' ', blanks);
    for (size_t i = 0; i < length; i++) put(s, text[i]);
    if (spec->left) put_many(s, ' ', blanks);
}

static long long integer(Sink *s, const Spec *spec) {
    if (spec->size >= 2) return va_arg(s->list, long long);
    return spec->size == 1 ? va_arg(s->list, long) : va_arg(s->list, int);
}
static void put_unsigned(Sink *s, const Spec *spec, char conversion) {
    unsigned long long value = (unsigned long long)integer(s, spec);
    if (spec->size == 0) value = (unsigned)value;
    else if (spec->size == 1) value = (unsigned long)value;
    else if (spec->size == -1) value = (unsigned short)value;
    else if (spec->size <= -2) value = (u8)value;
    unsigned base = conversion == 'o' ? 8 : conversion == 'u' ? 10 : 16;
    put_number(s, spec, value, 0, base, conversion);
}
static void put_signed(Sink *s, const Spec *spec) {
    long long value = integer(s, spec);
    if (spec->size == -1) value = (short)value;
    else if (spec->size <= -2) value = (signed char)value;
    char sign = value < 0 ? '-' : spec->plus ? '+' : spec->space ? ' ' : 0;
    put_number(s, spec, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, sign, 10, 'x');
}
static void put_character(Sink *s, const Spec *spec) {
    char c = (char)va_arg(s->list, int);
    if (!spec->left) put_many(s, ' ', spec->width - 1);
    put(s, c);
    if (spec->left) put_many(s, ' ', spec->width - 1);
}

static _Bool is_floating(char c) { return c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g' || c == 'G' || c == 'a' || c == 'A'; }

/* ---- all ---- */
static const char *convert(Sink *s, const char *at) {
    Spec spec = {.precision = -1};
    at = read_number(s, read_flags(at, &spec), &spec.width);
    if (spec.width < 0) {
        spec.left = 1;
        spec.width = -spec.width;
    }
    if (*at == '.') at = read_number(s, at + 1, &spec.precision);
    at = read_size(at, &spec);
    char conversion = *at;
    if (conversion == 'd' || conversion == 'i') put_signed(s, &spec);
    else if (conversion == 'u' || conversion == 'x' || conversion == 'X' || conversion == 'o') put_unsigned(s, &spec, conversion);
    else if (conversion == 'c' && spec.size == 0) put_character(s, &spec);
    else if (conversion == 's' && spec.size == 0) put_text(s, &spec, va_arg(s->list, const char *));
    else if (conversion == '%') put(s, '%');
    else if (s->shown && is_floating(conversion) && *(at - 1) != 'L') (void)va_arg(s->list, double);
    else if (s->shown && conversion == 'p') (void)va_arg(s->list, void *);
    else __heddle_unsupported("a format with other conversions than those of integers, characters and strings");
    return at;
}
static int make_text(char *to, size_t size, const char *format, Arguments list) {
    Sink s = {.to = to, .size = size};
    va_copy(s.list, list);
    for (const char *at = format; *at != 0; at++) {
        if (*at == '%') at = convert(&s, at + 1);
        else put(&s, *at);
    }
    if (size != 0) to[s.length < size ? s.length : size - 1] = 0;
    return (int)s.length;
}

/* Reads the arguments of an output function and has no other effect (see stdio.c). The front end calls the variants below for properties
   about reads. */
static int show(const char *format, Arguments list, int use) {
    Sink s = {.to = NULL, .size = 0, .shown = 1};
    va_copy(s.list, list);
    for (const char *at = format; *at != 0; at++)
        if (*at == '%') at = convert(&s, at + 1);
    MAY_SET_ERRNO();
    if (use == UNUSED) return 0;
    __heddle_over("the result of an output function is any number");
    return (int)__heddle_any();
}
MODEL int __heddle_reads_vprintf(const char *format, Arguments list) { return show(format, list, __heddle_use()); }
MODEL int __heddle_reads_vfprintf(void *file, const char *format, Arguments list) {
    (void)file;
    return show(format, list, __heddle_use());
}
MODEL int __heddle_reads_vdprintf(int file, const char *format, Arguments list) {
    (void)file;
    return show(format, list, __heddle_use());
}

/* Makes any text of any length, since it is not read. */
static int any_text(char *to, size_t size) {
    if (size != UNLIMITED) __VERIFIER_nondet_memory(to, size);
    return 0;
}
static int fails(void) {
    *__errno_location() = EOVERFLOW;
    return -1;
}
#define UNSEEN (__heddle_use() == UNUSED && !__heddle_reads() && __heddle_unread())
MODEL int vsnprintf(char *to, size_t size, const char *format, Arguments list) {
    if (size > LONGEST && __heddle_choose()) return fails();
    MAY_SET_ERRNO();
    return UNSEEN ? any_text(to, size) : make_text(to, size, format, list);
}
MODEL int vsprintf(char *to, const char *format, Arguments list) {
    MAY_SET_ERRNO();
    return UNSEEN ? any_text(to, UNLIMITED) : make_text(to, UNLIMITED, format, list);
}
MODEL int snprintf(char *to, size_t size, const char *format, ...) {
    if (size > LONGEST && __heddle_choose()) return fails();
    MAY_SET_ERRNO();
    if (UNSEEN) return any_text(to, size);
    Arguments list;
    va_start(list, format);
    return make_text(to, size, format, list);
}
MODEL int sprintf(char *to, const char *format, ...) {
    MAY_SET_ERRNO();
    if (UNSEEN) return any_text(to, UNLIMITED);
    Arguments list;
    va_start(list, format);
    return make_text(to, UNLIMITED, format, list);
}

/* Formats into new memory. */
static int make_new(char **to, const char *format, Arguments list) {
    Arguments again;
    va_copy(again, list);
    MAY_SET_ERRNO();
    int length = make_text(NULL, 0, format, list);
    if (__heddle_may_fail() && __heddle_choose()) {
        *__errno_location() = ENOMEM;
        __VERIFIER_nondet_memory(to, sizeof *to);
        return -1;
    }
    char *memory = __heddle_alloc((size_t)length + 1, 0);
    make_text(memory, (size_t)length + 1, format, again);
    *to = memory;
    return length;
}
MODEL int vasprintf(char **to, const char *format, Arguments list) { return make_new(to, format, list); }
MODEL int asprintf(char **to, const char *format, ...) {
    Arguments list;
    va_start(list, format);
    return make_new(to, format, list);
}

/* Newer headers call these if they know the size of the memory. Writing beyond it is undefined. */
MODEL int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, Arguments list) {
    (void)flag, (void)room;
    return make_text(to, size, format, list);
}
MODEL int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    (void)flag, (void)room;
    Arguments list;
    va_start(list, format);
    return make_text(to, size, format, list);
}
MODEL int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    (void)flag, (void)room;
    Arguments list;
    va_start(list, format);
    return make_text(to, UNLIMITED, format, list);
}
