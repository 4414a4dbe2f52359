/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the components of a ranking function in lexicographic order. For example, "the loop of main at line 12 ends: n - i becomes smaller in
   every round" names a component and the steps that decrease it. Components that only number the locations of threads are left out. */
#include "explain/ranking.h"
#include "base/map.h"
#include "expr/normal.h"
#include "explain/blocks.h"
#include <stdlib.h>
#include <string.h>

/* ---- sums, with positive terms first ---- */

static void put_term(Buf *out, Display *display, const Term *t, bool first) {
    i128 factor = t->factor < 0 ? -t->factor : t->factor;
    buf_text(out, first ? (t->factor < 0 ? "-" : "") : t->factor < 0 ? " - " : " + ");
    if (factor != 1) buf_printf(out, "%lld * ", (long long)factor);
    expr_print_c(out, display_number(display, t->monomial));
}

static void put_sum(Buf *out, Display *display, const Linear *sum) {
    bool first = true, positive = false;
    i128 c = sum->constant;
    for (size_t i = 0; i < vec_len(sum->terms); i++) positive |= sum->terms[i].factor > 0;
    if (c > 0 && !positive) {
        buf_printf(out, "%lld", (long long)c);
        first = false;
        c = 0;
    }
    for (unsigned negative = 0; negative < 2; negative++)
        for (size_t i = 0; i < vec_len(sum->terms); i++) {
            if ((sum->terms[i].factor < 0) != negative) continue;
            put_term(out, display, &sum->terms[i], first);
            first = false;
        }
    if (c) buf_printf(out, c < 0 ? " - %lld" : " + %lld", (long long)(c < 0 ? -c : c));
}

/* ---- steps that decrease a sum ---- */

/* Returns an if-then-else in e, or NULL. */
static const Expr *find_choice(const Expr *e) {
    if (e->op == OP_ITE) return e;
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *found = find_choice(e->args[i]);
        if (found) return found;
    }
    return NULL;
}

/* True if `becomes`, for some choice of its branches, is the sum minus a positive constant. */
static bool is_less(const System *s, const Expr *becomes, const Linear *sum, unsigned depth) {
    enum { DEEP = 4 };
    const Expr *choice = depth < DEEP ? find_choice(becomes) : NULL;
    for (unsigned side = 1; choice && side < 3; side++)
        if (is_less(s, expr_exchange(s->exprs, becomes, choice, choice->args[side]), sum, depth + 1)) return true;
    if (choice) return false;
    Linear after;
    linear_of(s->exprs, becomes, &after);
    bool less = linear_add(&after, -1, sum) && !vec_len(after.terms) && after.constant < 0;
    linear_free(&after);
    return less;
}

static bool decreases(const System *s, const Transition *x, const Linear *sum) {
    return is_less(s, transition_after(s, x, linear_expr(s->exprs, sum)), sum, 0);
}

/* Returns the places of transitions that decrease the sum; NULL if no transition does so alone. Sets *loop if the only place is a loop's head. */
static char *places_of(const Display *display, const Proof *p, const Linear *sum, bool *loop) {
    const System *s = p->system;
    Buf seen = {0};
    bool heads = true, one = true;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Transition, x, s->threads[t].transitions) {
            Buf place = {0};
            if (!decreases(s, x, sum)) continue;
            heads &= s->threads[t].locations[x->source].loop_head;
            buf_printf(&place, "%s at ", display_thread(display, t));
            display_position(display, &place, blocks_next_of(p, t, x));
            if (!strstr(buf_string(&seen), buf_string(&place))) {
                one &= !seen.length;
                buf_printf(&seen, "%s%s", seen.length ? ", " : "", buf_string(&place));
            }
            buf_free(&place);
        }
    *loop = heads && one && seen.length;
    return seen.text;
}

/* ---- components ---- */

static i128 common_factor(i128 a, i128 b) {
    while (b) {
        i128 rest = a % b;
        a = b, b = rest;
    }
    return a < 0 ? -a : a;
}

/* Divides the factors of a sum by their common factor, and drops the constant then. The result decreases in the same steps. NULL: e is constant. */
static const Expr *plain_sum(Exprs *x, const Expr *e, Linear *sum) {
    i128 all = 0;
    linear_of(x, e, sum);
    for (size_t i = 0; i < vec_len(sum->terms); i++) all = common_factor(all, sum->terms[i].factor);
    for (size_t i = 0; i < vec_len(sum->terms); i++) sum->terms[i].factor /= all;
    if (all > 1) sum->constant = 0;
    return vec_len(sum->terms) ? linear_expr(x, sum) : NULL;
}

/* Joins the sums that decrease at the same places. */
typedef struct Smaller {
    char *places, *sums; /* places: NULL if not known */
    bool loop, several;
} Smaller;

typedef struct RankingText {
    Display *display;
    const Proof *proof;
    Map *said;
    bool *helped;    /* by thread */
    Smaller *values; /* a vec */
    Buf rest;
} RankingText;

static Smaller *value_at(RankingText *t, const char *places) {
    for (size_t i = 0; i < vec_len(t->values) && places; i++)
        if (t->values[i].places && !strcmp(t->values[i].places, places)) return &t->values[i];
    return NULL;
}

