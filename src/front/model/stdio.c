/* SPDX-License-Identifier: Apache-2.0 */
/* Models <stdio.h>. Output has no effect except that it reads its text, since a program cannot see what it prints. The number of printed
   characters, or a failure, is any number where the program uses it, and no error is claimed to follow from it. Input is any input,
   except behind the end of the file. Files are not modelled. */
#include "heddle.h"

typedef __builtin_va_list Arguments;
void __VERIFIER_nondet_memory(void *memory, size_t size);
static u8 standard[3];
MODEL void *stdin = &standard[0];
MODEL void *stdout = &standard[1];
MODEL void *stderr = &standard[2];

/* ---- output ---- */
static int written(int use) {
    MAY_SET_ERRNO();
    if (use == UNUSED) return 0;
    __heddle_over("the result of an output function is any number");
    return (int)__heddle_any();
}
#define WRITTEN written(__heddle_use())
MODEL int printf(const char *format, ...) {
    (void)format;
    return WRITTEN;
}
MODEL int fprintf(void *file, const char *format, ...) {
    (void)file, (void)format;
    return WRITTEN;
}
MODEL int dprintf(int file, const char *format, ...) {
    (void)file, (void)format;
    return WRITTEN;
}
MODEL int vprintf(const char *format, Arguments arguments) {
    (void)format, (void)arguments;
    return WRITTEN;
}
MODEL int vfprintf(void *file, const char *format, Arguments arguments) {
    (void)file, (void)format, (void)arguments;
    return WRITTEN;
}
MODEL int vdprintf(int file, const char *format, Arguments arguments) {
    (void)file, (void)format, (void)arguments;
    return WRITTEN;
}
MODEL int puts(const char *text) {
    (void)*text;
    return WRITTEN;
}
MODEL int fputs(const char *text, void *file) {
    (void)*text, (void)file;
    return WRITTEN;
}

/* Returns the character that was written, or -1. */
static int put(int c, int use) {
    MAY_SET_ERRNO();
    if (use == UNUSED || __heddle_choose()) return (u8)c;
    __heddle_over("output fails");
    return -1;
}
MODEL int putchar(int c) { return put(c, __heddle_use()); }
MODEL int fputc(int c, void *file) {
    (void)file;
    return put(c, __heddle_use());
}
MODEL int putc(int c, void *file) {
    (void)file;
    return put(c, __heddle_use());
}
MODEL int _IO_putc(int c, void *file) {
    (void)file;
    return put(c, __heddle_use());
}
MODEL size_t fwrite(const void *memory, size_t size, size_t count, void *file) {
    (void)file;
    if (size == 0 || count == 0) return 0;
    (void)*(const u8 *)memory;
    MAY_SET_ERRNO();
    if (__heddle_use() == UNUSED || __heddle_choose()) return count;
    __heddle_over("output fails");
    size_t less = __heddle_any_long();
    __heddle_assume(less < count);
    return less;
}
MODEL int fflush(void *file) {
    (void)file;
    MAY_SET_ERRNO();
    if (__heddle_use() == UNUSED || __heddle_choose()) return 0;
    __heddle_over("output fails");
    return -1;
}
MODEL void perror(const char *text) {
    (void)text;
    MAY_SET_ERRNO();
}
/* From now on, the library may change the program's own buffer. */
static void set_buffer(const char *buffer) {
    if (buffer != NULL) __heddle_unsupported("setvbuf or setbuf with a buffer of the program's own");
}
MODEL int setvbuf(void *file, char *buffer, int mode, size_t size) {
    (void)file, (void)mode, (void)size;
    set_buffer(buffer);
    if (__heddle_use() == UNUSED || __heddle_choose()) return 0;
    __heddle_over("setvbuf fails");
    return -1;
}
MODEL void setbuf(void *file, char *buffer) {
    (void)file;
    set_buffer(buffer);
}

/* ---- input ---- */
/* Returns a character, or -1 at the end of the file. Behind the end of stdin nothing follows; with --may-fail reading may also fail, and
   then more input may follow. Nothing is assumed about other files. */
