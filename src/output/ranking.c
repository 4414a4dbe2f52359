/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes smaller, in the order in which it counts, and the places that make it smaller: the loop at line 12: n - i. Components that only
   number the places where threads are say nothing to people. */
#include "output/ranking.h"
#include "base/map.h"
#include "base/vec.h"
#include "expr/normal.h"
#include "output/blocks.h"
#include <string.h>

/* ---- sums as people write them: what is added first ---- */

static void put_term(Buf *out, People *people, const Term *t, bool first) {
    i128 factor = t->factor < 0 ? -t->factor : t->factor;
    buf_text(out, first ? (t->factor < 0 ? "-" : "") : t->factor < 0 ? " - " : " + ");
    if (factor != 1) buf_printf(out, "%lld * ", (long long)factor);
    expr_print_c(out, people_number(people, t->monomial));
}

static void put_sum(Buf *out, People *people, const Linear *sum) {
    bool first = true;
    for (unsigned negative = 0; negative < 2; negative++)
        for (size_t i = 0; i < vec_len(sum->terms); i++) {
            if ((sum->terms[i].factor < 0) != negative) continue;
            put_term(out, people, &sum->terms[i], first);
            first = false;
        }
    i128 c = sum->constant;
    if (c) buf_printf(out, c < 0 ? " - %lld" : " + %lld", (long long)(c < 0 ? -c : c));
}

/* ---- who makes it smaller ---- */

/* A choice inside of e; NULL: none. */
static const Expr *find_choice(const Expr *e) {
    if (e->op == OP_ITE) return e;
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *found = find_choice(e->args[i]);
        if (found) return found;
    }
    return NULL;
}

typedef struct Exchange {
    const Expr *part, *by;
} Exchange;

static const Expr *exchanged(void *context, const Expr *e) {
    const Exchange *x = context;
    return e == x->part ? x->by : NULL;
}

/* What it becomes is smaller by a constant, or may be. */
static bool is_less(const System *s, const Expr *becomes, const Linear *sum, unsigned depth) {
    enum { DEEP = 4 };
    const Expr *choice = depth < DEEP ? find_choice(becomes) : NULL;
    for (unsigned side = 1; choice && side < 3; side++)
        if (is_less(s, expr_replace(s->exprs, becomes, exchanged, &(Exchange){choice, choice->args[side]}), sum, depth + 1)) return true;
    if (choice) return false;
    Linear after;
    linear_of(s->exprs, becomes, &after);
    bool less = linear_add(&after, -1, sum) && !vec_len(after.terms) && after.constant < 0;
    linear_free(&after);
    return less;
}

static bool falls(const System *s, const Transition *x, const Linear *sum) {
    return is_less(s, transition_after(s, x, linear_expr(s->exprs, sum)), sum, 0);
}

static void put_places(Buf *out, const People *people, const Proof *p, const Linear *sum) {
    const System *s = p->system;
    Buf seen = {0};
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Transition *x = &s->threads[t].transitions[i];
            Buf place = {0};
            if (!falls(s, x, sum)) continue;
            buf_printf(&place, "%s at ", people_thread(people, t));
            people_position(people, &place, blocks_next_of(p, t, x));
            if (!strstr(buf_string(&seen), buf_string(&place))) buf_printf(&seen, "%s%s", seen.length ? ", " : "", buf_string(&place));
            buf_free(&place);
        }
    if (seen.length) buf_printf(out, ", by %s", buf_string(&seen));
    buf_free(&seen);
}

static void put_component(Buf *out, People *people, const Proof *p, size_t i, Map *said) {
    for (size_t n = 0; n < vec_len(p->nodes); n++) {
        Linear sum;
        linear_of(p->system->exprs, p->nodes[n].rank[i], &sum);
        sum.constant = 0; /* where threads are may count too: that is no part of what is said */
        const Expr *e = vec_len(sum.terms) ? linear_expr(p->system->exprs, &sum) : NULL;
        if (e && !map_find(said, e)) {
            map_set(said, e, (void *)e);
            buf_text(out, "  ");
            put_sum(out, people, &sum);
            put_places(out, people, p, &sum);
            buf_char(out, '\n');
        }
        linear_free(&sum);
    }
}

void ranking_text(Buf *out, People *people, const Proof *p) {
    Buf text = {0};
    Map *said = map_new();
    for (size_t i = 0; vec_len(p->nodes) && i < vec_len(p->nodes[0].rank); i++) put_component(&text, people, p, i, said);
    map_free(said);
    if (text.length)
        buf_printf(out, "Every loop ends: with each round the first of these that changes becomes smaller, and is not negative before:\n%s",
                   buf_string(&text));
    else buf_text(out, "No round of a loop leads back to where the threads were, with the same constants: each step leads on.\n");
    buf_free(&text);
}
