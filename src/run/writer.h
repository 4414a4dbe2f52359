/* SPDX-License-Identifier: Apache-2.0 */
/* Writes text files without stdio, whose buffers would move the program's heap. */
#pragma once
#include "run/base.h"

typedef struct Writer {
    int fd;
    bool failed;
    size_t used;
    char text[1 << 14];
} Writer;

/* Opens a new file. `failed` is set if that is impossible. */
void writer_open(Writer *, const char *path);
void writer_put(Writer *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes a text in which blanks, control characters and % are encoded. */
void writer_word(Writer *, const char *text);
/* Closes the file. Returns false if something could not be written. */
bool writer_close(Writer *);
