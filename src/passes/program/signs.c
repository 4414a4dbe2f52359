/* SPDX-License-Identifier: Apache-2.0 */
/* Infers which variables without a declared type hold signed numbers.

   requires  a program without memory (partition-memory)
   ensures   a variable without a declared type (a temporary, a cell of the heap) is signed if most of its uses are signed
   breaks    nothing: no verdict depends on a sign

   If a value is used with the sign of its variable, integer arithmetic (build/integers.h) has no need to convert it. Each use of a value as
   signed or unsigned is a vote for the variable that the value comes from. A variable without votes takes the sign of the variables that its
   values are copied to or from, the nearest first. */
#include "passes/program/program_passes.h"
#include "base/map.h"

typedef struct Link {
    unsigned a, b; /* variables, by number: the program copies or compares their values */
} Link;

typedef struct Signs {
    Program *program;
    Map *index;           /* Variable -> number + 1 */
    Variable **variables; /* vecs by number */
    int *votes;           /* the signed uses minus the unsigned ones */
    bool *known;          /* the sign is declared or decided */
    Link *links;          /* a vec */
    Map *seen;            /* expressions that were visited */
} Signs;

static bool is_declared(const Variable *v) { return v->is_signed || v->ctype; }

static unsigned number_of(Signs *s, Variable *v) {
    uint64_t n = 0;
    if (map_get(s->index, map_key(v), &n)) return (unsigned)n - 1;
    vec_push(s->variables, v);
    vec_push(s->votes, 0);
    vec_push(s->known, is_declared(v));
    map_put(s->index, map_key(v), vec_len(s->variables));
    return (unsigned)vec_len(s->variables) - 1;
}

/* Receives a variable that is a value, or a part of it: a term, a factor, or a branch of an if-then-else. */
typedef void (*SourceVisitor)(Signs *, unsigned variable, int argument);

static void visit_sources(Signs *s, const Expr *e, SourceVisitor visit, int argument) {
    const Variable *v = expr_variable(e);
    switch (e->op) {
    case OP_SYMBOL:
        if (v) visit(s, number_of(s, (Variable *)v), argument);
        return;
    case OP_SELECT: visit_sources(s, e->args[0], visit, argument); return;
    case OP_STORE:
        visit_sources(s, e->args[0], visit, argument);
        visit_sources(s, e->args[2], visit, argument);
        return;
    case OP_ITE:
        visit_sources(s, e->args[1], visit, argument);
        visit_sources(s, e->args[2], visit, argument);
        return;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        visit_sources(s, e->args[0], visit, argument);
        visit_sources(s, e->args[1], visit, argument);
        return;
    default: return;
    }
}

static void vote(Signs *s, unsigned variable, int sign) { s->votes[variable] += sign; }

static void want(Signs *s, const Expr *e, int sign) {
    if (!expr_is_const(e)) visit_sources(s, e, vote, sign);
}

static void link_to(Signs *s, unsigned variable, int other) { vec_push(s->links, ((Link){variable, (unsigned)other})); }

/* ---- uses ---- */

static int sign_wanted(const Expr *e) {
    switch (e->op) {
    case OP_SLT:
    case OP_SLE:
    case OP_SDIV:
    case OP_SREM:
    case OP_ASHR:
    case OP_SEXT: return 1;
    case OP_ULT:
    case OP_ULE:
    case OP_UDIV:
    case OP_UREM:
    case OP_LSHR:
    case OP_ZEXT: return -1;
    default: return e->flags & (FLAG_NSW | FLAG_EXACT) ? 1 : 0;
    }
}

static void visit(Signs *s, const Expr *e) {
    if (!e || !e->nargs || map_find(s->seen, e)) return;
    map_set(s->seen, e, s);
    int sign = sign_wanted(e);
    for (unsigned i = 0; i < e->nargs; i++) {
        if (sign) want(s, e->args[i], sign);
        visit(s, e->args[i]);
    }
    if ((e->op == OP_SELECT || e->op == OP_STORE) && e->args[1]->sort->kind == SORT_BV) want(s, e->args[1], 1);
    const Variable *a = e->op == OP_EQ ? expr_variable(e->args[0]) : NULL;
    if (a) visit_sources(s, e->args[1], link_to, (int)number_of(s, (Variable *)a));
}

static void visit_instr(Signs *s, const Instr *i) {
    visit(s, i->value);
    if (i->kind != INSTR_ASSIGN) return;
    unsigned target = number_of(s, i->target);
    if (is_declared(i->target)) want(s, i->value, i->target->is_signed ? 1 : -1);
    else if (i->value->op == OP_SEXT || (i->value->flags & FLAG_NSW)) vote(s, target, 1);
    visit_sources(s, i->value, link_to, (int)target);
}

/* ---- decisions ---- */

static void decide(Signs *s, unsigned v, bool is_signed) {
    s->known[v] = true;
    if (is_signed && !s->variables[v]->is_signed) variable_set_signed(s->program, s->variables[v], true);
}

/* Spreads the decided signs along the links, one link in each round. */
static void spread(Signs *s) {
    for (bool again = true; again;) {
        int *heard = NULL;
        again = false;
        vec_resize(heard, vec_len(s->variables));
        vec_each(Link, l, s->links) {
            if (s->known[l.a] && !s->known[l.b]) heard[l.b] += s->variables[l.a]->is_signed ? 1 : -1;
            if (s->known[l.b] && !s->known[l.a]) heard[l.a] += s->variables[l.b]->is_signed ? 1 : -1;
        }
        for (unsigned v = 0; v < vec_len(heard); v++)
            if (heard[v]) decide(s, v, heard[v] > 0), again = true;
        vec_free(heard);
    }
}

void mark_signs(Program *p) {
    Signs s = {.program = p, .index = map_new(), .seen = map_new()};
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        unsigned self = number_of(&s, p->templates[t]->self);
        s.known[self] = true; /* numbers of threads are unsigned */
    }
    program_each_action(const Action, action, p) {
        visit(&s, action->guard);
        for (size_t i = 0; i < vec_len(action->instrs); i++) visit_instr(&s, &action->instrs[i]);
    }
    for (unsigned v = 0; v < vec_len(s.variables); v++)
        if (!s.known[v] && s.votes[v]) decide(&s, v, s.votes[v] > 0);
    spread(&s);
    map_free(s.index);
    map_free(s.seen);
    vec_free(s.variables);
    vec_free(s.votes);
    vec_free(s.known);
    vec_free(s.links);
}
