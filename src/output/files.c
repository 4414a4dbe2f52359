/* SPDX-License-Identifier: Apache-2.0 */
#include "output/files.h"
#include "base/file.h"
#include "native/gather.h"
#include "output/messages.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lists the parts of an Output that belong to files, by the offsets of the part in Output and of the file's name in Options. */
static const struct {
    size_t part, path;
    const char *option, *without; /* why the part may be empty; NULL: it never is */
} files[] = {
#define PART(name, without) {offsetof(Output, name), offsetof(Options, name), #name, without}
    PART(json, NULL),
    PART(certificate, MSG_OUTPUT_NO_PROOF),
    PART(trace, MSG_OUTPUT_NO_EXECUTION),
    PART(sarif, NULL),
    PART(witness, MSG_OUTPUT_NO_WITNESS),
    PART(html, NULL),
    PART(native, MSG_OUTPUT_NO_NATIVE),
#undef PART
};
enum { NFILES = sizeof files / sizeof *files };

static Buf *part_of(const Output *o, unsigned i) { return (Buf *)(void *)((char *)o + files[i].part); }
static const char *path_of(const Options *o, unsigned i) { return *(const char *const *)(const void *)((const char *)o + files[i].path); }

void output_free(Output *o) {
    buf_free(&o->line);
    buf_free(&o->text);
    buf_free(&o->complaint);
    for (unsigned i = 0; i < NFILES; i++) buf_free(part_of(o, i));
}

/* ---- between processes: each part after its length ---- */

static void send(FILE *to, const Buf *part) {
    uint64_t length = part->length;
    fwrite(&length, sizeof length, 1, to);
    fwrite(buf_string(part), 1, part->length, to);
}

void output_send(FILE *to, const Output *o) {
    send(to, &o->line);
    send(to, &o->text);
    send(to, &o->complaint);
    for (unsigned i = 0; i < NFILES; i++) send(to, part_of(o, i));
}

static bool receive(Buf *part, const Buf *sent, size_t *at) {
    uint64_t length;
    if (sent->length - *at < sizeof length) return false;
    memcpy(&length, sent->text + *at, sizeof length);
    *at += sizeof length;
    if (sent->length - *at < length) return false;
    buf_bytes(part, sent->text + *at, length);
    *at += length;
    return true;
}

bool output_receive(Output *o, const Buf *sent) {
    size_t at = 0;
    bool ok = receive(&o->line, sent, &at) && receive(&o->text, sent, &at) && receive(&o->complaint, sent, &at);
    for (unsigned i = 0; i < NFILES && ok; i++) ok = receive(part_of(o, i), sent, &at);
    return ok;
}

/* ---- writing ---- */

static bool complain(const char *where) {
    fprintf(stderr, "heddle: %s: %s\n", where, strerror(errno));
    return false;
}

bool deliver_text(const Buf *text) { return file_put(STDOUT_FILENO, buf_string(text), text->length) || complain("stdout"); }

/* Writes a part to the path; nothing if there is no path or the part is empty. */
static bool deliver_part(const Buf *part, const char *path) {
    if (!path || !part->length) return true;
    if (!strcmp(path, "-")) return deliver_text(part);
    return file_write(path, buf_string(part), part->length) || complain(path);
}

void output_out_of_resources(const Output *o, const Options *options) {
    for (unsigned i = 0; i < NFILES; i++) {
        const char *path = path_of(options, i);
        if (!path || !files[i].without || part_of(o, i)->length) continue;
        struct stat s;
        bool old = !stat(path, &s) && (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode));
        print_error(MSG_OUTPUT_NOT_WRITTEN, files[i].option, path, old ? MSG_OUTPUT_UNCHANGED : "", files[i].without);
    }
}

bool output_deliver(const Output *o, const Options *options) {
    Buf both = {0}; /* in one write: a reader may stop after the first line */
    buf_bytes(&both, buf_string(&o->line), o->line.length);
    buf_bytes(&both, buf_string(&o->text), o->text.length);
    bool ok = deliver_text(&both);
    buf_free(&both);
    for (unsigned i = 0; i < NFILES; i++)
        if (part_of(o, i) != &o->native) ok &= deliver_part(part_of(o, i), path_of(options, i));
    return native_build_program(&o->native, options) && ok;
}
