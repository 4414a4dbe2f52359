/* SPDX-License-Identifier: Apache-2.0 */
/* The page shows a proof beside the source. So each formula has the places of the threads where it holds, and long proofs are cut off. */
#include "explain/proof_view.h"
#include "base/map.h"
#include "explain/blocks.h"
#include "explain/guarantees.h"
#include "explain/invariants.h"
#include "explain/jsons.h"
#include <string.h>

enum { MOST_PLACES = 1500, MOST_TEXT = 4000 };

typedef struct View {
    const Proof *proof;
    Display *display;
    json_t *places;
    Map *index; /* hash of the threads' places → index of the entry in `places`, plus 1 */
    unsigned more;
} View;

/* Returns [thread, file, line, "at" or "start" or "ended"]. */
static json_t *whereabouts(const View *v, unsigned t, unsigned l) {
    const SystemThread *thread = &v->proof->system->threads[t];
    LocationKind kind = thread->locations[l].kind;
    Position at = blocks_next(v->proof, t, l);
    bool ended = kind == LOCATION_END || kind == LOCATION_HALT;
    json_t *list = json_array();
    json_add(list, json_integer(t));
    json_add(list, json_text(ended ? NULL : at.file));
    json_add(list, json_integer(ended ? 0 : at.line));
    json_add(list, json_text(ended ? "ended" : l == thread->entry ? "start" : "at"));
    return list;
}

static void add_place(View *v, json_t *at, const Expr *e) {
    Buf text = {0};
    char *key = json_dumps(at, JSON_COMPACT);
    uint64_t hash = hash_bytes(key, strlen(key), 1), found = 0;
    const Expr *read = display_read(v->display, e);
    free(key);
    expr_print_c(&text, read);
    invariants_clean(&text);
    if (expr_is_false(read) || (!map_get(v->index, hash, &found) && json_array_size(v->places) >= MOST_PLACES)) {
        v->more += !expr_is_false(read);
        json_decref(at);
    } else {
        json_t *place = found ? json_array_get(v->places, found - 1) : json_object();
        if (!found) {
            json_put(place, "at", at);
            json_put(place, "holds", json_array());
            json_add(v->places, place);
            map_put(v->index, hash, json_array_size(v->places));
        } else json_decref(at);
        if (text.length > MOST_TEXT) {
            buf_clear(&text);
            buf_text(&text, "(a long formula)");
        }
        json_add(json_object_get(place, "holds"), json_text(buf_string(&text)));
    }
    buf_free(&text);
}

static void add_nodes(View *v) {
    const System *s = v->proof->system;
    vec_each_at(const ProofNode, n, v->proof->nodes) {
        json_t *at = json_array();
        for (unsigned t = 0; t < vec_len(s->threads); t++) json_add(at, whereabouts(v, t, n->locations[t]));
        add_place(v, at, n->invariant);
    }
}

static void add_threads(View *v) {
    const System *s = v->proof->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations) && system_first_instance(s, t) == t; l++) {
            if (!v->proof->stop[t][l]) continue;
            json_t *at = json_array();
            json_add(at, whereabouts(v, t, l));
            add_place(v, at, v->proof->invariants[t][l]);
        }
}

static void add_pairs(View *v) {
    vec_each_at(const ProofPair, pair, v->proof->pairs)
        for (unsigned l = 0; l < vec_len(pair->invariants); l++)
            for (unsigned k = 0; k < vec_len(pair->invariants[l]); k++) {
                if (!v->proof->stop[pair->first][l] || !v->proof->stop[pair->second][k]) continue;
                json_t *at = json_array();
                json_add(at, whereabouts(v, pair->first, l));
                json_add(at, whereabouts(v, pair->second, k));
                add_place(v, at, pair->invariants[l][k]);
            }
}

/* ---- blocks and movers, for the margin of the source ---- */

typedef struct Blocks {
    json_t *list;
    unsigned thread;
} Blocks;

static void add_block(void *context, const Position *lines) {
    Blocks *b = context;
    json_t *o = json_object(), *list = json_array();
    for (size_t i = 0; i < vec_len(lines); i++) json_add(list, json_pack("[o,i]", json_text(lines[i].file), (int)lines[i].line));
    json_put(o, "thread", json_integer(b->thread));
    json_put(o, "lines", list);
    json_add(b->list, o);
}

