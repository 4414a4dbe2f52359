/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the answer as one JSON object. Integers of the program become strings, since they may be wider than JSON readers allow. */
#include "explain/jsons.h"
#include "output/messages.h"
#include "output/report.h"

static json_t *event_json(const TraceLineEvent *e) {
    static const char *const kinds[] = {
        [ACCESS_READ] = "read",   [ACCESS_WRITE] = "write", [ACCESS_LOCK] = "lock",     [ACCESS_UNLOCK] = "unlock",
        [ACCESS_ALLOC] = "alloc", [ACCESS_FREE] = "free",   [ACCESS_CREATE] = "create", [ACCESS_JOIN] = "join"};
    json_t *o = json_object();
    json_put(o, "kind", json_text(kinds[e->kind]));
    if (e->name) json_put(o, "name", json_text(e->name));
    if (e->value) json_put(o, "value", json_text(e->value));
    if (e->before) json_put(o, "before", json_text(e->before));
    if (e->does) json_put(o, "does", json_text(e->does));
    if (e->thread) json_put(o, "thread", json_integer(e->thread));
    json_put(o, "shared", json_boolean(e->shared));
    if (e->failed) json_put(o, "failed", json_true());
    if (e->exchange_fails) json_put(o, "failed", json_true());
    if (e->buffered) json_put(o, "buffered", json_true());
    if (e->arrives) json_put(o, "arrives", json_true());
    if (e->waits) json_put(o, e->kind == ACCESS_UNLOCK ? "waits" : "wakes", json_text(e->spurious ? "spuriously" : "yes"));
    if (e->input) json_put(o, "input", json_true());
    if (e->uninitialised) json_put(o, "uninitialised", json_true());
    return o;
}

static json_t *moment_json(const TraceLine *m) {
    json_t *o = json_object(), *events = json_array();
    json_put(o, "thread", json_integer(m->thread));
    json_put_position(o, m->position);
    if (m->function) json_put(o, "function", json_text(m->function));
    if (m->callers) json_put(o, "callers", json_text(m->callers));
    if (m->folded) json_put(o, "folded", json_integer((json_int_t)m->folded));
    if (m->atomic) json_put(o, "atomic", json_true());
    for (size_t i = 0; i < vec_len(m->events); i++) json_add(events, event_json(&m->events[i]));
    json_put(o, "accesses", events);
    return o;
}

static json_t *waits_json(const Counterexample *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < vec_len(s->waits); i++) {
        json_t *o = json_object();
        json_put(o, "thread", json_integer(s->waits[i].thread));
        json_put(o, "for", json_text(s->waits[i].what));
        json_put_position(o, s->waits[i].position);
        json_add(list, o);
    }
    return list;
}

static json_t *trace_json(const Counterexample *s) {
    json_t *o = json_object(), *threads = json_array(), *steps = json_array(), *error = json_object();
    for (size_t i = 0; i < vec_len(s->threads); i++) json_add(threads, json_text(s->threads[i]));
    for (size_t i = 0; i < vec_len(s->moments); i++) json_add(steps, moment_json(&s->moments[i]));
    json_put(o, "threads", threads);
    json_put(o, "steps", steps);
    json_put(o, "switches", json_integer((json_int_t)s->switches));
    if (s->endless) json_put(o, "loop", json_integer((json_int_t)s->loop));
    if (s->racing) json_put(o, "racing", json_integer((json_int_t)s->racing - 1));
    if (s->racing && !s->first_thread) json_put(o, "meet", json_true());
    if (vec_len(s->waits)) json_put(o, "waits", waits_json(s));
    json_put(error, "text", json_text(s->error ? s->error : MSG_OUTPUT_VIOLATED));
    json_put_position(error, s->position);
    if (vec_len(s->details)) {
        json_t *details = json_array();
        for (size_t i = 0; i < vec_len(s->details); i++) json_add(details, json_text(s->details[i]));
        json_put(error, "details", details);
    }
    json_put(o, "error", error);
    return o;
}

static json_t *stats_json(const Stats *s) {
    json_t *o = json_object();
#define STAT(name, text) json_put(o, #name, json_integer((json_int_t)s->name));
#include "base/stats.def"
#undef STAT
    return o;
}

static json_t *approximations_json(const Program *p) {
    static const char *const kinds[] = {
        [APPROX_OVER] = "over", [APPROX_UNDER] = "under", [APPROX_UNSUPPORTED] = "unsupported", [APPROX_ASSUMED] = "assumed"};
    json_t *list = json_array();
    vec_each_at(const Approximation, a, p->approximations) {
        json_t *o = json_object();
        json_put(o, "kind", json_text(kinds[a->kind]));
        json_put_message(o, a->text);
        if (a->function) json_put(o, "function", json_text(a->function));
        json_put_position(o, a->position);
        json_add(list, o);
    }
    return list;
}

