/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "witness/messages.h"
#include "witness/witness.h"
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct Reader {
    yaml_document_t *document;
    Witnesses *into;
    const char *path;
    Buf *error;
} Reader;

typedef yaml_node_t Node;

static bool refuse(Reader *r, const Node *at, const char *what) {
    if (!r->error->length) buf_line(r->error, MSG_WITNESS_NOT_A_WITNESS, r->path, at ? at->start_mark.line + 1 : (size_t)1, what);
    return false;
}

/* ---- YAML ---- */

static Node *member(Reader *r, Node *map, const char *key) {
    if (!map || map->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
        Node *k = yaml_document_get_node(r->document, p->key);
        if (k && k->type == YAML_SCALAR_NODE && !strcmp((char *)k->data.scalar.value, key))
            return yaml_document_get_node(r->document, p->value);
    }
    return NULL;
}

static const char *text_of(const Reader *r, const Node *n) {
    return n && n->type == YAML_SCALAR_NODE ? arena_strdup(r->into->arena, (const char *)n->data.scalar.value) : NULL;
}

static const char *text_at(Reader *r, Node *map, const char *key) { return text_of(r, member(r, map, key)); }

static size_t items(const Node *n) {
    return n && n->type == YAML_SEQUENCE_NODE ? (size_t)(n->data.sequence.items.top - n->data.sequence.items.start) : 0;
}

static Node *item(Reader *r, Node *n, size_t i) { return yaml_document_get_node(r->document, n->data.sequence.items.start[i]); }

static bool number_at(Reader *r, Node *map, const char *key, unsigned *number) {
    Node *n = member(r, map, key);
    const char *text = text_of(r, n);
    char *end;
    if (!n) return true;
    unsigned long v = text ? strtoul(text, &end, 10) : 0;
    if (!text || !*text || *text == '-' || *end || v > 1000000000) return refuse(r, n, MSG_WITNESS_NO_NUMBER);
    *number = (unsigned)v;
    return true;
}

static bool spot_at(Reader *r, Node *map, Spot *spot) {
    Node *n = member(r, map, "location");
    if (!n) return refuse(r, map, MSG_WITNESS_NO_LOCATION);
    *spot = (Spot){.file = text_at(r, n, "file_name"), .function = text_at(r, n, "function")};
    if (!number_at(r, n, "line", &spot->line) || !number_at(r, n, "column", &spot->column)) return false;
    return spot->line || refuse(r, n, MSG_WITNESS_NO_LINE);
}

/* ---- violations ---- */

static bool read_waypoint(Reader *r, Witness *w, Node *n, unsigned segment, bool threads) {
    static const char *const types[] = {[CLAIMED_ASSUME] = "assumption",
                                        [CLAIMED_BRANCH] = "branching",
                                        [CLAIMED_ENTER] = "function_enter",
                                        [CLAIMED_RETURN] = "function_return",
                                        [CLAIMED_TARGET] = "target"};
    Node *inner = member(r, n, "waypoint");
    const char *type = text_at(r, inner, "type"), *action = text_at(r, inner, "action");
    ClaimedWaypoint way = {.segment = segment, .constraint = text_at(r, member(r, inner, "constraint"), "value")};
    if (!inner || !type) return refuse(r, n, MSG_WITNESS_NO_WAYPOINT);
    if (!action || strcmp(action, "follow")) return refuse(r, inner, MSG_WITNESS_WAYPOINT_ACTION);
    unsigned k = 0;
    while (k <= CLAIMED_TARGET && strcmp(types[k], type)) k++;
    if (k > CLAIMED_TARGET) return refuse(r, inner, MSG_WITNESS_WAYPOINT_TYPE);
    way.kind = (ClaimedWaypointKind)k;
    way.any_thread = !threads && !member(r, inner, "thread_id");
    if (!number_at(r, inner, "thread_id", &way.thread) || !spot_at(r, inner, &way.spot)) return false;
    if (!way.constraint && (way.kind == CLAIMED_ASSUME || way.kind == CLAIMED_RETURN)) return refuse(r, inner, MSG_WITNESS_NO_CONSTRAINT);
    vec_push(w->ways, way);
    return true;
}

