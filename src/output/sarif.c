/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the answer as a SARIF 2.1.0 log. Viewers show only the first thread flow of the first code flow. So this flow is the whole interleaving,
   with the thread in each message. The second code flow has a flow for each thread; executionOrder joins them. */
#include "base/map.h"
#include "base/message.h"
#include "base/version.h"
#include "explain/events.h"
#include "explain/jsons.h"
#include "output/messages.h"
#include "output/report.h"
#include "output/source.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_MOMENTS = 4000 }; /* forges refuse results of more than 10,000 locations; the last lines are kept */

static const struct {
    const char *property, *text;
} rules[] = {
    {"unreach-call", MSG_OUTPUT_RULE_UNREACH_CALL}, {"no-data-race", MSG_OUTPUT_RULE_NO_DATA_RACE},
    {"no-deadlock", MSG_OUTPUT_RULE_NO_DEADLOCK},   {"valid-memsafety", MSG_OUTPUT_RULE_VALID_MEMSAFETY},
    {"no-overflow", MSG_OUTPUT_RULE_NO_OVERFLOW},   {"termination", MSG_OUTPUT_RULE_TERMINATION},
};
enum { NRULES = sizeof rules / sizeof *rules };

typedef struct Sarif {
    const Report *report;
    Sources *sources;
} Sarif;

static json_t *message(const char *text) {
    json_t *o = json_object();
    json_put(o, "text", json_text(text));
    return o;
}

/* ---- places ---- */

static json_t *file_location(const char *file) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    json_t *o = json_object();
    Buf uri = {0};
    if (*file == '/') buf_text(&uri, "file://");
    else if (!strncmp(file, "./", 2)) file += 2;
    for (; *file; file++)
        if (strchr(plain, *file)) buf_char(&uri, *file);
        else buf_printf(&uri, "%%%02X", (unsigned char)*file);
    json_put(o, "uri", json_text(buf_string(&uri)));
    buf_free(&uri);
    return o;
}

/* Returns the column in characters, as SARIF requires; clang counts bytes. Returns 0 if the line has no such column: the position may belong to the
   text before preprocessing. */
static unsigned column_of(const char *line, size_t length, Position p) {
    unsigned column = p.column;
    if (!line) return column;
    if (p.column > length + 1) return 0;
    for (size_t i = 0; i + 1 < p.column; i++) column -= ((unsigned char)line[i] & 0xc0) == 0x80;
    return column;
}

static json_t *physical(const Sarif *s, Position p) {
    json_t *o = json_object();
    json_put(o, "artifactLocation", file_location(p.file));
    if (!p.line) return o;
    json_t *region = json_object();
    size_t length;
    const char *line = source_bytes(s->sources, p, &length);
    unsigned column = column_of(line, length, p);
    json_put(region, "startLine", json_integer(p.line));
    if (column) json_put(region, "startColumn", json_integer(column));
    if (line && length <= SOURCE_LINE) { /* whole lines only */
        Buf text = {0};
        buf_bytes(&text, line, length);
        json_put(region, "snippet", message(buf_string(&text)));
        buf_free(&text);
    }
    json_put(o, "region", region);
    return o;
}

static json_t *location(const Sarif *s, Position p, const char *function, const char *text) {
    json_t *o = json_object();
    if (p.file) json_put(o, "physicalLocation", physical(s, p));
    if (function) {
        json_t *list = json_array(), *l = json_object();
        json_put(l, "name", json_text(function));
        json_put(l, "kind", json_text("function"));
        json_add(list, l);
        json_put(o, "logicalLocations", list);
    }
    if (text) json_put(o, "message", message(text));
    return o;
}

/* ---- the trace ---- */

static const char *kind_of(const TraceLineEvent *e) {
    switch (e->kind) {
    case ACCESS_LOCK: return "acquire";
    case ACCESS_UNLOCK: return "release";
    case ACCESS_CREATE: return "call";
    default: return NULL;
    }
}

static json_t *kinds_of(const TraceLine *m) {
    json_t *list = json_array();
    const char *last = NULL;
    for (size_t i = 0; i < vec_len(m->events); i++) {
        const char *kind = kind_of(&m->events[i]);
        if (kind && kind != last) json_add(list, json_text(kind));
        if (kind) last = kind;
    }
    return list;
}

