/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes whole files. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

typedef enum FileKind {
    FILE_TEXT, /* without NUL bytes */
    FILE_LLVM  /* text without NUL bytes, or bitcode */
} FileKind;

/* A file that is not regular (a pipe, a device) is refused beyond this many bytes. */
enum { FILE_STREAM_LIMIT = 64 << 20 };

/* Returns the part of a path that follows its last slash. */
const char *base_name(const char *path);
/* True if the file can be read. Otherwise *error gets a line with the reason. Reads nothing: a pipe keeps its content. */
bool file_readable(const char *path, Buf *error);
/* Adds the whole file to *text. On failure returns false, and *error gets a line with the reason. */
bool file_read(const char *path, FileKind, Buf *text, Buf *error);
/* Writes all bytes, however many calls it takes. On failure returns false, with errno. */
bool file_put(int fd, const char *bytes, size_t size);
/* Makes these bytes the content of the file, or leaves the file unchanged and returns false, with errno. A pipe or device is written to. */
bool file_write(const char *path, const char *bytes, size_t size);
