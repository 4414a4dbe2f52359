/* SPDX-License-Identifier: Apache-2.0 */
/* Reads automata in GraphML that are a single path, as the list of their edges. Only the necessary part of XML is understood. */
#include "witness/messages.h"
#include "witness/witness.h"
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    Witnesses *into;
    const char *at;
    Witness *witness;
    const char *type, *specification, *file, *hash, *architecture;
    ClaimedWaypoint *ways; /* a vec */
    bool has_invariants;
} Reader;

/* Returns the text up to the next tag, with entities replaced by their characters. */
static const char *content(Reader *r) {
    static const struct {
        const char *name;
        char c;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    Buf out = {0};
    while (*r->at && *r->at != '<') {
        size_t i = 0, n = sizeof entities / sizeof *entities;
        while (i < n && strncmp(r->at, entities[i].name, strlen(entities[i].name))) i++;
        buf_char(&out, i < n ? entities[i].c : *r->at);
        r->at += i < n ? strlen(entities[i].name) : 1;
    }
    const char *text = arena_strdup(r->into->arena, buf_string(&out));
    buf_free(&out);
    return text;
}

static const char *attribute(Reader *r, const char *tag, size_t length, const char *name) {
    size_t n = strlen(name);
    for (const char *s = tag; s + n + 2 < tag + length; s++) {
        if (strncmp(s, name, n) || s[n] != '=' || (s[n + 1] != '"' && s[n + 1] != '\'')) continue;
        const char *value = s + n + 2, *end = memchr(value, s[n + 1], length - (size_t)(value - tag));
        return end ? arena_strndup(r->into->arena, value, (size_t)(end - value)) : NULL;
    }
    return NULL;
}

/* Returns one expression for assumptions such as "x == 1; y == 2;". */
static const char *conjunction(Arena *arena, const char *value) {
    Buf out = {0};
    for (const char *part = value; *part; part += strcspn(part, ";"), part += *part == ';') {
        size_t n = strcspn(part, ";");
        if (strspn(part, " \t\r\n") < n) buf_printf(&out, "%s(%.*s)", out.length ? " && " : "", (int)n, part);
    }
    const char *text = arena_strdup(arena, out.length ? out.text : "1");
    buf_free(&out);
    return text;
}

static void read_edge_data(Arena *arena, ClaimedWaypoint *w, const char *key, const char *value) {
    if (!strcmp(key, "startline")) w->spot.line = (unsigned)strtoul(value, NULL, 10);
    else if (!strcmp(key, "threadId")) w->thread = (unsigned)strtoul(value, NULL, 10), w->any_thread = false;
    else if (!strcmp(key, "assumption")) w->constraint = conjunction(arena, value);
    else if (!strcmp(key, "createThread")) w->kind = CLAIMED_ENTER, w->starts = true;
}

static void read_graph_data(Reader *r, const char *key, const char *value) {
    if (!strcmp(key, "witness-type")) r->type = value;
    else if (!strcmp(key, "specification")) r->specification = value;
    else if (!strcmp(key, "programfile")) r->file = value;
    else if (!strcmp(key, "programhash")) r->hash = value;
    else if (!strcmp(key, "architecture")) r->architecture = value;
    else if (!strcmp(key, "invariant")) r->has_invariants = true;
}

/* Reads all tags. Data are of the edge that they are in, and otherwise of the graph. */
static void read_tags(Reader *r) {
    ClaimedWaypoint edge = {0};
    bool inside = false;
    while ((r->at = strchr(r->at, '<'))) {
        const char *tag = r->at + 1, *end = strchr(tag, '>');
        if (!end) return;
        size_t n = (size_t)(end - tag);
        r->at = end + 1;
        if (!strncmp(tag, "edge", 4)) {
            edge = (ClaimedWaypoint){.kind = CLAIMED_ASSUME, .any_thread = true, .anywhere = true, .segment = (unsigned)vec_len(r->ways)};
            inside = end[-1] != '/';
        } else if (!strncmp(tag, "/edge", 5)) {
            if (edge.spot.line) vec_push(r->ways, edge);
            inside = false;
        } else if (!strncmp(tag, "data", 4)) {
            const char *key = attribute(r, tag, n, "key"), *value = content(r);
            if (key && inside) read_edge_data(r->into->arena, &edge, key, value);
            else if (key) read_graph_data(r, key, value);
        }
    }
}

bool witness_graphml(Witnesses *into, const char *path, const char *text, Buf *error) {
    Reader r = {.into = into, .at = text};
    read_tags(&r);
    bool violation = r.type && !strcmp(r.type, "violation_witness");
    if (!r.type || !r.specification || (violation && !vec_len(r.ways))) {
        buf_line(error, MSG_WITNESS_GRAPHML_PARTS, path);
        vec_free(r.ways);
        return false;
    }
    Witness *w = witness_of(into, violation, r.specification);
    w->data_model = r.architecture ? strcmp(r.architecture, "32bit") ? "LP64" : "ILP32" : NULL;
    if (r.file && r.hash) vec_push(w->files, ((HashedFile){r.file, r.hash}));
    if (violation) {
        size_t n = vec_len(r.ways);
        bool race = strstr(r.specification, "data-race") && n > 1;
        r.ways[n - 1].kind = CLAIMED_TARGET;
        if (race) r.ways[n - 2].kind = CLAIMED_TARGET, r.ways[n - 2].segment = r.ways[n - 1].segment;
        w->ways = r.ways;
    } else vec_free(r.ways);
    w->limited = !violation && r.has_invariants;
    return true;
}