/* Returns the values read or written in a line. */
static json_t *state_of(const TraceLine *m) {
    json_t *o = json_object();
    vec_each_at(const TraceLineEvent, e, m->events) {
        if (!e->name || !e->value || (e->kind != ACCESS_READ && e->kind != ACCESS_WRITE)) continue;
        json_t *name = json_text(e->name);
        json_put(o, json_string_value(name), message(e->value));
        json_decref(name);
    }
    return o;
}

static void moment_text(const Counterexample *s, Buf *out, const TraceLine *m, bool last) {
    buf_printf(out, "%s: ", counterexample_thread(s, m->thread));
    size_t before = out->length;
    line_events(s, out, m);
    if (last) buf_printf(out, "%s%s", out->length > before ? "; " : "", s->error ? s->error : MSG_OUTPUT_VIOLATED);
    else if (out->length == before) buf_text(out, "is here");
}

static json_t *flow_location(const Sarif *s, size_t i) {
    const Counterexample *counterexample = s->report->counterexample;
    const TraceLine *m = &counterexample->moments[i];
    bool last = i + 1 == vec_len(counterexample->moments), switches = i && counterexample->moments[i - 1].thread != m->thread;
    json_t *o = json_object(), *kinds = kinds_of(m), *state = state_of(m);
    Buf text = {0};
    moment_text(counterexample, &text, m, last);
    json_put(o, "location", location(s, m->position, m->function, buf_string(&text)));
    json_put(o, "executionOrder", json_integer((json_int_t)i + 1));
    json_put(o, "importance", json_text(last || switches ? "essential" : "important"));
    if (json_array_size(kinds)) json_put(o, "kinds", kinds);
    else json_decref(kinds);
    if (json_object_size(state)) json_put(o, "state", state);
    else json_decref(state);
    buf_free(&text);
    return o;
}

/* Returns the index of the first line that is kept. */
static size_t first_moment(const Counterexample *s) {
    size_t n = s ? vec_len(s->moments) : 0;
    return n > MOST_MOMENTS ? n - MOST_MOMENTS : 0;
}

/* Returns the lines of a thread, or of all threads for 0. NULL: it has no lines. */
static json_t *thread_flow(const Sarif *s, unsigned thread) {
    const Counterexample *counterexample = s->report->counterexample;
    json_t *o = json_object(), *list = json_array();
    for (size_t i = first_moment(counterexample); i < vec_len(counterexample->moments); i++)
        if (!thread || counterexample->moments[i].thread == thread) json_add(list, flow_location(s, i));
    bool empty = !json_array_size(list);
    json_put(o, "id", json_text(thread ? counterexample_thread(counterexample, thread) : "all threads"));
    json_put(o, "locations", list);
    if (!empty) return o;
    json_decref(o);
    return NULL;
}

static void put_left_out(Buf *out, const Counterexample *s) {
    size_t cut = first_moment(s);
    if (cut) buf_printf(out, " (the first %zu of its %zu steps are left out)", cut, vec_len(s->moments));
}

static json_t *code_flow(const Sarif *s, bool by_thread) {
    json_t *o = json_object(), *flows = json_array();
    unsigned last = by_thread ? (unsigned)vec_len(s->report->counterexample->threads) : 0;
    for (unsigned t = by_thread; t <= last; t++) {
        json_t *flow = thread_flow(s, t);
        if (flow) json_add(flows, flow);
    }
    Buf text = {0};
    buf_text(&text, by_thread ? "the same execution, thread by thread" : "an execution, in the order of its steps");
    put_left_out(&text, s->report->counterexample);
    json_put(o, "message", message(buf_string(&text)));
    json_put(o, "threadFlows", flows);
    buf_free(&text);
    return o;
}

static json_t *code_flows(const Sarif *s) {
    json_t *list = json_array();
    json_add(list, code_flow(s, false));
    json_add(list, code_flow(s, true));
    return list;
}

/* ---- the result ---- */

static Position place_of(const Report *r) {
    if (r->counterexample && r->counterexample->position.file) return r->counterexample->position;
    if (r->verdict->position.file) return r->verdict->position;
    return (Position){.file = vec_len(r->files) ? r->files[0] : NULL};
}

