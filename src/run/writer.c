/* SPDX-License-Identifier: Apache-2.0 */
#include "run/writer.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void writer_open(Writer *w, const char *path) {
    enum { MODE = 0644 };
    w->used = 0;
    w->fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, MODE);
    w->failed = w->fd < 0;
}

static void flush(Writer *w) {
    if (!w->failed && !base_put(w->fd, w->text, w->used)) w->failed = true;
    w->used = 0;
}

static void put_bytes(Writer *w, const char *bytes, size_t n) {
    if (n > sizeof w->text - w->used) flush(w);
    memcpy(w->text + w->used, bytes, n);
    w->used += n;
}

void writer_put(Writer *w, const char *format, ...) {
    char line[1200];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    put_bytes(w, line, n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void writer_word(Writer *w, const char *text) {
    static const char digits[] = "0123456789abcdef";
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char code[] = {'%', digits[c >> 4], digits[c & 15]};
        if (c <= ' ' || c == '%' || c == 0x7f) put_bytes(w, code, sizeof code);
        else put_bytes(w, text, 1);
    }
}

bool writer_close(Writer *w) {
    flush(w);
    if (w->fd >= 0) syscall(SYS_close, w->fd);
    return !w->failed;
}
