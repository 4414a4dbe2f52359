/* SPDX-License-Identifier: Apache-2.0 */
/* If only one instruction assigns a local, v := e, then v equals e until v or a variable of e is assigned again. A forward data flow with a
   bit for each such local computes where this holds. The expression e only has frozen globals. */
#include "analysis/race_terms.h"
#include "analysis/congruence.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 24 }; /* nodes of a definition at most */

typedef struct Definition {
    const Variable *variable;
    const Expr *value;
} Definition;

struct DefinedTerms {
    Program *program;
    const Template *template_;
    const bool *frozen;
    Map *numbers;            /* Variable → index of its definition, + 1; 0 without a definition, UINT32_MAX with several assignments */
    Definition *list;        /* a vec */
    Map *uses;               /* Variable → index in users, + 1 */
    unsigned **users;        /* a vec of vecs: the definitions that read the variable */
    unsigned width;          /* words of a set of definitions */
    uint64_t *state;         /* a vec, by location: the definitions that hold */
    uint64_t *now;           /* a vec: the definitions that hold at the present instruction */
    const Variable *defined; /* the variable of the definition that is checked */
    bool bad;                /* this definition cannot be substituted */
};

/* ---- globals that stay ---- */

/* Returns, by action of main, whether it creates a thread or may run after a creation. A vec. */
static bool *after_creation(const Template *t) {
    bool *locations = NULL, *actions = NULL;
    vec_resize(locations, vec_len(t->locations));
    vec_resize(actions, vec_len(t->actions));
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t a = 0; a < vec_len(t->actions); a++) {
            const Action *x = &t->actions[a];
            bool after = locations[x->source];
            for (size_t i = 0; i < vec_len(x->instrs); i++) after |= x->instrs[i].kind == INSTR_CREATE;
            actions[a] = after;
            changed |= after && !locations[x->target];
            locations[x->target] |= after;
        }
    }
    vec_free(locations);
    return actions;
}

bool *frozen_globals(const Program *p) {
    bool *frozen = NULL, *after = after_creation(p->templates[0]);
    vec_resize(frozen, vec_len(p->globals));
    for (size_t g = 0; g < vec_len(frozen); g++) frozen[g] = true;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            const Instr *instrs = p->templates[t]->actions[a].instrs;
            for (size_t i = 0; i < vec_len(instrs); i++) {
                if (instrs[i].cell && instrs[i].cell->global) frozen[instrs[i].cell->index] = false;
                if (instrs[i].target && instrs[i].target->global && (t || after[a])) frozen[instrs[i].target->index] = false;
            }
        }
    vec_free(after);
    return frozen;
}

/* ---- definitions ---- */

static void check_symbol(void *context, const Symbol *s) {
    DefinedTerms *t = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && v == t->defined) t->bad = true;
    if (v && v->global && (t->template_->index == 0 || !t->frozen[v->index])) t->bad = true;
}

static bool is_definition(DefinedTerms *t, const Instr *i) {
    if (i->kind != INSTR_ASSIGN || i->target->global || i->value->sort->kind != SORT_BV || i->value->tree > LARGEST) return false;
    t->bad = false;
    t->defined = i->target;
    expr_symbols(i->value, check_symbol, t);
    return !t->bad;
}

static void find_definitions(DefinedTerms *t) {
    uint64_t n;
    const Template *x = t->template_;
    for (int round = 0; round < 2; round++)
        for (size_t a = 0; a < vec_len(x->actions); a++)
            vec_each_at(const Instr, i, x->actions[a].instrs) {
                if (!i->target || i->target->global) continue;
                bool known = map_get(t->numbers, map_key(i->target), &n);
                if (round == 0) map_put(t->numbers, map_key(i->target), known ? UINT32_MAX : 0); /* assigned twice, or once */
                if (round == 0 || n != 0 || !is_definition(t, i)) continue;
                vec_push(t->list, ((Definition){i->target, i->value}));
                map_put(t->numbers, map_key(i->target), vec_len(t->list));
            }
}

static unsigned number_of(const DefinedTerms *t, const Variable *v) {
    uint64_t n;
    return v && map_get(t->numbers, map_key(v), &n) && n != UINT32_MAX ? (unsigned)n : 0;
}

typedef struct Using {
    DefinedTerms *terms;
    unsigned definition;
} Using;

static void note_user(void *context, const Symbol *s) {
    const Using *u = context;
    uint64_t place;
    if (s->kind != SYM_VARIABLE) return;
    if (!map_get(u->terms->uses, map_key(s->user), &place)) {
        vec_push(u->terms->users, NULL);
        place = vec_len(u->terms->users);
        map_put(u->terms->uses, map_key(s->user), place);
    }
    vec_push(u->terms->users[place - 1], u->definition);
}

/* ---- the flow ---- */

static bool has(const DefinedTerms *t, unsigned d) { return t->now[d / 64] >> d % 64 & 1; }
static void drop(DefinedTerms *t, unsigned d) { t->now[d / 64] &= ~(UINT64_C(1) << d % 64); }

/* Drops the definitions that depend on a variable that changes, directly or by other definitions. */
static void assign(DefinedTerms *t, const Variable *v) {
    uint64_t place;
    unsigned n = number_of(t, v);
    if (n) drop(t, n - 1);
    if (!map_get(t->uses, map_key(v), &place)) return;
    const unsigned *users = t->users[place - 1];
    for (size_t i = 0; i < vec_len(users); i++)
        if (has(t, users[i])) {
            drop(t, users[i]);
            assign(t, t->list[users[i]].variable);
        }
}

