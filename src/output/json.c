/* SPDX-License-Identifier: Apache-2.0 */
/* The report as one JSON object. Integers of the program are strings: they may be wider than JSON readers allow. */
#include "base/die.h"
#include "base/vec.h"
#include "output/report.h"
#include <jansson.h>

static void put(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value)) lack("out of memory");
}

/* Text that is not UTF-8 (a file's name may be anything) loses the bytes that are not ASCII. */
static json_t *string(const char *text) {
    if (!text) return json_null();
    json_t *s = json_string(text);
    if (s) return s;
    Buf ascii = {0};
    for (; *text; text++) buf_char(&ascii, (unsigned char)*text < 0x80 ? *text : '?');
    s = json_string(buf_string(&ascii));
    buf_free(&ascii);
    return s;
}

static void put_position(json_t *object, Position p) {
    if (!p.file) return;
    put(object, "file", string(p.file));
    put(object, "line", json_integer(p.line));
    if (p.column) put(object, "column", json_integer(p.column));
}

static json_t *event_json(const StoryEvent *e) {
    static const char *const kinds[] = {
        [ACCESS_READ] = "read",   [ACCESS_WRITE] = "write", [ACCESS_LOCK] = "lock",     [ACCESS_UNLOCK] = "unlock",
        [ACCESS_ALLOC] = "alloc", [ACCESS_FREE] = "free",   [ACCESS_CREATE] = "create", [ACCESS_JOIN] = "join"};
    json_t *o = json_object();
    put(o, "kind", string(kinds[e->kind]));
    if (e->name) put(o, "name", string(e->name));
    if (e->value) put(o, "value", string(e->value));
    if (e->before) put(o, "before", string(e->before));
    if (e->thread) put(o, "thread", json_integer(e->thread));
    put(o, "shared", json_boolean(e->shared));
    if (e->failed) put(o, "failed", json_true());
    if (e->exchange_fails) put(o, "failed", json_true());
    if (e->waits) put(o, e->kind == ACCESS_UNLOCK ? "waits" : "wakes", string(e->spurious ? "spuriously" : "yes"));
    if (e->input) put(o, "input", json_true());
    if (e->uninitialised) put(o, "uninitialised", json_true());
    return o;
}

static json_t *moment_json(const StoryMoment *m) {
    json_t *o = json_object(), *events = json_array();
    put(o, "thread", json_integer(m->thread));
    put_position(o, m->position);
    if (m->function) put(o, "function", string(m->function));
    if (m->callers) put(o, "callers", string(m->callers));
    if (m->atomic) put(o, "atomic", json_true());
    for (size_t i = 0; i < vec_len(m->events); i++) json_array_append_new(events, event_json(&m->events[i]));
    put(o, "accesses", events);
    return o;
}

static json_t *trace_json(const Story *s) {
    json_t *o = json_object(), *threads = json_array(), *steps = json_array(), *error = json_object();
    for (size_t i = 0; i < vec_len(s->threads); i++) json_array_append_new(threads, string(s->threads[i]));
    for (size_t i = 0; i < vec_len(s->moments); i++) json_array_append_new(steps, moment_json(&s->moments[i]));
    put(o, "threads", threads);
    put(o, "steps", steps);
    put(o, "switches", json_integer((json_int_t)s->switches));
    put(error, "text", string(s->error));
    put_position(error, s->position);
    if (vec_len(s->details)) {
        json_t *details = json_array();
        for (size_t i = 0; i < vec_len(s->details); i++) json_array_append_new(details, string(s->details[i]));
        put(error, "details", details);
    }
    put(o, "error", error);
    return o;
}

static json_t *stats_json(const Stats *s) {
    json_t *o = json_object();
#define STAT(name, text) put(o, #name, json_integer((json_int_t)s->name));
#include "base/stats.def"
#undef STAT
    return o;
}

static json_t *approximations_json(const Program *p) {
    static const char *const kinds[] = {
        [APPROX_OVER] = "over", [APPROX_UNDER] = "under", [APPROX_UNSUPPORTED] = "unsupported", [APPROX_ASSUMED] = "assumed"};
    json_t *list = json_array();
    for (size_t i = 0; i < vec_len(p->approximations); i++) {
        const Approximation *a = &p->approximations[i];
        json_t *o = json_object();
        put(o, "kind", string(kinds[a->kind]));
        put(o, "text", string(a->text));
        if (a->function) put(o, "function", string(a->function));
        put_position(o, a->position);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *reason_json(const Verdict *v) {
    json_t *o = json_object();
    put(o, "text", string(v->reason));
    put_position(o, v->position);
    return o;
}

void report_json(FILE *out, const Report *r) {
    json_t *o = json_object(), *files = json_array(), *notes = json_array();
    const Verdict *v = r->verdict;
    for (size_t i = 0; i < vec_len(r->files); i++) json_array_append_new(files, string(r->files[i]));
    for (size_t i = 0; i < vec_len(v->warnings); i++) json_array_append_new(notes, string(v->warnings[i]));
    for (size_t i = 0; i < vec_len(v->notes); i++) json_array_append_new(notes, string(v->notes[i]));
    put(o, "verdict", string(verdict_word(v->kind)));
    put(o, "property", string(r->property));
    put(o, "files", files);
    put(o, "data_model", string(r->data_model));
    put(o, "engine", string(r->engine));
    put(o, "seconds", json_real(r->seconds));
    if (r->assuming) put(o, "assuming", string(r->assuming));
    if (v->kind == VERDICT_UNKNOWN) put(o, "reason", reason_json(v));
    if (v->kind == VERDICT_SAFE && v->proof == PROOF_EXHAUSTED) put(o, "states", json_integer((json_int_t)v->states));
    if (v->kind == VERDICT_SAFE && v->proof == PROOF_INVARIANT) put(o, "obligations", json_integer((json_int_t)v->obligations));
    if (r->story) put(o, "trace", trace_json(r->story));
    put(o, "notes", notes);
    if (r->program) put(o, "approximations", approximations_json(r->program));
    put(o, "stats", stats_json(r->stats));
    json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(o);
}
