/* SPDX-License-Identifier: Apache-2.0 */
/* Writes witnesses in the formats of the Competition on Software Verification. A violation is a sequence of waypoints (format 2.2, with threads),
   or an automaton in GraphML (1.0). A proof is a set of invariants (2.1). */
#include "base/file.h"
#include "base/sha256.h"
#include "base/version.h"
#include "output/report.h"
#include "output/waypoints.h"
#include "output/yml.h"
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Adds the property as the Competition writes it; valid-memsafety has a line for each part. */
static void put_formulas(Buf *out, const char *property) {
    static const struct {
        const char *property, *text;
    } list[] = {
        {"unreach-call", "G ! call(reach_error())"},
        {"no-data-race", "G ! data-race"},
        {"no-deadlock", "G ! deadlock"},
        {"valid-memsafety", "G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack"},
        {"valid-deref", "G valid-deref"},
        {"valid-free", "G valid-free"},
        {"valid-memtrack", "G valid-memtrack"},
        {"valid-memcleanup", "G valid-memcleanup"},
        {"no-overflow", "G ! overflow"},
        {"termination", "F end"},
    };
    size_t n = strcspn(property, ",");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strncmp(list[i].property, property, n) && !list[i].property[n])
            buf_printf(out, "CHECK( init(main()), LTL(%s) )", list[i].text);
    if (!property[n]) return;
    buf_char(out, '\n');
    put_formulas(out, property + n + 1);
}

static void hash_of(Buf *out, const char *path) {
    Buf text = {0}, error = {0};
    if (file_read(path, FILE_LLVM, &text, &error)) sha256_text(out, buf_string(&text), text.length);
    buf_free(&text);
    buf_free(&error);
}