/* Returns the function at the place if the last line of the counterexample is at this place; otherwise NULL. */
static const char *function_at(const Report *r, Position at) {
    size_t n = r->counterexample ? vec_len(r->counterexample->moments) : 0;
    const TraceLine *last = n ? &r->counterexample->moments[n - 1] : NULL;
    bool there = last && last->position.line == at.line && last->position.file && at.file && !strcmp(last->position.file, at.file);
    return there ? last->function : NULL;
}

/* Adds a message without its code. */
static void put_message(Buf *out, const char *message) { buf_bytes(out, message, message_length(message)); }

static void result_text(const Report *r, Buf *out) {
    const Verdict *v = r->verdict;
    buf_printf(out, "%s (%s)", r->standing ? r->standing : verdict_word(v->kind), r->property);
    if (v->kind == VERDICT_UNSAFE && r->counterexample)
        buf_printf(out, ": %s", r->counterexample->error ? r->counterexample->error : MSG_OUTPUT_VIOLATED);
    if (v->kind == VERDICT_UNSAFE && r->counterexample) {
        size_t threads = vec_len(r->counterexample->threads), switches = r->counterexample->switches;
        buf_printf(out, ", in an execution with %zu thread%s and %zu context switch%s", threads, threads == 1 ? "" : "s", switches,
                   switches == 1 ? "" : "es");
        put_left_out(out, r->counterexample);
    }
    if (v->kind == VERDICT_UNKNOWN) {
        buf_text(out, ": ");
        put_message(out, v->reason ? v->reason : MSG_OUTPUT_NO_REASON);
    }
    if (r->assuming) buf_printf(out, ", %s", r->assuming);
    buf_text(out, v->kind == VERDICT_SAFE ? ". " : ".");
    report_why(out, r);
    for (size_t i = 0; r->counterexample && i < vec_len(r->counterexample->details); i++)
        buf_printf(out, "\n%s", r->counterexample->details[i]);
    for (size_t i = 0; i < vec_len(v->warnings); i++) {
        buf_char(out, '\n');
        put_message(out, v->warnings[i]);
    }
    for (size_t i = 0; i < vec_len(v->notes); i++) {
        buf_char(out, '\n');
        put_message(out, v->notes[i]);
    }
}

/* Adds a message without the numbers of lines. */
static void put_without_lines(Buf *out, const char *text) {
    while (*text) {
        size_t digits = *text == ':' ? strspn(text + 1, "0123456789") : 0;
        if (digits) text += 1 + digits;
        else buf_char(out, *text++);
    }
}

/* Hashes the text of the line instead of its number, so that a violation keeps its fingerprint when lines around it move. */
static json_t *fingerprints(const Sarif *s, Position at) {
    const Report *r = s->report;
    const char *line = source_trimmed(s->sources, at);
    Buf text = {0}, hash = {0};
    buf_printf(&text, "%s|%s|%s|", r->property, at.file ? at.file : "", line ? line : "");
    if (r->counterexample && r->counterexample->error) put_without_lines(&text, r->counterexample->error);
    buf_printf(&hash, "%016" PRIx64, hash_bytes(text.text, text.length, 1));
    json_t *o = json_object();
    json_put(o, "heddleViolation/v1", json_text(buf_string(&hash)));
    buf_free(&text);
    buf_free(&hash);
    return o;
}

static unsigned rule_of(const char *property) {
    for (unsigned i = 0; i < NRULES; i++)
        if (!strcmp(rules[i].property, property)) return i;
    return NRULES;
}

/* Returns the codes of the notes in the message, in order. */
static json_t *note_codes(const Verdict *v) {
    json_t *list = json_array();
    for (size_t i = 0; i < vec_len(v->warnings); i++) json_add(list, json_code(v->warnings[i]));
    for (size_t i = 0; i < vec_len(v->notes); i++) json_add(list, json_code(v->notes[i]));
    return list;
}

static json_t *properties_of(const Report *r) {
    json_t *o = json_object(), *code = json_code(r->verdict->reason), *codes = note_codes(r->verdict);
    json_put(o, "verdict", json_text(verdict_word(r->verdict->kind)));
    if (r->standing) json_put(o, "witness", json_text(r->standing));
    json_put(o, "engine", json_text(r->engine));
    json_put(o, "dataModel", json_text(r->data_model));
    json_put(o, "seconds", json_real(r->seconds));
    if (json_is_string(code)) json_put(o, "code", json_incref(code));
    if (json_array_size(codes)) json_put(o, "noteCodes", json_incref(codes));
    json_decref(code);
    json_decref(codes);
    if (first_moment(r->counterexample)) json_put(o, "stepsLeftOut", json_integer((json_int_t)first_moment(r->counterexample)));
    return o;
}

