/* SPDX-License-Identifier: Apache-2.0 */
/* Lists places where threads can be at the same time, each with the formulas that hold there. A formula that holds everywhere is printed once.
   Places with the same text are merged. */
#include "explain/invariants.h"
#include "base/map.h"
#include "explain/blocks.h"
#include "explain/guarantees.h"
#include "explain/places.h"
#include "explain/ranking.h"
#include "explain/reduction.h"
#include <string.h>

enum { FEW = 8, LONG = 600 };

/* True if the invariant has the conjunct status == value. */
static bool has_status(const System *s, const Expr *e, unsigned status, unsigned value) {
    for (unsigned i = 0; e->op == OP_AND && i < e->nargs; i++)
        if (has_status(s, e->args[i], status, value)) return true;
    return e == expr_eq(s->exprs, system_expr(s, status), expr_const(s->exprs, s->variables[status].symbol->sort, value));
}

void invariant_place(Buf *out, const Display *display, const Proof *p, const ProofNode *n) {
    const System *s = p->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        buf_text(out, t ? ", " : "");
        if (t && n->locations[t] == s->threads[t].entry && s->threads[t].status != NONE &&
            has_status(s, n->invariant, s->threads[t].status, 0))
            buf_printf(out, "%s not started", display_thread(display, t));
        else places_where(out, display, p, t, n->locations[t], true);
    }
}

/* True if the formula is neither true, which gives no information, nor false, which means that the place is not reachable. */
static bool is_informative(const Expr *e) { return !expr_is_true(e) && !expr_is_false(e); }

/* Returns the invariant under the assumption that the thread is running. */
static const Expr *while_running(const System *s, unsigned t, unsigned l, const Expr *e) {
    unsigned status = s->threads[t].status;
    const Expr **values = NULL;
    if (status == NONE || s->threads[t].locations[l].kind == LOCATION_END) return e;
    vec_resize(values, vec_len(s->variables));
    values[status] = expr_const(s->exprs, s->variables[status].symbol->sort, 1);
    e = system_with(s, values, e);
    vec_free(values);
    return e;
}

/* ---- places ---- */

typedef struct Place {
    Buf where;
    const Expr **holds; /* a vec: the disjuncts; one of them holds */
} Place;

typedef struct Places {
    Exprs *exprs;
    const Expr **everywhere; /* a vec: the formulas that hold at all places … */
    bool but_first;          /* … but the first */
    Place *list;
    Map *index; /* hash of a place's text -> its index */
} Places;

static unsigned parts(const Expr *e) { return e->op == OP_AND ? e->nargs : 1; }
static const Expr *part(const Expr *e, unsigned i) { return e->op == OP_AND ? e->args[i] : e; }

static bool has_part(const Expr *e, const Expr *one) {
    for (unsigned i = 0; i < parts(e); i++)
        if (part(e, i) == one) return true;
    return false;
}

/* Returns the conjuncts that all formulas have from the index `from` on, as a vec; NULL if there are fewer than two formulas. */
static const Expr **common_parts(const Expr *const *all, size_t from) {
    const Expr **common = NULL;
    if (vec_len(all) < from + 2) return NULL;
    for (unsigned i = 0; i < parts(all[from]); i++) {
        const Expr *one = part(all[from], i);
        bool in_all = is_informative(one);
        for (size_t k = from + 1; k < vec_len(all) && in_all; k++) in_all = has_part(all[k], one);
        if (in_all) vec_push(common, one);
    }
    return common;
}

/* Returns e without the conjuncts in the list. */
static const Expr *rest_of(Exprs *x, const Expr *const *known, const Expr *e) {
    const Expr *rest = expr_bool(x, true);
    for (unsigned i = 0; i < parts(e); i++) {
        bool is_known = false;
        for (size_t k = 0; k < vec_len(known); k++) is_known |= known[k] == part(e, i);
        if (!is_known) rest = expr_and(x, rest, part(e, i));
    }
    return rest;
}

/* Finds the conjuncts that hold everywhere, except perhaps where main begins. */
static void find_everywhere(Places *p, const Expr *const *all) {
    p->everywhere = common_parts(all, 1);
    for (size_t i = 0; i < vec_len(p->everywhere); i++) p->but_first |= !has_part(all[0], p->everywhere[i]);
}