static void put_uuid(Buf *out) {
    unsigned char b[16];
    if (getrandom(b, sizeof b, 0) != sizeof b) memset(b, 7, sizeof b);
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    for (unsigned i = 0; i < sizeof b; i++) buf_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

static void put_time(Buf *out) {
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    buf_text(out, text);
}

/* ---- YAML ---- */

static void put_task(Yml *y, const Report *r) {
    yml_key(y, "task");
    yml_map(y);
    yml_key(y, "input_files");
    yml_list(y);
    for (size_t i = 0; i < vec_len(r->files); i++) yml_string(y, r->files[i]);
    yml_list_end(y);
    yml_key(y, "input_file_hashes");
    yml_map(y);
    for (size_t i = 0; i < vec_len(r->files); i++) {
        Buf hash = {0};
        hash_of(&hash, r->files[i]);
        yml_string(y, r->files[i]);
        yml_string(y, buf_string(&hash));
        buf_free(&hash);
    }
    yml_map_end(y);
    Buf formulas = {0};
    put_formulas(&formulas, r->property);
    yml_put_string(y, "specification", buf_string(&formulas));
    buf_free(&formulas);
    yml_put_word(y, "data_model", r->data_model);
    yml_put_word(y, "language", "C");
    yml_map_end(y);
}

static void put_metadata(Yml *y, const Report *r, const char *version) {
    Buf uuid = {0}, now = {0};
    put_uuid(&uuid);
    put_time(&now);
    yml_key(y, "metadata");
    yml_map(y);
    yml_put_string(y, "format_version", version);
    yml_put_string(y, "uuid", buf_string(&uuid));
    yml_put_string(y, "creation_time", buf_string(&now));
    yml_key(y, "producer");
    yml_map(y);
    yml_put_string(y, "name", "Heddle");
    yml_put_string(y, "version", HEDDLE_VERSION);
    yml_map_end(y);
    put_task(y, r);
    yml_map_end(y);
    buf_free(&uuid);
    buf_free(&now);
}

static Yml *entry_begin(Buf *out, const Report *r, const char *type, const char *version) {
    Yml *y = yml_new(out);
    yml_list(y);
    yml_map(y);
    yml_put_word(y, "entry_type", type);
    put_metadata(y, r, version);
    yml_key(y, "content");
    return y;
}

static void entry_end(Yml *y) {
    yml_map_end(y);
    yml_list_end(y);
    yml_free(y);
}

static void put_location(Yml *y, Position p, const char *function) {
    yml_key(y, "location");
    yml_map(y);
    yml_put_string(y, "file_name", p.file);
    yml_put_number(y, "line", p.line);
    if (function) yml_put_string(y, "function", function);
    yml_map_end(y);
}

static void put_waypoint(Yml *y, const Waypoint *w) {
    static const char *const types[] = {[WAYPOINT_CREATE] = "function_enter",
                                        [WAYPOINT_INPUT] = "function_return",
                                        [WAYPOINT_ASSUME] = "assumption",
                                        [WAYPOINT_TARGET] = "target"};
    yml_map(y);
    yml_key(y, "waypoint");
    yml_map(y);
    yml_put_word(y, "type", types[w->kind]);
    yml_put_word(y, "action", "follow");
    yml_put_number(y, "thread_id", w->thread);
    put_location(y, w->position, w->function);
    if (w->constraint) {
        yml_key(y, "constraint");
        yml_map(y);
        yml_put_string(y, "value", w->constraint);
        yml_put_word(y, "format", w->kind == WAYPOINT_INPUT ? "ext_c_expression" : "c_expression");
        yml_map_end(y);
    }
    yml_map_end(y);
    yml_map_end(y);
}

/* Writes a segment for each waypoint. The two targets of a race share a segment. */
static void put_segments(Yml *y, const Waypoint *list) {
    yml_list(y);
    for (size_t i = 0; i < vec_len(list); i++) {
        yml_map(y);
        yml_key(y, "segment");
        yml_list(y);
        put_waypoint(y, &list[i]);
        while (list[i].kind == WAYPOINT_TARGET && i + 1 < vec_len(list)) put_waypoint(y, &list[++i]);
        yml_list_end(y);
        yml_map_end(y);
    }
    yml_list_end(y);
}

static bool is_race(const Report *r) { return r->verdict->trace && r->verdict->trace->end == TRACE_RACE; }

/* Adds a violation; nothing if it has no waypoints. */
static void violation_yaml(Buf *out, const Report *r) {
    Sources *sources = sources_new();
    Waypoint *list = waypoints_of(r->program, r->counterexample, sources, is_race(r));
    if (vec_len(list)) {
        Yml *y = entry_begin(out, r, "violation_sequence", "2.2");
        put_segments(y, list);
        entry_end(y);
    }
    waypoints_free(list);
    sources_free(sources);
}

static void put_spot(Yml *y, Spot s) { put_location(y, (Position){.file = s.file, .line = s.line}, s.function); }

static void put_formula(Yml *y, const char *text) {
    yml_put_string(y, "value", text);
    yml_put_word(y, "format", "c_expression");
}

static void put_ghost(Yml *y, const Ghost *g) {
    yml_map(y);
    yml_put_string(y, "name", g->name);
    yml_put_word(y, "scope", "global");
    yml_put_string(y, "type", g->type);
    yml_key(y, "initial");
    yml_map(y);
    put_formula(y, g->initial);
    yml_map_end(y);
    yml_map_end(y);
}

static void put_update(Yml *y, const GhostUpdate *u) {
    yml_map(y);
    put_spot(y, u->spot);
    yml_key(y, "updates");
    yml_list(y);
    yml_map(y);
    yml_put_string(y, "variable", u->variable);
    put_formula(y, u->text);
    yml_map_end(y);
    yml_list_end(y);
    yml_map_end(y);
}

static void ghosts_yaml(Buf *out, const Report *r) {
    const Witness *w = r->invariants;
    Yml *y = entry_begin(out, r, "ghost_instrumentation", "2.1");
    yml_map(y);
    yml_key(y, "ghost_variables");
    yml_list(y);
    for (size_t i = 0; i < vec_len(w->ghosts); i++) put_ghost(y, &w->ghosts[i]);
    yml_list_end(y);
    yml_key(y, "ghost_updates");
    yml_list(y);
    for (size_t i = 0; i < vec_len(w->updates); i++) put_update(y, &w->updates[i]);
    yml_list_end(y);
    yml_map_end(y);
    entry_end(y);
}

static void invariants_yaml(Buf *out, const Report *r) {
    const Invariant *list = r->invariants ? r->invariants->invariants : NULL;
    if (r->invariants && vec_len(r->invariants->ghosts)) ghosts_yaml(out, r);
    Yml *y = entry_begin(out, r, "invariant_set", "2.1");
    yml_list(y);
    for (size_t i = 0; i < vec_len(list); i++) {
        yml_map(y);
        yml_key(y, "invariant");
        yml_map(y);
        yml_put_word(y, "type", list[i].loop ? "loop_invariant" : "location_invariant");
        put_spot(y, list[i].spot);
        put_formula(y, list[i].text);
        yml_map_end(y);
        yml_map_end(y);
    }
    yml_list_end(y);
    entry_end(y);
}

/* ---- GraphML ---- */

static void put_escaped(Buf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '<') buf_text(out, "&lt;");
        else if (*text == '>') buf_text(out, "&gt;");
        else if (*text == '&') buf_text(out, "&amp;");
        else if (*text == '"') buf_text(out, "&quot;");
        else if ((unsigned char)*text >= ' ' || *text == '\n') buf_char(out, *text);
    }
}