static void execute(DefinedTerms *t, const Instr *i) {
    if (!i->target) return;
    assign(t, i->target);
    unsigned n = number_of(t, i->target);
    if (n && i->kind == INSTR_ASSIGN) t->now[(n - 1) / 64] |= UINT64_C(1) << (n - 1) % 64;
}

static void run_flow(DefinedTerms *t) {
    const Template *x = t->template_;
    unsigned *work = NULL;
    bool *seen = NULL;
    vec_resize(t->state, (size_t)t->width * vec_len(x->locations));
    vec_resize(t->now, t->width);
    vec_resize(seen, vec_len(x->locations));
    memset(t->state, 0xff, vec_len(t->state) * sizeof *t->state);
    memset(&t->state[(size_t)t->width * x->entry], 0, t->width * sizeof *t->state);
    vec_push(work, x->entry);
    seen[x->entry] = true;
    while (vec_len(work)) {
        const Location *l = &x->locations[vec_pop(work)];
        for (size_t k = 0; k < vec_len(l->out); k++) {
            const Action *a = &x->actions[l->out[k]];
            uint64_t *to = &t->state[(size_t)t->width * a->target];
            bool changed = !seen[a->target];
            memcpy(t->now, &t->state[(size_t)t->width * l->index], t->width * sizeof *t->now);
            for (size_t i = 0; i < vec_len(a->instrs); i++) execute(t, &a->instrs[i]);
            for (unsigned w = 0; w < t->width; w++) {
                changed |= (to[w] & ~t->now[w]) != 0;
                to[w] &= t->now[w];
            }
            seen[a->target] = true;
            if (changed) vec_push(work, a->target);
        }
    }
    vec_free(work);
    vec_free(seen);
}

DefinedTerms *terms_new(Program *p, const Template *template_, const bool *frozen) {
    DefinedTerms *t = zeroed(1, sizeof *t);
    t->program = p;
    t->template_ = template_;
    t->frozen = frozen;
    t->numbers = map_new();
    t->uses = map_new();
    find_definitions(t);
    for (unsigned d = 0; d < vec_len(t->list); d++) expr_symbols(t->list[d].value, note_user, &(Using){t, d});
    t->width = (unsigned)(vec_len(t->list) + 63) / 64;
    if (t->width) run_flow(t);
    return t;
}

void terms_free(DefinedTerms *t) {
    vec_free_rows(t->users);
    vec_free(t->list);
    vec_free(t->state);
    vec_free(t->now);
    map_free(t->numbers);
    map_free(t->uses);
    free(t);
}

/* Returns the value of a local whose definition holds, with definitions substituted. */
static const Expr *substituted_value(void *context, const Expr *e) {
    DefinedTerms *t = context;
    unsigned n = number_of(t, expr_variable(e));
    if (!n || !has(t, n - 1)) return NULL;
    return expr_substitute(t->program->exprs, t->list[n - 1].value, substituted_value, t);
}

const Expr *terms_at(DefinedTerms *t, const Action *a, unsigned instr, const Expr *e) {
    if (!t->width) return e;
    memcpy(t->now, &t->state[(size_t)t->width * a->source], t->width * sizeof *t->now);
    for (unsigned i = 0; i < instr; i++) execute(t, &a->instrs[i]);
    return expr_substitute(t->program->exprs, e, substituted_value, t);
}

/* ---- addresses ---- */

static bool is_object(const Expr *e) { return e->op == OP_SYMBOL && e->symbol->kind == SYM_ADDRESS; }

/* Recognises object + scale * index, where the product is read with sign and does not wrap around. */
static void index_form(Place *p, const Expr *object, const Expr *product) {
    const Expr *by = product->op == OP_MUL ? product->args[1] : NULL, *index = by ? product->args[0] : NULL;
    if (by && expr_is_const(index)) by = product->args[0], index = product->args[1];
    if (!is_object(object) || !by || !expr_is_const(by) || !by->value || by->value >> 31 || !congruence_exact(product)) return;
    p->object = object->symbol->user;
    p->index = index;
    p->scale = (uint64_t)by->value;
}

Place place_of(Program *program, const Expr *e) {
    Place p = {.rest = e};
    while (p.rest->op == OP_ADD && (expr_is_const(p.rest->args[0]) || expr_is_const(p.rest->args[1]))) {
        const Expr *constant = p.rest->args[expr_is_const(p.rest->args[0]) ? 0 : 1];
        p.rest = p.rest->args[constant == p.rest->args[0] ? 1 : 0];
        p.offset += (uint64_t)constant->value;
    }
    if (program->pointer_width == 32) p.offset = (uint64_t)(int64_t)(int32_t)p.offset;
    /* (object + 8) + scale * index: the constant is an operand of the inner sum */
    if (p.rest->op == OP_ADD)
        for (unsigned i = 0; i < 2; i++) {
            const Expr *x = p.rest->args[i], *y = p.rest->args[1 - i];
            while (x->op == OP_ADD && expr_is_const(x->args[1])) {
                p.offset += (uint64_t)x->args[1]->value;
                x = x->args[0];
            }
            if (x != p.rest->args[i]) {
                p.rest = expr_2(program->exprs, OP_ADD, x, y);
                break;
            }
        }
    if (p.rest->op == OP_ADD) {
        index_form(&p, p.rest->args[0], p.rest->args[1]);
        if (!p.object) index_form(&p, p.rest->args[1], p.rest->args[0]);
    }
    return p;
}
