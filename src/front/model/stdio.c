/* SPDX-License-Identifier: Apache-2.0 */
/* <stdio.h>. Output has no effect and always succeeds: what is printed cannot be seen by the program, only how much.
   Input is any input. Formatting into memory and files are not modelled. */
#include "heddle.h"

typedef __builtin_va_list Arguments;
static u8 standard[3];
MODEL void *stdin = &standard[0];
MODEL void *stdout = &standard[1];
MODEL void *stderr = &standard[2];

/* ---- output ---- */
static int written(void) { return (int)(__heddle_any() >> 1); }
MODEL int printf(const char *format, ...) { (void)format; return written(); }
MODEL int fprintf(void *file, const char *format, ...) { (void)file, (void)format; return written(); }
MODEL int dprintf(int file, const char *format, ...) { (void)file, (void)format; return written(); }
MODEL int vprintf(const char *format, Arguments arguments) { (void)format, (void)arguments; return written(); }
MODEL int vfprintf(void *file, const char *format, Arguments arguments) {
    (void)file, (void)format, (void)arguments;
    return written();
}
MODEL int puts(const char *text) { (void)text; return written(); }
MODEL int fputs(const char *text, void *file) { (void)text, (void)file; return written(); }
MODEL int putchar(int c) { return (u8)c; }
MODEL int fputc(int c, void *file) { (void)file; return (u8)c; }
MODEL int putc(int c, void *file) { (void)file; return (u8)c; }
MODEL int _IO_putc(int c, void *file) { (void)file; return (u8)c; }
MODEL size_t fwrite(const void *memory, size_t size, size_t count, void *file) {
    (void)memory, (void)file;
    return size == 0 ? 0 : count;
}
MODEL int fflush(void *file) { (void)file; return 0; }
MODEL void perror(const char *text) { (void)text; }
MODEL int setvbuf(void *file, char *buffer, int mode, size_t size) {
    (void)file, (void)buffer, (void)mode, (void)size;
    return 0;
}
MODEL void setbuf(void *file, char *buffer) { (void)file, (void)buffer; }
MODEL void flockfile(void *file) { (void)file; __heddle_unsupported("flockfile"); }
MODEL void funlockfile(void *file) { (void)file; __heddle_unsupported("funlockfile"); }

/* ---- input ---- */
static int character(void) { /* or the end of the file, -1 */
    unsigned c = __heddle_any();
    __heddle_assume(c <= 256);
    return (int)c - 1;
}
MODEL int getchar(void) { return character(); }
MODEL int fgetc(void *file) { (void)file; return character(); }
MODEL int getc(void *file) { (void)file; return character(); }
MODEL char *fgets(char *text, int size, void *file) {
    (void)file;
    int length = 0;
    while (length < size - 1) {
        int c = character();
        if (c == -1 && length == 0) return NULL;
        if (c == -1) break;
        text[length++] = (char)c;
        if (c == '\n') break;
    }
    text[length] = 0;
    return text;
}

/* ---- not modelled ---- */
MODEL int sprintf(char *to, const char *format, ...) { (void)to, (void)format; __heddle_unsupported("sprintf"); }
MODEL int snprintf(char *to, size_t size, const char *format, ...) {
    (void)to, (void)size, (void)format;
    __heddle_unsupported("snprintf");
}
MODEL int vsprintf(char *to, const char *format, Arguments arguments) {
    (void)to, (void)format, (void)arguments;
    __heddle_unsupported("vsprintf");
}
MODEL int vsnprintf(char *to, size_t size, const char *format, Arguments arguments) {
    (void)to, (void)size, (void)format, (void)arguments;
    __heddle_unsupported("vsnprintf");
}
MODEL int asprintf(char **to, const char *format, ...) { (void)to, (void)format; __heddle_unsupported("asprintf"); }
MODEL int scanf(const char *format, ...) { (void)format; __heddle_unsupported("scanf"); }
MODEL int fscanf(void *file, const char *format, ...) { (void)file, (void)format; __heddle_unsupported("fscanf"); }
MODEL int sscanf(const char *text, const char *format, ...) { (void)text, (void)format; __heddle_unsupported("sscanf"); }
MODEL int __isoc99_scanf(const char *format, ...) { (void)format; __heddle_unsupported("scanf"); }
MODEL int __isoc99_fscanf(void *file, const char *format, ...) {
    (void)file, (void)format;
    __heddle_unsupported("fscanf");
}
MODEL int __isoc99_sscanf(const char *text, const char *format, ...) {
    (void)text, (void)format;
    __heddle_unsupported("sscanf");
}
MODEL int __isoc23_scanf(const char *format, ...) { (void)format; __heddle_unsupported("scanf"); }
MODEL int __isoc23_fscanf(void *file, const char *format, ...) {
    (void)file, (void)format;
    __heddle_unsupported("fscanf");
}
MODEL int __isoc23_sscanf(const char *text, const char *format, ...) {
    (void)text, (void)format;
    __heddle_unsupported("sscanf");
}
MODEL void *fopen(const char *name, const char *mode) {
    (void)name, (void)mode;
    if (__heddle_choose()) return NULL;
    __heddle_unsupported("fopen that succeeds");
}
