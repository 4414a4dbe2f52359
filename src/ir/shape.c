/* SPDX-License-Identifier: Apache-2.0 */
/* A shape is walked as text: no tree is built. Malformed text ends the walk with the plain offset. */
#include "ir/shape.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number(const char **s) {
    char *end;
    uint64_t n = strtoull(*s, &end, 10);
    *s = end;
    return n;
}

/* Step over one shape; NULL if it is malformed. */
static const char *skip(const char *s) {
    for (int depth = 0; *s; s++) {
        if (*s == '{') depth++;
        if (*s == '}' && depth-- == 0) return s;
        if (*s == ',' && depth == 0) return s;
    }
    return s;
}

/* The field of the struct at *s (behind its brace) that offset lies in: the last that starts at or before it.
   Its name goes to the buffer; *s is set to its shape. False if there is none. */
static bool field(Buf *out, const char **s, uint64_t *offset) {
    const char *best = NULL, *name = NULL;
    size_t length = 0;
    uint64_t start = 0;
    for (const char *p = *s; *p && *p != '}';) {
        const char *at = strchr(p, '@'), *text = p;
        if (!at) return false;
        p = at + 1;
        uint64_t o = number(&p);
        if (*p++ != ':') return false;
        if (o <= *offset && (!best || o > start)) best = p, name = text, length = (size_t)(at - text), start = o;
        p = skip(p);
        if (*p == ',') p++;
    }
    if (!best) return false;
    if (length) {
        buf_char(out, '.');
        buf_bytes(out, name, length);
    }
    *offset -= start;
    *s = best;
    return true;
}

/* The path to offset, appended to out; the letter of the scalar that starts there, or 0. */
static char walk(Buf *out, const char *s, uint64_t offset) {
    while (s && (*s == '[' || *s == '{')) {
        if (*s == '[') {
            s++;
            number(&s);
            if (*s != 'x') break;
            s++;
            uint64_t stride = number(&s);
            if (*s != ']' || !stride) break;
            s++;
            buf_printf(out, "[%" PRIu64 "]", offset / stride);
            offset %= stride;
        } else {
            s++;
            if (!field(out, &s, &offset)) break;
        }
    }
    if (offset) buf_printf(out, "+%" PRIu64, offset);
    return s && !offset && *s && strchr("iufp", *s) ? *s : 0;
}

void shape_path(Buf *out, const char *s, uint64_t offset, bool *is_signed) {
    char scalar = walk(out, s, offset);
    if (is_signed) *is_signed = scalar == 'i';
}

char shape_scalar(const char *s, uint64_t offset) {
    Buf path = {0};
    char scalar = walk(&path, s, offset);
    buf_free(&path);
    return scalar;
}