/* threads: a waypoint without a thread is one of main, as of format 2.2. Before, threads have no numbers. */
static bool read_segments(Reader *r, Witness *w, Node *content, bool threads) {
    for (unsigned i = 0; i < items(content); i++) {
        Node *segment = member(r, item(r, content, i), "segment");
        if (!items(segment)) return refuse(r, content, MSG_WITNESS_NO_SEGMENT);
        for (size_t k = 0; k < items(segment); k++)
            if (!read_waypoint(r, w, item(r, segment, k), i, threads)) return false;
    }
    if (!vec_len(w->ways) || vec_last(w->ways).kind != CLAIMED_TARGET) return refuse(r, content, MSG_WITNESS_LAST_WAYPOINT);
    for (size_t i = 0; i < vec_len(w->ways); i++)
        if (w->ways[i].kind == CLAIMED_TARGET && w->ways[i].segment != vec_last(w->ways).segment)
            return refuse(r, content, MSG_WITNESS_SEGMENT_AFTER);
    return true;
}

/* ---- proofs ---- */

static bool read_invariants(Reader *r, Witness *w, Node *content) {
    for (size_t i = 0; i < items(content); i++) {
        Node *inner = member(r, item(r, content, i), "invariant");
        const char *type = text_at(r, inner, "type"), *format = text_at(r, inner, "format");
        Invariant v = {.text = text_at(r, inner, "value")};
        if (!type || !v.text) return refuse(r, content, MSG_WITNESS_NO_INVARIANT);
        if (format && strcmp(format, "c_expression")) return refuse(r, inner, MSG_WITNESS_INVARIANT_FORMAT);
        v.loop = !strcmp(type, "loop_invariant");
        if (!v.loop && strcmp(type, "location_invariant")) return refuse(r, inner, MSG_WITNESS_INVARIANT_TYPE);
        if (!spot_at(r, inner, &v.spot)) return false;
        vec_push(w->invariants, v);
    }
    return true;
}

static bool read_updates(Reader *r, Witness *w, Node *n) {
    Node *updates = member(r, n, "updates");
    GhostUpdate u = {0};
    if (!spot_at(r, n, &u.spot)) return false;
    for (size_t i = 0; i < items(updates); i++) {
        u.variable = text_at(r, item(r, updates, i), "variable");
        u.text = text_at(r, item(r, updates, i), "value");
        if (!u.variable || !u.text) return refuse(r, n, MSG_WITNESS_NO_UPDATE);
        vec_push(w->updates, u);
    }
    return true;
}

static bool read_ghosts(Reader *r, Witness *w, Node *content) {
    Node *variables = member(r, content, "ghost_variables"), *updates = member(r, content, "ghost_updates");
    for (size_t i = 0; i < items(variables); i++) {
        Node *n = item(r, variables, i), *initial = member(r, n, "initial");
        Ghost g = {.name = text_at(r, n, "name"), .type = text_at(r, n, "type"), .initial = text_at(r, initial, "value")};
        if (!g.initial) g.initial = text_of(r, initial);
        if (!g.name || !g.type || !g.initial) return refuse(r, n, MSG_WITNESS_NO_GHOST);
        vec_push(w->ghosts, g);
    }
    for (size_t i = 0; i < items(updates); i++)
        if (!read_updates(r, w, item(r, updates, i))) return false;
    return true;
}

/* ---- the file ---- */

static void read_files(Reader *r, Witness *w, Node *task) {
    Node *hashes = member(r, task, "input_file_hashes");
    for (yaml_node_pair_t *p = hashes && hashes->type == YAML_MAPPING_NODE ? hashes->data.mapping.pairs.start : NULL;
         p && p < hashes->data.mapping.pairs.top; p++) {
        HashedFile f = {text_of(r, yaml_document_get_node(r->document, p->key)), text_of(r, yaml_document_get_node(r->document, p->value))};
        if (f.name && f.hash) vec_push(w->files, f);
    }
}

