/* SPDX-License-Identifier: Apache-2.0 */
/* Files, whole. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

typedef enum FileKind {
    FILE_TEXT, /* without NUL bytes */
    FILE_LLVM  /* text likewise, or bitcode */
} FileKind;

/* What is neither a regular file nor ends after so much is refused. */
enum { FILE_STREAM_LIMIT = 64 << 20 };

/* What follows the last slash of a path. */
const char *base_name(const char *path);
/* False: *error is a line that says why the file is not to be read. Looks only; a pipe keeps what is in it. */
bool file_readable(const char *path, Buf *error);
/* Adds all of the file to *text. False: *error is a line that says why not. */
bool file_read(const char *path, FileKind, Buf *text, Buf *error);
/* Writes all of it; false with errno. */
bool file_put(int fd, const char *bytes, size_t size);
/* The file's content becomes this, or remains what it was; false with errno. Pipes, devices and the like are written to. */
bool file_write(const char *path, const char *bytes, size_t size);