void invariants_clean(Buf *b) {
    size_t n = 0;
    for (size_t i = 0; i < b->length; i++) {
        if (b->text[i] == '#') {
            while (i + 1 < b->length && b->text[i + 1] >= '0' && b->text[i + 1] <= '9') i++;
            continue;
        }
        b->text[n++] = b->text[i];
    }
    if (b->text) b->text[b->length = n] = 0;
}

static bool reads_the_same(const Expr *a, const Expr *b) {
    Buf x = {0}, y = {0};
    expr_print_c(&x, a);
    expr_print_c(&y, b);
    invariants_clean(&x);
    invariants_clean(&y);
    bool same = a == b || !strcmp(buf_string(&x), buf_string(&y));
    buf_free(&x);
    buf_free(&y);
    return same;
}

/* True if b has all conjuncts of a. */
static bool includes(const Expr *b, const Expr *a) {
    for (unsigned i = 0; i < parts(a) && !expr_is_true(a); i++)
        if (!has_part(b, part(a, i))) return false;
    return true;
}

/* Adds a disjunct to a place, unless the place has a disjunct with a subset of its conjuncts. Disjuncts with more conjuncts are removed. */
static void add_alternative(Place *at, const Expr *holds) {
    size_t kept = 0, n = vec_len(at->holds);
    for (size_t i = 0; i < n; i++)
        if (includes(holds, at->holds[i]) || reads_the_same(holds, at->holds[i])) return;
    for (size_t i = 0; i < n; i++)
        if (!includes(at->holds[i], holds)) at->holds[kept++] = at->holds[i];
    vec_resize(at->holds, kept);
    vec_push(at->holds, holds);
}

static void add_place(Places *p, Buf where, const Expr *holds) {
    uint64_t key = hash_bytes(where.text, where.length, 1), at;
    if (!map_get(p->index, key, &at) || strcmp(buf_string(&p->list[at].where), buf_string(&where))) {
        at = vec_len(p->list);
        map_put(p->index, key, at);
        vec_push(p->list, ((Place){.where = where}));
    } else {
        buf_free(&where);
    }
    add_alternative(&p->list[at], holds);
}

static void print_parts(Buf *out, const Expr *const *list) {
    for (size_t i = 0; i < vec_len(list); i++) {
        if (i) buf_text(out, " && ");
        expr_print_c(out, list[i]);
    }
}

static void print_place(Buf *out, const Places *p, const Place *at) {
    const Expr **common = common_parts(at->holds, 0);
    buf_printf(out, "  %s:\n", buf_string(&at->where));
    if (common) {
        buf_text(out, "      ");
        print_parts(out, common);
        buf_text(out, ", and\n");
    }
    for (size_t i = 0; i < vec_len(at->holds); i++) {
        const Expr *rest = rest_of(p->exprs, common, at->holds[i]);
        buf_text(out, i ? "   or " : "      ");
        expr_print_c(out, rest);
        buf_char(out, '\n');
    }
    vec_free(common);
}

static void print_places(Buf *out, const Places *p, bool all) {
    unsigned shown = 0, more = 0;
    for (size_t i = 0; i < vec_len(p->list); i++) {
        const Place *at = &p->list[i];
        Buf text = {0};
        bool informative = vec_len(at->holds) > 1 || !expr_is_true(at->holds[0]);
        if (vec_len(p->everywhere) && i == p->but_first) {
            buf_text(out, p->but_first ? "  everywhere but at the start:\n      " : "  everywhere:\n      ");
            print_parts(out, p->everywhere);
            buf_char(out, '\n');
        }
        print_place(&text, p, at);
        if (informative && (all || (shown < FEW && text.length < LONG))) buf_text(out, buf_string(&text)), shown++;
        else more += informative;
        buf_free(&text);
    }
    if (more) buf_printf(out, "  … and %u more (--verbose shows all)\n", more);
}

static Places places_new(const Proof *p) { return (Places){.exprs = p->system->exprs, .index = map_new()}; }

static void places_free(Places *p) {
    for (size_t i = 0; i < vec_len(p->list); i++) {
        buf_free(&p->list[i].where);
        vec_free(p->list[i].holds);
    }
    vec_free(p->list);
    map_free(p->index);
    vec_free(p->everywhere);
}