static bool read_entry(Reader *r, Node *entry) {
    const char *type = text_at(r, entry, "entry_type");
    Node *metadata = member(r, entry, "metadata"), *task = member(r, metadata, "task"), *content = member(r, entry, "content");
    const char *specification = text_at(r, task, "specification"), *language = text_at(r, task, "language");
    const char *version = text_at(r, metadata, "format_version");
    if (!type || !task || !content) return refuse(r, entry, MSG_WITNESS_ENTRY);
    if (version && strncmp(version, "2.", 2)) return refuse(r, metadata, MSG_WITNESS_VERSION);
    if (language && strcmp(language, "C")) return refuse(r, task, MSG_WITNESS_LANGUAGE);
    if (!specification) return refuse(r, task, MSG_WITNESS_NO_SPECIFICATION);
    bool violation = !strcmp(type, "violation_sequence");
    Witness *w = witness_of(r->into, violation, specification);
    if (vec_len(w->ways)) return refuse(r, entry, MSG_WITNESS_TWO_VIOLATIONS);
    if (!w->data_model) w->data_model = text_at(r, task, "data_model");
    read_files(r, w, task);
    if (violation) return read_segments(r, w, content, !version || (strcmp(version, "2.0") && strcmp(version, "2.1")));
    if (!strcmp(type, "invariant_set")) return read_invariants(r, w, content);
    if (!strcmp(type, "ghost_instrumentation")) return read_ghosts(r, w, content);
    return refuse(r, entry, MSG_WITNESS_ENTRY_TYPE);
}

static bool read_yaml(Witnesses *into, const char *path, const Buf *text, Buf *error) {
    yaml_parser_t parser;
    yaml_document_t d;
    Reader r = {&d, into, path, error};
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)buf_string(text), text->length);
    bool good = yaml_parser_load(&parser, &d);
    if (!good) buf_line(error, MSG_WITNESS_YAML, path, parser.problem_mark.line + 1, parser.problem ? parser.problem : "?");
    else {
        Node *root = yaml_document_get_root_node(&d);
        if (!items(root)) good = refuse(&r, root, MSG_WITNESS_NO_LIST);
        for (size_t i = 0; i < items(root) && good; i++) good = read_entry(&r, item(&r, root, i));
        yaml_document_delete(&d);
    }
    yaml_parser_delete(&parser);
    return good;
}

Witness *witness_of(Witnesses *all, bool violation, const char *specification) {
    for (size_t i = 0; i < vec_len(all->list); i++)
        if (!strcmp(all->list[i].specification, specification) && all->list[i].violation == violation) return &all->list[i];
    vec_push(all->list, ((Witness){.violation = violation, .specification = specification}));
    return &vec_last(all->list);
}

Witnesses *witnesses_new(void) {
    Witnesses *w = zeroed(1, sizeof *w);
    w->arena = arena_new();
    return w;
}

Witnesses *witnesses_read(const char *path, Buf *error) {
    Buf text = {0};
    Witnesses *w = NULL;
    if (file_read(path, FILE_TEXT, &text, error)) {
        const char *first = buf_string(&text) + strspn(buf_string(&text), " \t\r\n");
        w = witnesses_new();
        bool good = *first == '<' ? witness_graphml(w, path, first, error) : read_yaml(w, path, &text, error);
        if (!good) witnesses_free(w), w = NULL;
    }
    buf_free(&text);
    return w;
}

void witnesses_free(Witnesses *w) {
    for (size_t i = 0; w && i < vec_len(w->list); i++) {
        vec_free(w->list[i].files);
        vec_free(w->list[i].ways);
        vec_free(w->list[i].invariants);
        vec_free(w->list[i].ghosts);
        vec_free(w->list[i].updates);
    }
    if (!w) return;
    vec_free(w->list);
    arena_free(w->arena);
    free(w);
}