static _Bool ended;
static _Bool stuck, after; /* stuck: at a character that scanf did not take; after: behind input that it took */
static _Bool scans(void) {
    return __heddle_calls("scanf") || __heddle_calls("__isoc99_scanf") || __heddle_calls("__isoc23_scanf") || __heddle_calls("fscanf") ||
           __heddle_calls("__isoc99_fscanf") || __heddle_calls("__isoc23_fscanf");
}
static int character(const void *file) {
    MAY_SET_ERRNO();
    if (scans() && (stuck || after)) __heddle_over("the character after what scanf has read is any character");
    unsigned c = __heddle_any();
    __heddle_assume(c <= 256);
    if (file != &standard[0]) {
        __heddle_over("input of a file: after its end nothing comes");
        return (int)c - 1;
    }
    __heddle_atomic_begin();
    if (!__heddle_may_fail() && ended) c = 0;
    if (c == 0) ended = 1;
    else if (__heddle_may_fail() && ended) __heddle_over("input after the end of the file");
    __heddle_atomic_end();
    return (int)c - 1;
}
/* Forgets the end: there may be more at another place of a file, or behind an end that is cleared. */
static void read_on(void) {
    __heddle_over("what is read again is what was read before");
    ended = 0;
}
MODEL void clearerr(void *file) {
    (void)file;
    ended = 0;
}
MODEL void rewind(void *file) {
    (void)file;
    read_on();
}
static int moves(int use) {
    read_on();
    return use != UNUSED && __heddle_choose() ? -1 : 0;
}
MODEL int fseek(void *file, long offset, int from) {
    (void)file, (void)offset, (void)from;
    return moves(__heddle_use());
}
MODEL int fseeko(void *file, long offset, int from) {
    (void)file, (void)offset, (void)from;
    return moves(__heddle_use());
}
MODEL int fsetpos(void *file, const void *place) {
    (void)file, (void)place;
    return moves(__heddle_use());
}
/* The program can push back one character, or perhaps more. The next character that it reads is any character here. */
MODEL int ungetc(int c, void *file) {
    (void)file;
    if (c == -1) return -1;
    __heddle_over("a character that was pushed back is read as any character");
    ended = 0;
    return __heddle_use() != UNUSED && __heddle_choose() ? -1 : (u8)c;
}
MODEL int getchar(void) { return character(stdin); }
MODEL int fgetc(void *file) { return character(file); }
MODEL int getc(void *file) { return character(file); }
/* If reading fails, the contents of the array are unknown. */
static char *fails(char *text, int size) {
    __heddle_over("input fails");
    __VERIFIER_nondet_memory(text, (size_t)size);
    return NULL;
}
MODEL char *fgets(char *text, int size, void *file) {
    int length = 0;
    if (size <= 0) return NULL;
    while (length < size - 1) {
        int c = character(file);
        if (__heddle_may_fail() && c == -1 && __heddle_choose()) return fails(text, size);
        if (c == -1 && length == 0) return NULL;
        if (c == -1) break;
        text[length++] = (char)c;
        if (c == '\n') break;
    }
    text[length] = 0;
    return text;
}

/* Reads some elements and then the end. A part of one more element may have been read. */
MODEL size_t fread(void *to, size_t size, size_t count, void *file) {
    MAY_SET_ERRNO();
    if (size == 0 || count == 0) return 0;
    size_t got = __heddle_any_long();
    __heddle_assume(got <= count);
    if (file != &standard[0]) __heddle_over("input of a file: after its end nothing comes");
    __heddle_atomic_begin();
    if (file == &standard[0]) {
        if (!__heddle_may_fail() && ended) got = 0;
        if (got < count) ended = 1;
    }
    __heddle_atomic_end();
    __VERIFIER_nondet_memory(to, size * (got < count ? got + 1 : count));
    return got;
}

/* Formatted input: each conversion stores any value of its type, fails to match, or finds the end of the file. The front end knows the
   format. In fact the character behind a number is not any character, and nothing that matches follows input that did not match. */
