/* SPDX-License-Identifier: Apache-2.0 */
#include "deliver.h"
#include "base/file.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void output_free(Output *o) {
    buf_free(&o->text);
    buf_free(&o->json);
    buf_free(&o->certificate);
    buf_free(&o->trace);
}

/* ---- between processes: each part after its length ---- */

static void send(FILE *to, const Buf *part) {
    uint64_t length = part->length;
    fwrite(&length, sizeof length, 1, to);
    fwrite(buf_string(part), 1, part->length, to);
}

void output_send(FILE *to, const Output *o) {
    send(to, &o->text);
    send(to, &o->json);
    send(to, &o->certificate);
    send(to, &o->trace);
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
    return receive(&o->text, sent, &at) && receive(&o->json, sent, &at) && receive(&o->certificate, sent, &at) && receive(&o->trace, sent, &at);
}

/* ---- to where it belongs ---- */

static bool complain(const char *where) {
    fprintf(stderr, "heddle: %s: %s\n", where, strerror(errno));
    return false;
}

bool deliver_text(const Buf *text) { return file_put(STDOUT_FILENO, buf_string(text), text->length) || complain("stdout"); }

/* part: for the file of an option, if there is one. */
static bool deliver_part(const Buf *part, const char *path) {
    if (!path || !part->length) return true;
    if (!strcmp(path, "-")) return deliver_text(part);
    return file_write(path, buf_string(part), part->length) || complain(path);
}

bool output_deliver(const Output *o, const Options *options) {
    bool ok = deliver_text(&o->text);
    ok &= deliver_part(&o->json, options->json);
    ok &= deliver_part(&o->certificate, options->certificate);
    ok &= deliver_part(&o->trace, options->trace);
    return ok;
}
