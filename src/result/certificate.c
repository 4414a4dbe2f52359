/* SPDX-License-Identifier: Apache-2.0 */
#include "result/certificate.h"
#include "result/messages.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ";! answer "
#define CLAIM ";! claim "
#define TEXT ";| "

static const char *const words[] = {[PROOF_NONE] = "nothing",     [PROOF_EXHAUSTED] = "visited", [PROOF_INVARIANT] = "invariants",
                                    [PROOF_ORDER] = "lock-order", [PROOF_NOTHING] = "no-errors", [PROOF_RACE_FREE] = "race-free"};
enum { WORDS = sizeof words / sizeof *words };

/* ---- writing ---- */

void certificate_put_answer(Buf *out, const char *property) {
    buf_printf(out,
               "; Heddle certificate: every (check-sat) is to be answered unsat. heddle --check-certificate checks the rest.\n" HEAD
               "%s\n(reset)\n",
               property);
}

static void put_text(Buf *out, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        buf_text(out, TEXT);
        buf_bytes(out, text, n);
        buf_char(out, '\n');
        text += n + (text[n] != 0);
    }
}

static void put_order(Buf *out, const uint64_t *order) {
    enum { IN_LINE = 12 };
    for (size_t i = 0; i < vec_len(order); i++)
        buf_printf(out, "%s%" PRIx64 "%s", i % IN_LINE ? "" : TEXT, order[i], (i + 1) % IN_LINE && i + 1 < vec_len(order) ? " " : "\n");
}

void certificate_put_claim(Buf *out, const Verdict *v, const char *key) {
    buf_printf(out, CLAIM "%s by %s, states %" PRIu64 ", of %s\n", words[v->proof], v->engine ? v->engine : "none", v->states, key);
    if (v->proof == PROOF_INVARIANT && v->sent) put_text(out, v->sent);
    if (v->proof == PROOF_ORDER) put_order(out, v->order);
    if (v->proof == PROOF_EXHAUSTED)
        buf_text(out, "; All states or execution graphs were visited. A solver has nothing to decide; heddle --check-certificate visits "
                      "them again.\n");
}

void certificate_script(Buf *out, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n && *text != ';') {
            buf_bytes(out, text, n);
            buf_char(out, '\n');
        }
        text += n + (text[n] != 0);
    }
}

/* ---- reading ---- */

typedef struct Reader {
    Certificate *certificate;
    Buf script, text;
    bool failed;
} Reader;

static Claim *last_claim(const Reader *r) {
    size_t n = vec_len(r->certificate->answers);
    CertifiedAnswer *a = n ? &r->certificate->answers[n - 1] : NULL;
    return a && vec_len(a->claims) ? &a->claims[vec_len(a->claims) - 1] : NULL;
}

static char *taken(Buf *b) {
    char *text = strdup(buf_string(b));
    buf_free(b);
    return text;
}

static void read_order(Claim *c) {
    for (char *at = c->text, *end; *at; at = end) {
        uint64_t n = strtoull(at, &end, 16);
        if (end == at) return;
        vec_push(c->order, n);
    }
}

static void end_claim(Reader *r) {
    Claim *c = last_claim(r);
    if (!c || c->text) return;
    c->text = taken(&r->text);
    if (c->proof == PROOF_ORDER) read_order(c);
}

static void end_answer(Reader *r) {
    size_t n = vec_len(r->certificate->answers);
    end_claim(r);
    if (n) r->certificate->answers[n - 1].script = taken(&r->script);
}

static void begin_claim(Reader *r, const char *line) {
    char proof[20], engine[40], key[200];
    Claim c = {.proof = PROOF_NONE};
    end_claim(r);
    r->failed |= !vec_len(r->certificate->answers) ||
                 sscanf(line, CLAIM "%19s by %39[^,], states %" SCNu64 ", of %199[^\n]", proof, engine, &c.states, key) != 4;
    if (r->failed) return;
    for (unsigned k = 0; k < WORDS; k++)
        if (!strcmp(words[k], proof)) c.proof = k;
    c.engine = strdup(engine);
    c.key = strdup(key);
    vec_push(r->certificate->answers[vec_len(r->certificate->answers) - 1].claims, c);
}

static bool begins(const char *line, const char *with) { return !strncmp(line, with, strlen(with)); }

static void read_line(Reader *r, const char *line) {
    if (begins(line, HEAD)) {
        end_answer(r);
        vec_push(r->certificate->answers, ((CertifiedAnswer){.property = strdup(line + strlen(HEAD))}));
    } else if (begins(line, CLAIM)) begin_claim(r, line);
    else if (begins(line, TEXT)) buf_printf(&r->text, "%s\n", line + strlen(TEXT));
    else if (*line && *line != ';') buf_printf(&r->script, "%s\n", line);
}

Certificate *certificate_parse(const char *name, const char *text, Buf *error) {
    Reader r = {.certificate = zeroed(1, sizeof *r.certificate)};
    Buf line = {0};
    while (*text) {
        size_t n = strcspn(text, "\n");
        buf_clear(&line);
        buf_bytes(&line, text, n);
        read_line(&r, buf_string(&line));
        text += n + (text[n] != 0);
    }
    end_answer(&r);
    buf_free(&line);
    buf_free(&r.text);
    buf_free(&r.script);
    if (!r.failed && vec_len(r.certificate->answers)) return r.certificate;
    buf_printf(error, MSG_RESULT_NO_CERTIFICATE, name);
    certificate_free(r.certificate);
    return NULL;
}

static void answer_free(CertifiedAnswer *a) {
    vec_each_at(Claim, c, a->claims) {
        free(c->engine);
        free(c->key);
        free(c->text);
        vec_free(c->order);
    }
    vec_free(a->claims);
    free(a->property);
    free(a->script);
}

void certificate_free(Certificate *c) {
    if (!c) return;
    vec_each_at(CertifiedAnswer, a, c->answers) answer_free(a);
    vec_free(c->answers);
    free(c);
}

/* ---- looking up ---- */

const CertifiedAnswer *certificate_answer(const Certificate *c, const char *property) {
    vec_each_at(const CertifiedAnswer, a, c->answers)
        if (!strcmp(a->property, property)) return a;
    return NULL;
}

const Claim *certificate_claim(const CertifiedAnswer *a, const char *key) {
    vec_each_at(const Claim, c, a->claims)
        if (!strcmp(c->key, key)) return c;
    return NULL;
}

Verdict *claim_verdict(const Claim *c) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = c->proof;
    if (c->proof == PROOF_EXHAUSTED) v->states = c->states;
    if (c->proof == PROOF_INVARIANT) v->sent = strdup(c->text);
    if (c->proof == PROOF_ORDER) v->order = vec_copy(c->order);
    return v;
}

size_t certificate_differs(const char *one, const char *other) {
    size_t line = 1;
    for (; *one && *one == *other; one++, other++) line += *one == '\n';
    return *one == *other ? 0 : line;
}
