/* SPDX-License-Identifier: Apache-2.0 */
/* A number is 7 bits in each byte, the lowest first; the highest bit says that more follow. */
#include "base/bytes.h"
#include "base/die.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void bytes_number(Buf *b, uint64_t n) {
    unsigned char bytes[10];
    size_t length = 0;
    for (; n >= 128; n >>= 7) bytes[length++] = (unsigned char)(n | 128);
    bytes[length++] = (unsigned char)n;
    buf_bytes(b, bytes, length);
}

void bytes_string(Buf *b, const char *text) {
    size_t length = strlen(text);
    bytes_number(b, length);
    buf_bytes(b, text, length);
}

Reader reader_of(const char *bytes, size_t length) {
    const unsigned char *at = (const unsigned char *)bytes;
    return (Reader){at, at + length, false};
}

uint64_t read_number(Reader *r, uint64_t most) {
    uint64_t n = 0;
    unsigned shift = 0;
    while (!r->bad) {
        if (r->at == r->end || shift > 63) {
            r->bad = true;
            break;
        }
        unsigned char byte = *r->at++;
        n |= (uint64_t)(byte & 127) << shift;
        shift += 7;
        if (byte < 128) break;
    }
    r->bad |= n > most;
    return r->bad ? 0 : n;
}

unsigned read_count(Reader *r) {
    size_t left = (size_t)(r->end - r->at);
    return read_unsigned(r, left < INT_MAX ? (unsigned)left : INT_MAX);
}

char *read_string(Reader *r) {
    unsigned length = read_count(r);
    if (r->bad || length > (size_t)(r->end - r->at)) {
        r->bad = true;
        length = 0;
    }
    char *text = calloc(1, length + 1);
    if (!text) lack("out of memory");
    memcpy(text, r->at, length);
    r->at += length;
    return text;
}
