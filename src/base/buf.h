/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows. Always NUL-terminated once anything was written; buf_text is "" before. */
#pragma once
#include <stddef.h>

typedef struct Buf {
    char *text;
    size_t length, capacity;
} Buf; /* start as (Buf){0}: there is no text; afterwards there is room for a NUL behind it */

void buf_free(Buf *);
void buf_clear(Buf *);
void buf_char(Buf *, char c);
void buf_text(Buf *, const char *text);
void buf_bytes(Buf *, const void *bytes, size_t size);
void buf_printf(Buf *, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *buf_string(const Buf *);