enum { MATCHED, DIFFERS, ENDED };
static int go_on(void) {
    if (!__heddle_may_fail() && ended) return ENDED;
    if (__heddle_may_fail() && ended) __heddle_over("input after the end of the file");
    if (__heddle_choose()) return MATCHED;
    if (__heddle_choose()) {
        stuck = 1;
        return DIFFERS;
    }
    ended = 1;
    return ENDED;
}
static int go_on_elsewhere(void) { return __heddle_choose() ? MATCHED : __heddle_choose() ? DIFFERS : ENDED; }
#define CONVERT(k, next)                                                \
    if (__heddle_conversions() > k) {                                   \
        int found = next;                                               \
        if (found != MATCHED) return k == 0 && found == ENDED ? -1 : k; \
        __heddle_convert(k);                                            \
    }
#define CONVERT_ALL(next)                                                                  \
    if (__heddle_conversions() < 0 || __heddle_conversions() > 8)                          \
        __heddle_unsupported("a format of scanf that is not a constant, or not modelled"); \
    CONVERT(0, next)                                                                       \
    CONVERT(1, next)                                                                       \
    CONVERT(2, next) CONVERT(3, next) CONVERT(4, next) CONVERT(5, next) CONVERT(6, next) CONVERT(7, next) return __heddle_conversions()
#define SCAN_STDIN                                                      \
    MAY_SET_ERRNO();                                                    \
    if (stuck) __heddle_over("input behind what did not match is any"); \
    after = 1;                                                          \
    CONVERT_ALL(go_on())
#define SCAN_FILE                                                  \
    if (file == &standard[0]) {                                    \
        SCAN_STDIN;                                                \
    }                                                              \
    __heddle_over("input of a file: after its end nothing comes"); \
    CONVERT_ALL(go_on_elsewhere())
#define SCAN_TEXT                                        \
    (void)*text;                                         \
    __heddle_over("what sscanf makes of a text is any"); \
    CONVERT_ALL(go_on_elsewhere())
MODEL int scanf(const char *format, ...) {
    (void)format;
    SCAN_STDIN;
}
MODEL int fscanf(void *file, const char *format, ...) {
    (void)format;
    SCAN_FILE;
}
MODEL int sscanf(const char *text, const char *format, ...) {
    (void)format;
    SCAN_TEXT;
}
/* Newer headers call these. */
MODEL int __isoc99_scanf(const char *format, ...) {
    (void)format;
    SCAN_STDIN;
}
MODEL int __isoc99_fscanf(void *file, const char *format, ...) {
    (void)format;
    SCAN_FILE;
}
MODEL int __isoc99_sscanf(const char *text, const char *format, ...) {
    (void)format;
    SCAN_TEXT;
}
MODEL int __isoc23_scanf(const char *format, ...) {
    (void)format;
    SCAN_STDIN;
}
MODEL int __isoc23_fscanf(void *file, const char *format, ...) {
    (void)format;
    SCAN_FILE;
}
MODEL int __isoc23_sscanf(const char *text, const char *format, ...) {
    (void)format;
    SCAN_TEXT;
}

/* ---- not modelled ---- */
MODEL void *fopen(const char *name, const char *mode) {
    (void)*name, (void)*mode;
    MAY_SET_ERRNO();
    if (__heddle_choose()) return NULL;
    __heddle_unsupported("fopen that succeeds");
}

/* ---- locks of streams: recursive mutexes ---- */
enum { STREAMS = 4, EBUSY = 16 };
static void *streams[STREAMS]; /* those that were locked */
static u32 stream_locks[STREAMS] = {1u << 28, 1u << 28, 1u << 28, 1u << 28};
static u32 stream_at(void *file) {
    __heddle_atomic_begin();
    u32 i = 0;
    while (i < STREAMS && streams[i] != NULL && streams[i] != file) i++;
    if (i < STREAMS) streams[i] = file;
    __heddle_atomic_end();
    if (i == STREAMS) __heddle_unsupported("locks of more than 4 streams");
    return i;
}
MODEL void flockfile(void *file) { __heddle_lock(&stream_locks[stream_at(file)]); }
MODEL void funlockfile(void *file) { __heddle_unlock(&stream_locks[stream_at(file)]); }
MODEL int ftrylockfile(void *file) {
    u32 i = stream_at(file);
    return turned_down() ? EBUSY : __heddle_trylock(&stream_locks[i]);
}
