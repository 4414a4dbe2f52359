/* SPDX-License-Identifier: Apache-2.0 */
/* A new file replaces the old one by rename. So no reader finds half of a file, and nothing is lost when the disk is full. A file is
   overwritten instead where a new file would differ from it: by other names (hard links), another owner, or a device. */
#include "base/file.h"
#include "base/die.h"
#include "base/messages.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Reading and writing ends when a caught signal arrives. So a process that waits for the other end of a pipe can be stopped. */

/* ---- reading ---- */

/* Adds the reason in errno to *error; lack of resources ends the process. */
static bool refuse(const char *path, Buf *error) {
    if (errno == ENOMEM || errno == EMFILE || errno == ENFILE) out_of_resources("%s: %s", path, strerror(errno));
    buf_line(error, "%s: %s", path, strerror(errno));
    return false;
}

bool file_readable(const char *path, Buf *error) {
    struct stat s;
    if (stat(path, &s) || access(path, R_OK)) return refuse(path, error);
    errno = EISDIR;
    return !S_ISDIR(s.st_mode) || refuse(path, error);
}

static bool is_bitcode(const Buf *text) {
    return text->length >= 4 && (!memcmp(text->text, "BC\xc0\xde", 4) || !memcmp(text->text, "\xde\xc0\x17\x0b", 4));
}

/* True if the text can be the beginning of a file of this kind. The bytes before `from` were checked already. LLVM itself refuses less than
   4 bytes. */
static bool fits(const char *path, FileKind kind, const Buf *text, size_t from, Buf *error) {
    if (kind == FILE_LLVM && (text->length < 4 || is_bitcode(text))) return true;
    if (!memchr(text->text + from, 0, text->length - from)) return true;
    buf_line(error, kind == FILE_LLVM ? MSG_BASE_FILE_BINARY : MSG_BASE_FILE_NO_TEXT, path);
    return false;
}

static bool read_all(int fd, const char *path, FileKind kind, size_t most, Buf *text, Buf *error) {
    char bytes[1 << 13];
    for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) != 0;) {
        if (n < 0) return refuse(path, error);
        size_t before = text->length;
        buf_bytes(text, bytes, (size_t)n);
        if (!fits(path, kind, text, before < 4 ? 0 : before, error)) return false;
        if (text->length > most) {
            buf_line(error, MSG_BASE_FILE_LONG, path, FILE_STREAM_LIMIT >> 20);
            return false;
        }
    }
    return true;
}

bool file_read(const char *path, FileKind kind, Buf *text, Buf *error) {
    struct stat s;
    if (!file_readable(path, error)) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &s)) return refuse(path, error);
    bool ok = read_all(fd, path, kind, S_ISREG(s.st_mode) ? SIZE_MAX : FILE_STREAM_LIMIT, text, error);
    close(fd);
    return ok;
}

/* ---- writing ---- */

bool file_put(int fd, const char *bytes, size_t size) {
    while (size) {
        ssize_t n = write(fd, bytes, size);
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        if (n < 0 && errno == EAGAIN && poll(&p, 1, -1) > 0) continue;
        if (n < 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* Writes the bytes and closes the file. */
static bool fill(int fd, const char *bytes, size_t size) {
    bool ok = file_put(fd, bytes, size);
    int why = errno;
    if (!ok) (void)!ftruncate(fd, 0); /* empty rather than half written */
    if (close(fd) && ok) return false;
    errno = why;
    return ok;
}

static bool overwrite(const char *path, const char *bytes, size_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    return fd >= 0 && fill(fd, bytes, size);
}

/* Returns stdout or stderr if it writes to this file already, or -1. If the file were opened anew, each stream would overwrite the
   other. */
static int our_stream(const struct stat *s) {
    struct stat own;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (!fstat(fd, &own) && !S_ISCHR(own.st_mode) && own.st_dev == s->st_dev && own.st_ino == s->st_ino) return fd;
    return -1;
}

static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Writes a new file and renames it to `path`. old: the file that it replaces, or NULL. */
static bool replace(const char *path, const struct stat *old, const char *bytes, size_t size) {
    Buf name = {0};
    const char *slash = strrchr(path, '/');
    buf_printf(&name, "%.*s.heddle-XXXXXX", slash ? (int)(slash + 1 - path) : 0, path);
    int fd = mkostemp(name.text, O_CLOEXEC);
    bool made = fd >= 0 && !fchmod(fd, old ? old->st_mode & 07777 : usual_mode());
    bool filled = fd >= 0 && fill(fd, bytes, size);
    bool ok = made && filled && !rename(name.text, path);
    int why = errno;
    if (fd >= 0 && !ok) unlink(name.text);
    buf_free(&name);
    errno = why;
    /* The process may lack the right to write to the folder, or the file may be a mount of its own, which cannot be replaced. */
    if (!ok && old && (!made || filled)) return overwrite(path, bytes, size);
    return ok;
}

bool file_write(const char *path, const char *bytes, size_t size) {
    struct stat s;
    if (stat(path, &s)) return lstat(path, &s) ? replace(path, NULL, bytes, size) : overwrite(path, bytes, size);
    int own = our_stream(&s);
    if (own >= 0) return file_put(own, bytes, size);
    if (!S_ISREG(s.st_mode) || s.st_nlink > 1 || s.st_uid != geteuid()) return overwrite(path, bytes, size);
    if (access(path, W_OK)) return false;
    char *real = realpath(path, NULL);
    bool ok = real && replace(real, &s, bytes, size);
    free(real);
    return ok;
}