static void put_data(Buf *out, const char *key, const char *value) {
    buf_printf(out, "   <data key=\"%s\">", key);
    put_escaped(out, value);
    buf_text(out, "</data>\n");
}

static void put_keys(Buf *out) {
    static const char *const graph[] = {"witness-type", "sourcecodelang", "producer",     "specification",
                                        "programfile",  "programhash",    "architecture", "creationtime"};
    static const char *const edge[] = {"startline",     "endline",    "threadId",         "createThread",
                                       "enterFunction", "assumption", "assumption.scope", "assumption.resultfunction"};
    static const char *const node[] = {"entry", "violation"};
    for (size_t i = 0; i < sizeof graph / sizeof *graph; i++)
        buf_printf(out, " <key id=\"%s\" attr.name=\"%s\" attr.type=\"string\" for=\"graph\"/>\n", graph[i], graph[i]);
    for (size_t i = 0; i < sizeof node / sizeof *node; i++)
        buf_printf(out, " <key id=\"%s\" attr.name=\"%s\" attr.type=\"boolean\" for=\"node\"><default>false</default></key>\n", node[i],
                   node[i]);
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
        buf_printf(out, " <key id=\"%s\" attr.name=\"%s\" attr.type=\"%s\" for=\"edge\"/>\n", edge[i], edge[i], i < 4 ? "int" : "string");
}

static void put_graph_data(Buf *out, const Report *r) {
    Buf hash = {0}, now = {0};
    hash_of(&hash, r->files[0]);
    put_time(&now);
    put_data(out, "witness-type", r->verdict->kind == VERDICT_UNSAFE ? "violation_witness" : "correctness_witness");
    put_data(out, "sourcecodelang", "C");
    put_data(out, "producer", "Heddle " HEDDLE_VERSION);
    Buf formulas = {0};
    put_formulas(&formulas, r->property);
    put_data(out, "specification", buf_string(&formulas));
    buf_free(&formulas);
    put_data(out, "programfile", r->files[0]);
    put_data(out, "programhash", buf_string(&hash));
    put_data(out, "architecture", strcmp(r->data_model, "ILP32") ? "64bit" : "32bit");
    put_data(out, "creationtime", buf_string(&now));
    buf_free(&hash);
    buf_free(&now);
}

static unsigned started_at(const TraceLine *m) {
    for (size_t i = 0; i < vec_len(m->events); i++)
        if (m->events[i].kind == ACCESS_CREATE) return m->events[i].thread;
    return 0;
}

static void put_edge(Buf *out, const Counterexample *s, size_t i) {
    const TraceLine *m = &s->moments[i];
    unsigned started = started_at(m);
    Buf number = {0};
    buf_printf(out, "  <edge source=\"N%zu\" target=\"N%zu\">\n", i, i + 1);
    if (m->position.line) {
        buf_printf(&number, "%u", m->position.line);
        put_data(out, "startline", buf_string(&number));
        put_data(out, "endline", buf_string(&number));
    }
    buf_clear(&number);
    buf_printf(&number, "%u", m->thread - 1);
    put_data(out, "threadId", buf_string(&number));
    buf_clear(&number);
    if (started) {
        buf_printf(&number, "%u", started - 1);
        put_data(out, "createThread", buf_string(&number));
    }
    buf_text(out, "  </edge>\n");
    buf_free(&number);
}

static void graphml_of(Buf *out, const Report *r) {
    size_t n = r->verdict->kind == VERDICT_UNSAFE ? vec_len(r->counterexample->moments) : 0;
    buf_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
                  "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
    put_keys(out);
    buf_text(out, " <graph edgedefault=\"directed\">\n");
    put_graph_data(out, r);
    for (size_t i = 0; i <= n; i++) {
        buf_printf(out, "  <node id=\"N%zu\">", i);
        if (!i) buf_text(out, "<data key=\"entry\">true</data>");
        if (n && i == n) buf_text(out, "<data key=\"violation\">true</data>");
        buf_text(out, "</node>\n");
    }
    for (size_t i = 0; i < n; i++) put_edge(out, r->counterexample, i);
    buf_text(out, " </graph>\n</graphml>\n");
}

void report_witness(Buf *out, const Report *r, bool graphml) {
    VerdictKind kind = r->verdict->kind;
    if (kind == VERDICT_UNKNOWN || (kind == VERDICT_UNSAFE && !r->counterexample)) return;
    if (graphml) graphml_of(out, r);
    else if (kind == VERDICT_UNSAFE) violation_yaml(out, r);
    else invariants_yaml(out, r);
}