static json_t *result_json(const Sarif *s) {
    static const char *const kinds[] = {[VERDICT_SAFE] = "pass", [VERDICT_UNSAFE] = "fail", [VERDICT_UNKNOWN] = "open"};
    const Report *r = s->report;
    VerdictKind kind = r->verdict->kind;
    Position at = place_of(r);
    json_t *o = json_object(), *places = json_array();
    Buf text = {0};
    result_text(r, &text);
    const char *rule = strncmp(r->property, "valid-", 6) ? r->property : "valid-memsafety"; /* the property may be one of its parts */
    json_put(o, "ruleId", json_text(rule));
    if (rule_of(rule) < NRULES) json_put(o, "ruleIndex", json_integer(rule_of(rule)));
    json_put(o, "kind", json_text(kinds[kind]));
    json_put(o, "level", json_text(kind == VERDICT_UNSAFE ? "error" : "none"));
    json_put(o, "message", message(buf_string(&text)));
    size_t n = r->counterexample ? vec_len(r->counterexample->moments) : 0;
    json_add(places, location(s, at, function_at(r, at), NULL));
    json_put(o, "locations", places);
    if (n) json_put(o, "codeFlows", code_flows(s));
    json_put(o, "partialFingerprints", fingerprints(s, at));
    json_put(o, "properties", properties_of(r));
    buf_free(&text);
    return o;
}

/* ---- the log ---- */

static json_t *tool_json(void) {
    json_t *tool = json_object(), *driver = json_object(), *list = json_array();
    for (unsigned i = 0; i < NRULES; i++) {
        json_t *rule = json_object();
        json_put(rule, "id", json_text(rules[i].property));
        json_put(rule, "shortDescription", message(rules[i].text));
        json_add(list, rule);
    }
    json_put(driver, "name", json_text("Heddle"));
    json_put(driver, "version", json_text(HEDDLE_VERSION));
    json_put(driver, "rules", list);
    json_put(tool, "driver", driver);
    return tool;
}

static json_t *log_json(json_t *results, json_t *artifacts) {
    json_t *o = json_object(), *runs = json_array(), *run = json_object(), *invocations = json_array(), *invocation = json_object();
    json_put(invocation, "executionSuccessful", json_true());
    json_add(invocations, invocation);
    json_put(run, "tool", tool_json());
    json_put(run, "invocations", invocations);
    json_put(run, "columnKind", json_text("unicodeCodePoints"));
    json_put(run, "artifacts", artifacts);
    json_put(run, "results", results);
    json_add(runs, run);
    json_put(o, "$schema", json_text("https://json.schemastore.org/sarif-2.1.0.json"));
    json_put(o, "version", json_text("2.1.0"));
    json_put(o, "runs", runs);
    return o;
}

void report_sarif(Buf *out, const Report *r) {
    Sarif s = {.report = r, .sources = sources_new()};
    json_t *results = json_array(), *artifacts = json_array();
    for (size_t i = 0; i < vec_len(r->files); i++) {
        json_t *a = json_object();
        json_put(a, "location", file_location(r->files[i]));
        json_add(artifacts, a);
    }
    json_add(results, result_json(&s));
    json_finish(out, log_json(results, artifacts), JSON_INDENT(1));
    sources_free(s.sources);
}

void sarif_join(Buf *out, const Buf *const *logs, size_t n) {
    json_t *results = json_array(), *artifacts = NULL;
    for (size_t i = 0; i < n; i++) {
        json_t *log = json_loads(buf_string(logs[i]), 0, NULL), *run = json_array_get(json_object_get(log, "runs"), 0);
        json_array_extend(results, json_object_get(run, "results"));
        if (!artifacts) artifacts = json_incref(json_object_get(run, "artifacts"));
        json_decref(log);
    }
    json_finish(out, log_json(results, artifacts ? artifacts : json_array()), JSON_INDENT(1));
}