static void note_value(RankingText *t, const Linear *sum) {
    bool loop = false;
    char *places = places_of(t->display, t->proof, sum, &loop);
    Smaller *v = value_at(t, places);
    Buf text = {0};
    if (v) buf_printf(&text, "%s, ", v->sums);
    put_sum(&text, t->display, sum);
    if (v) {
        free(places);
        free(v->sums);
        v->sums = text.text;
        v->several = true;
    } else vec_push(t->values, ((Smaller){places, text.text, loop, false}));
}

static void put_value(Buf *out, const Smaller *v) {
    const char *ends = v->several ? "the first of these that changes becomes smaller: " : "";
    if (!v->places) buf_printf(out, "  over several steps together, %s becomes smaller\n", v->sums);
    else if (v->several)
        buf_printf(out, "  %s%s%s: in every round %s%s\n", v->loop ? "the loop of " : "", v->places, v->loop ? " ends" : "", ends, v->sums);
    else if (v->loop) buf_printf(out, "  the loop of %s ends: %s becomes smaller in every round\n", v->places, v->sums);
    else buf_printf(out, "  %s becomes smaller with each step of %s\n", v->sums, v->places);
}

/* Describes a node at which a proof cuts loops: the places of its threads, and the measures that are smaller at later visits. */
static void put_measures(RankingText *t, const ProofNode *n, const Expr *const *measures) {
    const Proof *p = t->proof;
    Buf where = {0};
    for (unsigned k = 0; k < vec_len(p->system->threads); k++) {
        Position at = blocks_next(p, k, n->locations[k]);
        if (!at.line) continue;
        buf_printf(&where, "%s%s at ", where.length ? ", " : "", display_thread(t->display, k));
        display_position(t->display, &where, at);
    }
    buf_printf(&t->rest, "  with %s: from any visit to any later one, %s smaller: ", buf_string(&where),
               vec_len(measures) > 1 ? "one of these becomes" : "this becomes");
    for (size_t i = 0; i < vec_len(measures); i++) {
        Linear sum;
        plain_sum(p->system->exprs, measures[i], &sum);
        if (i) buf_text(&t->rest, ", ");
        put_sum(&t->rest, t->display, &sum);
        linear_free(&sum);
    }
    buf_char(&t->rest, '\n');
    buf_free(&where);
}

/* Names a helper: a thread that stays enabled until an earlier component decreases. */
static void put_helper(RankingText *t, unsigned helper) {
    if (t->helped[helper]) return;
    t->helped[helper] = true;
    buf_printf(&t->rest, "  as long as nothing else changes, %s can run, and a fair scheduler lets it run\n",
               display_thread(t->display, helper));
}

static void add_rank(RankingText *t, const Expr *rank) {
    Linear sum;
    bool positive = false;
    plain_sum(t->proof->system->exprs, rank, &sum);
    i128 constant = sum.constant;
    sum.constant = 0; /* the ranking function may also count locations; the text leaves that out */
    for (size_t i = 0; i < vec_len(sum.terms); i++) positive |= sum.terms[i].factor > 0;
    const Expr *e = vec_len(sum.terms) ? linear_expr(t->proof->system->exprs, &sum) : NULL;
    if (!positive) sum.constant = constant;
    if (e && !map_find(t->said, e)) {
        map_set(t->said, e, (void *)e);
        note_value(t, &sum);
    }
    linear_free(&sum);
}

static void add_component(RankingText *t, size_t i) {
    vec_each_at(const ProofNode, node, t->proof->nodes) {
        add_rank(t, node->rank[i]);
        if (vec_len(node->rounds) && vec_len(node->rounds[i].measures)) put_measures(t, node, node->rounds[i].measures);
        if (vec_len(node->helpers) && node->helpers[i]) put_helper(t, node->helpers[i] - 1);
    }
}

/* Adds the ranking functions of a thread in a proof by the rule `each`. */
static void add_thread(RankingText *t, unsigned thread) {
    const Expr ***ranks = t->proof->ranks[thread];
    for (size_t i = 0; vec_len(ranks) && i < vec_len(ranks[0]); i++)
        for (size_t l = 0; l < vec_len(ranks); l++) add_rank(t, ranks[l][i]);
}

void ranking_text(Buf *out, Display *display, const Proof *p) {
    RankingText t = {.display = display, .proof = p, .said = map_new()};
    vec_resize(t.helped, vec_len(p->system->threads));
    for (size_t i = 0; vec_len(p->nodes) && i < vec_len(p->nodes[0].rank); i++) add_component(&t, i);
    for (unsigned k = 0; p->rule == RULE_EACH && k < vec_len(p->ranks); k++)
        if (system_first_instance(p->system, k) == k) add_thread(&t, k);
    if (vec_len(t.values) || t.rest.length) buf_text(out, "Every loop ends. These values become smaller, and are not negative before:\n");
    else buf_text(out, "Every loop ends: no round leads the threads back to the same places with the same constants.\n");
    for (size_t i = 0; i < vec_len(t.values); i++) {
        put_value(out, &t.values[i]);
        free(t.values[i].places);
        free(t.values[i].sums);
    }
    buf_text(out, buf_string(&t.rest));
    vec_free(t.values);
    vec_free(t.helped);
    buf_free(&t.rest);
    map_free(t.said);
}
