/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and strings in bytes, from one process to another. What is short or out of range makes a reader bad; it then reads zeros, and
   whoever reads looks once, at the end. */
#ifndef HEDDLE_BASE_BYTES_H
#define HEDDLE_BASE_BYTES_H
#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

void bytes_number(Buf *, uint64_t); /* small ones are short */
void bytes_string(Buf *, const char *);

typedef struct Reader {
    const unsigned char *at, *end;
    bool bad;
} Reader;

Reader reader_of(const char *bytes, size_t length);
uint64_t read_number(Reader *, uint64_t most); /* at most that */
static inline unsigned read_unsigned(Reader *r, unsigned most) { return (unsigned)read_number(r, most); }
static inline bool read_bool(Reader *r) { return read_number(r, 1); }
/* How many of something follow, each of at least one byte. */
unsigned read_count(Reader *);
char *read_string(Reader *); /* malloced; "" from a bad one */

#endif