static json_t *reason_json(const Verdict *v) {
    json_t *o = json_object();
    json_put_message(o, v->reason);
    json_put_position(o, v->position);
    return o;
}

/* Adds a note and, at the same index, its code. */
static void add_note(json_t *o, const char *note) {
    json_add(json_object_get(o, "notes"), json_message(note));
    json_add(json_object_get(o, "note_codes"), json_code(note));
}

static void put_notes(json_t *o, const Verdict *v) {
    json_put(o, "notes", json_array());
    json_put(o, "note_codes", json_array());
    for (size_t i = 0; i < vec_len(v->warnings); i++) add_note(o, v->warnings[i]);
    for (size_t i = 0; i < vec_len(v->notes); i++) add_note(o, v->notes[i]);
}

static json_t *report_object(const Report *r) {
    json_t *o = json_object(), *files = json_array();
    const Verdict *v = r->verdict;
    for (size_t i = 0; i < vec_len(r->files); i++) json_add(files, json_text(r->files[i]));
    json_put(o, "verdict", json_text(verdict_word(v->kind)));
    if (r->standing) json_put(o, "witness", json_text(r->standing));
    json_put(o, "property", json_text(r->property));
    if (r->part) json_put(o, "part", json_text(r->part));
    json_put(o, "files", files);
    json_put(o, "data_model", json_text(r->data_model));
    if (r->memory_model) json_put(o, "memory_model", json_text(r->memory_model));
    json_put(o, "engine", json_text(r->engine));
    json_put(o, "seconds", json_real(r->seconds));
    if (r->assuming) json_put(o, "assuming", json_text(r->assuming));
    if (v->kind == VERDICT_UNKNOWN) json_put(o, "reason", reason_json(v));
    if (v->kind == VERDICT_SAFE && v->proof == PROOF_EXHAUSTED) json_put(o, "states", json_integer((json_int_t)v->states));
    if (v->kind == VERDICT_SAFE && (v->proof == PROOF_INVARIANT || v->proof == PROOF_RACE_FREE || v->proof == PROOF_ORDER))
        json_put(o, "obligations", json_integer((json_int_t)v->obligations));
    if (v->kind == VERDICT_SAFE && v->invariants && *v->invariants) json_put(o, "invariants", json_text(v->invariants));
    if (r->counterexample) json_put(o, "trace", trace_json(r->counterexample));
    put_notes(o, v);
    if (r->program) json_put(o, "approximations", approximations_json(r->program));
    json_put(o, "stats", stats_json(r->stats));
    return o;
}

/* Proofs with guarantees have the data of the page as well. */
void report_json(Buf *out, const Report *r) {
    json_t *o = report_object(r), *view = r->verdict->view ? json_loads(r->verdict->view, 0, NULL) : NULL;
    if (view && json_object_get(view, "guarantees")) json_put(o, "proof", json_incref(view));
    json_decref(view);
    json_finish(out, o, JSON_INDENT(2));
}

void report_json_note(Buf *objects, const char *note) {
    Buf list = {0};
    buf_printf(&list, "[%s]", buf_string(objects));
    json_t *all = json_loads(buf_string(&list), 0, NULL);
    size_t n = json_array_size(all);
    if (n) {
        add_note(json_array_get(all, n - 1), note);
        objects->length = 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (i) objects->text[objects->length - 1] = ',', buf_char(objects, '\n'); /* replaces the end of the line */
        json_finish(objects, json_incref(json_array_get(all, i)), JSON_INDENT(2));
    }
    json_decref(all);
    buf_free(&list);
}

/* Keeps only the last steps, so that browsers can open the page. */
static void cut_steps(json_t *o) {
    enum { MOST_STEPS = 4000 };
    json_t *trace = json_object_get(o, "trace"), *steps = json_object_get(trace, "steps");
    size_t n = json_array_size(steps), cut = n > MOST_STEPS ? n - MOST_STEPS : 0;
    if (!cut) return;
    json_t *kept = json_array();
    for (size_t i = cut; i < n; i++) json_add(kept, json_incref(json_array_get(steps, i)));
    json_put(trace, "steps", kept);
    json_put(trace, "cut", json_integer((json_int_t)cut));
}

void report_view(Buf *out, const Report *r) {
    json_t *o = report_object(r);
    Buf why = {0};
    report_why(&why, r);
    if (why.length) json_put(o, "why", json_text(buf_string(&why)));
    buf_free(&why);
    cut_steps(o);
    if (r->verdict->view) {
        json_put(o, "proof", json_loads(r->verdict->view, 0, NULL));
        json_object_del(o, "invariants");
    }
    json_finish(out, o, JSON_COMPACT);
}