/* Prints the invariants of each thread by itself. If a line has several locations, their invariants become alternatives. */
static void print_modular(Buf *out, Display *display, const Proof *p) {
    const System *s = p->system;
    Places places = places_new(p);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations) && system_first_instance(s, t) == t; l++) {
            const Expr *e = p->stop[t][l] ? display_read(display, while_running(s, t, l, p->invariants[t][l])) : NULL;
            if (!e || expr_is_false(e)) continue;
            Buf where = {0};
            buf_text(&where, s->threads[t].many ? "every " : "");
            places_where(&where, display, p, t, l, true);
            add_place(&places, where, e);
        }
    print_places(out, &places, true);
    places_free(&places);
}

static void add_pair(Places *places, Display *display, const Proof *p, const ProofPair *pair, unsigned l, unsigned k) {
    const Expr *e = display_read(display, pair->invariants[l][k]);
    Buf where = {0};
    if (expr_is_false(e)) return;
    buf_text(&where, p->system->threads[pair->first].other_instance == pair->second ? "any two, " : "");
    places_where(&where, display, p, pair->first, l, true);
    buf_text(&where, ", ");
    places_where(&where, display, p, pair->second, k, true);
    add_place(places, where, e);
}

/* Prints the invariants of pairs of threads. Two instances of one template are printed in one order of their places only. */
static void print_pairs(Buf *out, Display *display, const Proof *p, bool all) {
    Places places = places_new(p);
    vec_each_at(const ProofPair, pair, p->pairs) {
        bool same_code = p->system->threads[pair->first].other_instance == pair->second;
        for (unsigned l = 0; l < vec_len(pair->invariants); l++)
            for (unsigned k = same_code ? l : 0; k < vec_len(pair->invariants[l]); k++)
                if (p->stop[pair->first][l] && p->stop[pair->second][k]) add_pair(&places, display, p, pair, l, k);
    }
    print_places(out, &places, all);
    places_free(&places);
}

static void print_product(Buf *out, Display *display, const Proof *p, bool all) {
    Places places = places_new(p);
    const Expr **read = NULL;
    for (size_t i = 0; i < vec_len(p->nodes); i++) vec_push(read, display_read(display, p->nodes[i].invariant));
    find_everywhere(&places, read);
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        Buf where = {0};
        invariant_place(&where, display, p, &p->nodes[i]);
        add_place(&places, where, i || !places.but_first ? rest_of(places.exprs, places.everywhere, read[i]) : read[i]);
    }
    print_places(out, &places, all);
    places_free(&places);
    vec_free(read);
}

/* ---- how to read the formulas ---- */

static bool mentions(const Buf *text, const char *word) { return strstr(buf_string(text), word) != NULL; }

static void explain_arithmetic(Buf *out, const System *s) {
    bool sums = mentions(out, " + ") || mentions(out, " - ") || mentions(out, " * ");
    if (sums && s->integers) buf_text(out, "Sums and products are over the integers: they do not wrap around, unless (mod …) follows.\n");
    else if (sums) buf_text(out, "Sums and products wrap around at the width of their operands.\n");
    if (mentions(out, " div ") || mentions(out, " mod ")) buf_text(out, "div and mod round down.\n");
}

void invariants_text(Buf *out, const Proof *p, bool all) {
    Display *display = display_new(p);
    Buf text = {0};
    if (p->rule == RULE_RELY) {
        guarantees_kind(out, display, p);
        guarantees_text(out, display, p);
    }
    if (p->rule == RULE_MODULAR || p->rule == RULE_EACH || p->rule == RULE_REDSAFETY || p->rule == RULE_RELY)
        print_modular(&text, display, p);
    else if (p->rule == RULE_PAIRS) print_pairs(&text, display, p, all);
    else if (p->rule == RULE_REDUCED) reduction_text(&text, display, p, all);
    else print_product(&text, display, p, all);
    invariants_clean(&text);
    if (proof_ends(p)) {
        ranking_text(out, display, p);
        invariants_clean(out);
        if (text.length) buf_char(out, '\n');
    }
    if (text.length) {
        explain_arithmetic(&text, p->system);
        buf_printf(out, "Where the threads are%s, and what then holds whenever no thread is inside a block:\n%s",
                   p->rule == RULE_REDUCED ? " in the explored interleavings" : "", buf_string(&text));
    }
    if (text.length || p->rule == RULE_RELY) {
        blocks_text(out, display, p, all);
        invariants_clean(out);
    }
    buf_free(&text);
    display_free(display);
}