static json_t *blocks_json(const Proof *p) {
    Blocks b = {.list = json_array()};
    for (; b.thread < vec_len(p->system->threads); b.thread++)
        if (p->out && system_first_instance(p->system, b.thread) == b.thread) blocks_each(p, b.thread, add_block, &b);
    return b.list;
}

static json_t *movers_json(const Proof *p) {
    static const char *const words[] = {"none", "right", "left", "both"};
    json_t *list = json_array();
    for (unsigned t = 0; p->movers && t < vec_len(p->system->threads); t++) {
        const SystemThread *thread = &p->system->threads[t];
        if (system_first_instance(p->system, t) != t || !p->movers[t]) continue;
        for (size_t i = 0; i < vec_len(thread->transitions); i++) {
            Position at = blocks_next_of(p, t, &thread->transitions[i]);
            if (at.file) json_add(list, json_pack("[i,o,i,s]", (int)t, json_text(at.file), (int)at.line, words[p->movers[t][i] & 3]));
        }
    }
    return list;
}

/* ---- guarantees ---- */

static json_t *guarantee_json(const View *v, unsigned t) {
    const Proof *p = v->proof;
    json_t *o = json_object(), *steps = json_array(), *others = json_array();
    bool left_out = false;
    const char **ways = guarantees_ways(v->display, p, t, &left_out);
    for (size_t i = 0; i < vec_len(ways); i++) json_add(steps, json_text(ways[i]));
    vec_free(ways);
    for (unsigned u = 0; u < vec_len(p->system->threads); u++)
        if (u != t && system_first_instance(p->system, u) == u) json_add(others, json_text(display_thread(v->display, u)));
    if (p->system->threads[t].many) json_add(others, json_text(display_thread(v->display, t)));
    json_put(o, "thread", json_text(display_thread(v->display, t)));
    json_put(o, "guarantees", steps);
    json_put(o, "relies_on", others);
    return o;
}

static void add_guarantees(const View *v, json_t *o) {
    const System *s = v->proof->system;
    json_t *list = json_array();
    Buf kind = {0};
    guarantees_kind(&kind, v->display, v->proof);
    if (kind.length) kind.text[--kind.length] = 0; /* the end of the line */
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (system_first_instance(s, t) == t) json_add(list, guarantee_json(v, t));
    json_put(o, "kind", json_text(buf_string(&kind)));
    json_put(o, "guarantees", list);
    buf_free(&kind);
}

void proof_view(Buf *out, const Proof *p) {
    static const char *const rules[] = {
        [RULE_PRODUCT] = "product", [RULE_MODULAR] = "modular", [RULE_REDSAFETY] = "safety", [RULE_PAIRS] = "pairs",
        [RULE_RANKING] = "ranking", [RULE_EACH] = "each",       [RULE_REDUCED] = "reduced",  [RULE_RELY] = "rely"};
    View v = {.proof = p, .display = display_new(p), .places = json_array(), .index = map_new()};
    json_t *o = json_object(), *threads = json_array();
    for (unsigned t = 0; t < vec_len(p->system->threads); t++) json_add(threads, json_text(display_thread(v.display, t)));
    if (p->rule == RULE_MODULAR || p->rule == RULE_EACH || p->rule == RULE_REDSAFETY || p->rule == RULE_RELY) add_threads(&v);
    else if (p->rule == RULE_PAIRS) add_pairs(&v);
    else add_nodes(&v);
    json_put(o, "rule", json_text(rules[p->rule]));
    json_put(o, "integers", json_boolean(p->system->integers));
    json_put(o, "threads", threads);
    if (p->rule == RULE_RELY) add_guarantees(&v, o);
    json_put(o, "places", v.places);
    if (v.more) json_put(o, "more", json_integer(v.more));
    json_put(o, "blocks", blocks_json(p));
    json_put(o, "movers", movers_json(p));
    json_finish(out, o, JSON_COMPACT);
    map_free(v.index);
    display_free(v.display);
}
