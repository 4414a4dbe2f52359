/* SPDX-License-Identifier: Apache-2.0 */
/* What a person wants to know of a proof: for the places where threads can be at the same time, what then holds. What
   only Heddle knows of (a thread's status, temporaries) is left out. */
#include "output/invariants.h"
#include "base/vec.h"
#include "output/reduction.h"
#include <string.h>

enum { FEW = 8 };

typedef struct Hidden {
    const System *system;
    bool found;
} Hidden;

static void look(void *context, const Symbol *s) {
    Hidden *h = context;
    unsigned v = system_variable(h->system, s);
    h->found |= v == NONE || h->system->variables[v].hidden;
}

static bool is_for_people(const System *s, const Expr *e) {
    Hidden h = {s, false};
    expr_symbols(e, look, &h);
    return !h.found;
}

const Expr *invariant_for_people(const System *s, const Expr *e) {
    const Expr *all = expr_bool(s->exprs, true);
    if (e->op != OP_AND) return is_for_people(s, e) ? e : all;
    for (unsigned i = 0; i < e->nargs; i++) all = expr_and(s->exprs, all, invariant_for_people(s, e->args[i]));
    return all;
}

/* False: it says nothing to people, or that nobody is there. */
static bool print_invariant(Buf *out, const System *s, const Expr *e) {
    e = invariant_for_people(s, e);
    if (expr_is_true(e) || expr_is_false(e)) return false;
    expr_print_c(out, e);
    return true;
}

/* The invariant names the thread's status: it is running. */
static bool is_running(const System *s, const Expr *e, unsigned status) {
    for (unsigned i = 0; e->op == OP_AND && i < e->nargs; i++)
        if (is_running(s, e->args[i], status)) return true;
    const Expr *running = expr_const(s->exprs, s->variables[status].symbol->sort, 1);
    return e == expr_eq(s->exprs, system_expr(s, status), running);
}

void invariant_place(Buf *out, const System *s, const ProofNode *n) {
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        const SystemLocation *l = &s->threads[t].locations[n->locations[t]];
        buf_printf(out, "%s%s ", t ? ", " : "", s->threads[t].name);
        if (l->kind == LOCATION_END || l->kind == LOCATION_HALT) buf_text(out, "ended");
        else if (t && n->locations[t] == s->threads[t].entry && !is_running(s, n->invariant, s->threads[t].status)) buf_text(out, "not started");
        else buf_printf(out, "at line %u", l->position.line);
    }
}

static void print_where(Buf *out, const System *s, unsigned t, unsigned l) {
    const SystemLocation *at = &s->threads[t].locations[l];
    buf_text(out, s->threads[t].name);
    if (at->kind == LOCATION_END) buf_text(out, " ended");
    else if (l == s->threads[t].entry) buf_text(out, " at its start");
    else buf_printf(out, " at line %u", at->position.line);
}

/* Modular: thread by thread. */
static void print_modular(Buf *out, const Proof *p) {
    const System *s = p->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            Buf text = {0};
            bool second = system_first_twin(s, t) != t;
            if (p->stop[t][l] && !second && print_invariant(&text, s, p->invariants[t][l])) {
                buf_text(out, s->threads[t].many ? "  every " : "  ");
                print_where(out, s, t, l);
                buf_printf(out, ":\n      %s\n", buf_string(&text));
            }
            buf_free(&text);
        }
}

/* Of two of the same, the second's locals are marked. */
static const Expr *marked_symbol(void *context, const Expr *e) {
    const Proof *p = ((const void **)context)[0];
    const ProofPair *pair = ((const void **)context)[1];
    const System *s = p->system;
    unsigned v = system_variable(s, e->symbol);
    if (v == NONE || s->variables[v].thread != pair->second || s->variables[v].hidden) return NULL;
    Buf name = {0};
    buf_printf(&name, "%s'", s->variables[v].name);
    const Expr *marked = expr_symbol(s->exprs, symbol_new(s->exprs, SYM_VARIABLE, buf_string(&name), e->sort));
    buf_free(&name);
    return marked;
}

static void print_pair(Buf *out, const Proof *p, const ProofPair *pair, unsigned l, unsigned k, bool all, unsigned *shown, unsigned *more) {
    const System *s = p->system;
    Buf text = {0};
    const void *context[] = {p, pair};
    const Expr *e = invariant_for_people(s, pair->invariants[l][k]);
    if (s->threads[pair->first].twin == pair->second) e = expr_substitute(s->exprs, e, marked_symbol, context);
    bool said = !expr_is_true(e) && !expr_is_false(e), show = all || *shown < FEW;
    if (said && show) {
        expr_print_c(&text, e);
        buf_text(out, s->threads[pair->first].twin == pair->second ? "  any two, " : "  ");
        print_where(out, s, pair->first, l);
        buf_text(out, ", ");
        print_where(out, s, pair->second, k);
        buf_printf(out, ":\n      %s\n", buf_string(&text));
    }
    *shown += said && show;
    *more += said && !show;
    buf_free(&text);
}

/* Two threads at a time; of two of the same, one order of places. */
static void print_pairs(Buf *out, const Proof *p, bool all) {
    unsigned shown = 0, more = 0;
    for (size_t i = 0; i < vec_len(p->pairs); i++) {
        const ProofPair *pair = &p->pairs[i];
        bool same = p->system->threads[pair->first].twin == pair->second;
        for (unsigned l = 0; l < vec_len(pair->invariants); l++)
            for (unsigned k = same ? l : 0; k < vec_len(pair->invariants[l]); k++)
                if (p->stop[pair->first][l] && p->stop[pair->second][k]) print_pair(out, p, pair, l, k, all, &shown, &more);
    }
    if (more) buf_printf(out, "  … and %u more (--verbose shows all)\n", more);
}

/* Symbols are told apart by suffixes (#2) that the program does not know. */
static void drop_suffixes(Buf *b) {
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

static void print_product(Buf *, const Proof *, bool all);

void invariants_text(Buf *out, const Proof *p, bool all) {
    if (p->rule == RULE_MODULAR || p->rule == RULE_SAFETY) print_modular(out, p);
    else if (p->rule == RULE_PAIRS) print_pairs(out, p, all);
    else if (p->rule == RULE_REDUCED) reduction_text(out, p, all);
    else print_product(out, p, all);
    drop_suffixes(out);
}

static void print_product(Buf *out, const Proof *p, bool all) {
    const System *s = p->system;
    unsigned shown = 0, more = 0;
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        Buf text = {0};
        bool telling = print_invariant(&text, s, p->nodes[i].invariant);
        if (telling && (all || shown < FEW) && (all || text.length < 400)) {
            buf_text(out, "  ");
            invariant_place(out, s, &p->nodes[i]);
            buf_printf(out, ":\n      %s\n", buf_string(&text));
            shown++;
        } else if (telling) {
            more++;
        }
        buf_free(&text);
    }
    if (more) buf_printf(out, "  … and %u more (--verbose shows all)\n", more);
}
