/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows, and stays terminated by NUL after the first write. */
#pragma once
#include <stddef.h>

typedef struct Buf {
    char *text;
    size_t length, capacity;
} Buf; /* Begins as (Buf){0}. text is NULL until the first write; afterwards capacity includes a NUL behind the length. */

void buf_free(Buf *);
void buf_clear(Buf *);
void buf_char(Buf *, char c);
void buf_text(Buf *, const char *text);
void buf_bytes(Buf *, const void *bytes, size_t size);
void buf_printf(Buf *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds formatted text, and ends the line. */
void buf_line(Buf *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns the text; "" before the first write. The pointer is valid until the buffer changes. */
const char *buf_string(const Buf *);
