/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/die.h"
#include "base/messages.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool buf_valid(const Buf *b) { return b->text ? b->length < b->capacity : !b->length && !b->capacity; }

/* Makes room for `more` bytes and a NUL behind them. */
static void room(Buf *b, size_t more) {
    ensure(buf_valid(b));
    if (b->length + more + 1 <= b->capacity) return;
    size_t capacity = b->capacity ? 2 * b->capacity : 64;
    if (capacity < b->length + more + 1) capacity = b->length + more + 1;
    b->text = realloc(b->text, capacity);
    if (!b->text) out_of_resources(MSG_BASE_NO_MEMORY);
    b->capacity = capacity;
}

void buf_free(Buf *b) {
    free(b->text);
    *b = (Buf){0};
}

void buf_clear(Buf *b) {
    b->length = 0;
    if (b->text) b->text[0] = 0;
}

void buf_bytes(Buf *b, const void *bytes, size_t size) {
    room(b, size);
    if (size) memcpy(b->text + b->length, bytes, size);
    b->text[b->length += size] = 0;
}

void buf_char(Buf *b, char c) { buf_bytes(b, &c, 1); }

void buf_text(Buf *b, const char *text) { buf_bytes(b, text, strlen(text)); }

static void add_formatted(Buf *b, const char *format, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    ensure(n >= 0);
    room(b, (size_t)n);
    vsnprintf(b->text + b->length, (size_t)n + 1, format, again);
    va_end(again);
    b->length += (size_t)n;
}

void buf_printf(Buf *b, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    add_formatted(b, format, ap);
    va_end(ap);
}

void buf_line(Buf *b, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    add_formatted(b, format, ap);
    va_end(ap);
    buf_char(b, '\n');
}

const char *buf_string(const Buf *b) { return b->text ? b->text : ""; }
