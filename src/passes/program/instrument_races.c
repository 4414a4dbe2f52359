/* SPDX-License-Identifier: Apache-2.0 */
/* Turns data races into errors, for engines that search for error locations.

   requires  a well-formed program in which guards read no global variables, and whose assertions are forgotten (ir/asserts.h)
   ensures   an ERROR is reachable iff two threads can, in one state, each be about to access the same place. One of the accesses must be a write, and
             one must not be atomic. Locations and actions of the program come first, with their old numbers
   breaks    nothing

   For each pair of accesses that may race, one access claims and the other sees. A thread that is about to make the claiming access may instead
   claim the place, and stop for ever. The global `claim` then holds the number of the access, and two more globals hold the start and the end of its
   bytes. Another thread that is about to make the seeing access to these bytes can move to the error. Each execution has at most one claim.

   C calls two conflicting accesses a race if happens-before does not order them. Suppose that the program synchronises only by mutexes, joins, and
   atomic accesses that are sequentially consistent, or release and acquire. Then a race exists iff two conflicting accesses can be next in one
   state: execute only the steps that happen before one of the two. A relaxed access orders nothing in C, but here it would. The caller
   reports this.

   An access that is not the first visible one of its action is in an atomic section. This access can only see, since a thread that is about to make
   it has already entered the section. Two accesses in atomic sections are never next in one state. */
#include "passes/program/instrumented.h"
#include "analysis/pointsto.h"
#include "base/map.h"
#include "ir/copy.h"
#include "passes/program/mhp.h"
#include "analysis/race_sites.h"
#include "passes/messages.h"
#include <stdlib.h>

/* Role is the part of a site in pairs of accesses. */
typedef struct Role {
    unsigned claim; /* the number of the site's claim; 0: the site does not claim */
    unsigned *seen; /* a vec: the sites whose claims the site sees */
} Role;

typedef struct Ask {
    Program *program;
    bool *shared; /* by object */
    Site *sites;  /* a vec */
    Role *roles;  /* a vec, by site */
    Variable *claim, *from, *to;
    unsigned *stuck; /* by template: the location of a thread that has claimed, + 1; 0: not made yet */
    bool pairs;      /* some pair may race */
    bool allocated;  /* some pair has an allocation: no state has both next, but weak accesses may leave them unordered */
    Instrumented *out;
    /* the rest is used if accesses that cannot race are excluded: */
    unsigned *first_action; /* by template: the number of its first action among all */
    Map *asked;             /* the pairs of actions that are instrumented, the smaller first */
    uint64_t *list;         /* a vec: the same pairs, later sorted */
    RaceProof *apart;
} Ask;

/* ---- pairs ---- */

/* Returns the known races that the access takes part in. */
static uint32_t known_races(const Ask *a, const Site *s) {
    return known_at(a->out->question->known, a->program->templates[s->template_]->actions[s->action].instrs[s->instr].position);
}

static bool may_race(const Ask *a, const Site *x, const Site *y) {
    if (!(x->writes || y->writes) || (x->atomic && y->atomic) || (x->section && y->section) || !(x->first || y->first)) return false;
    if ((x->mutex && !y->life) || (y->mutex && !x->life)) return false;
    if (x->template_ == y->template_ && a->program->templates[x->template_]->count == 1) return false;
    if (a->out->question->known && (known_races(a, x) & known_races(a, y))) return false;
    return (x->variable || y->variable) ? x->variable == y->variable : true;
}

/* Pairs two sites if they may race. A write claims, if it can; of two writes, the first claims. */
static void pair_up(Ask *a, size_t i, size_t k) {
    const Site *x = &a->sites[i], *y = &a->sites[k];
    if (!may_race(a, x, y)) return;
    if (x->allocates || y->allocates) {
        a->allocated = true;
        return;
    }
    bool second = !x->first || (!x->writes && y->first);
    size_t claims = second ? k : i, sees = second ? i : k;
    a->roles[claims].claim = 1;
    vec_push(a->roles[sees].seen, (unsigned)claims);
    a->pairs = true;
}

static bool overlap_statically(PointsTo *p, const Site *x, const Site *y) {
    if (x->variable || y->variable) return x->variable == y->variable;
    if (pointsto_is_wild(p, x->address) || pointsto_is_wild(p, y->address)) return true;
    const Targets *a = pointsto(p, x->address), *b = pointsto(p, y->address);
    for (size_t i = 0; i < vec_len(a->list); i++)
        for (size_t k = 0; k < vec_len(b->list); k++)
            if (a->list[i].object == b->list[k].object) return true;
    return false;
}

static void pair_all(Ask *a) {
    PointsTo *p = pointsto_new(a->program);
    for (size_t i = 0; i < vec_len(a->sites); i++)
        for (size_t k = i; k < vec_len(a->sites); k++)
            if (overlap_statically(p, &a->sites[i], &a->sites[k])) pair_up(a, i, k);
    pointsto_free(p);
}

/* ---- pairs that may happen in parallel ---- */

static void note_pair(void *context, const RaceAccess *one, const RaceAccess *other) {
    Ask *a = context;
    const RaceThread *t = &a->apart->threads[one->thread], *u = &a->apart->threads[other->thread];
    uint64_t x = a->first_action[t->template_] + t->steps[one->step].action,
             y = a->first_action[u->template_] + u->steps[other->step].action;
    uint64_t key = x < y ? x << 32 | y : y << 32 | x;
    if (map_get(a->asked, key, NULL)) return;
    map_put(a->asked, key, 1);
    vec_push(a->list, key);
}

static bool has_stop(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t l = 0; l < vec_len(p->templates[t]->locations); l++)
            if (p->templates[t]->locations[l].kind == LOCATION_STOP) return true;
    return false;
}

/* Finds the pairs of accesses that locks, creation and joins do not order. The analysis changes a copy of the program. */
static void find_unordered_pairs(Ask *a) {
    Program *p = program_copy(a->program);
    a->apart = prove_race_free(p, true);
    if (a->apart) race_pairs(a->apart, note_pair, a, NULL);
    a->out->race_proof = a->apart;
    a->out->race_program = p;
    a->out->models_all_code = !has_stop(p);
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void pair_unordered(Ask *a) {
    size_t *start = NULL, n = 0; /* by action: its first site */
    for (size_t t = 0; t < vec_len(a->program->templates); t++)
        for (size_t k = 0; k < vec_len(a->program->templates[t]->actions); k++) {
            while (n < vec_len(a->sites) && (a->sites[n].template_ < t || (a->sites[n].template_ == t && a->sites[n].action < k))) n++;
            vec_push(start, n);
        }
    vec_push(start, vec_len(a->sites));
    if (vec_len(a->list)) qsort(a->list, vec_len(a->list), sizeof *a->list, compare_keys);
    for (size_t p = 0; p < vec_len(a->list); p++) {
        uint64_t x = a->list[p] >> 32, y = a->list[p] & UINT32_MAX;
        for (size_t i = start[x]; i < start[x + 1]; i++)
            for (size_t k = x == y ? i : start[y]; k < start[y + 1]; k++) pair_up(a, i, k);
    }
    vec_free(start);
}

static void number_claims(Ask *a) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(a->roles); i++)
        if (a->roles[i].claim) a->roles[i].claim = ++n;
}

/* ---- instrumentation ---- */

static const Expr *of(const Ask *a, const Variable *v) { return variable_expr(a->program, v); }
static const Expr *claim_number(const Ask *a, unsigned n) { return expr_bv(a->program->exprs, 32, n); }

static void make_globals(Ask *a) {
    Program *p = a->program;
    const Sort *pointer = sort_bv(p->exprs, p->pointer_width);
    a->claim = program_global(p, "claim", sort_bv(p->exprs, 32), expr_bv(p->exprs, 32, 0));
    a->from = program_global(p, "claim_from", pointer, expr_bv(p->exprs, p->pointer_width, 0));
    a->to = program_global(p, "claim_to", pointer, expr_bv(p->exprs, p->pointer_width, 0));
    a->claim->temporary = a->from->temporary = a->to->temporary = true;
}

static Instr assignment(Variable *v, const Expr *value, Position at) {
    return (Instr){.kind = INSTR_ASSIGN, .target = v, .value = value, .position = at};
}

static Instr assumption(const Expr *e, Position at) { return (Instr){.kind = INSTR_ASSUME, .value = e, .position = at}; }

/* Returns the end of the accessed bytes; a FREE accesses the whole object. Appends the instructions that compute the end. */
static const Expr *end_of(Ask *a, const Site *s, Instr **instrs, Position at) {
    Program *p = a->program;
    const Expr *size = s->size;
    if (!size) {
        Variable *v = template_local(p, p->templates[s->template_], "size", sort_bv(p->exprs, p->pointer_width));
        v->temporary = true;
        vec_push(*instrs, ((Instr){.kind = INSTR_SIZE, .target = v, .address = s->address, .position = at}));
        size = of(a, v);
    }
    return expr_2(p->exprs, OP_ADD, s->address, size);
}

/* Returns the instructions before the access in its action. A thread that waits for a mutex is not about to access it. */
static Instr *before(const Ask *a, const Site *s) {
    const Action *action = &a->program->templates[s->template_]->actions[s->action];
    Instr *instrs = NULL;
    bool waits = action->instrs[s->instr].kind == INSTR_LOCK;
    for (unsigned i = 0; i < s->instr + waits; i++) vec_push(instrs, action->instrs[i]);
    return instrs;
}

static Position place_of(const Ask *a, const Site *s) {
    const Action *action = &a->program->templates[s->template_]->actions[s->action];
    Position at = action->instrs[s->instr].position;
    return at.file ? at : action->position;
}

static void add_action(Ask *a, const Site *s, unsigned target, Instr *instrs) {
    Template *t = a->program->templates[s->template_];
    const Action *like = &t->actions[s->action];
    unsigned approximation = like->approximation;
    Action *x = template_action(a->program, t, like->source, target, like->guard, place_of(a, s));
    x->instrs = instrs;
    x->approximation = approximation;
    instrumented_record(a->out, s->template_, x->index, s->action);
}

static const Expr *freed_is_null(const Ask *a, const Site *s) {
    return s->size ? NULL : expr_2(a->program->exprs, OP_EQ, s->address, expr_bv(a->program->exprs, a->program->pointer_width, 0));
}

static void add_claiming_action(Ask *a, const Site *s, unsigned number) {
    Program *p = a->program;
    Template *t = p->templates[s->template_];
    Position at = place_of(a, s);
    Instr *instrs = before(a, s);
    if (!a->stuck[t->index]) a->stuck[t->index] = template_location(p, t, LOCATION_PLAIN, (Position){0}) + 1;
    vec_push(instrs, assumption(expr_2(p->exprs, OP_EQ, of(a, a->claim), claim_number(a, 0)), at));
    if (!s->variable) {
        const Expr *null = freed_is_null(a, s);
        if (null) vec_push(instrs, assumption(expr_not(p->exprs, null), at));
        const Expr *end = end_of(a, s, &instrs, at);
        vec_push(instrs, assignment(a->from, s->address, at));
        vec_push(instrs, assignment(a->to, end, at));
    }
    vec_push(instrs, assignment(a->claim, claim_number(a, number), at));
    add_action(a, s, a->stuck[t->index] - 1, instrs);
}

/* Returns the condition that another thread has claimed an access that this one sees, to the same place. */
static const Expr *sees_race(const Ask *a, const Site *s, const unsigned *seen, const Expr *end) {
    Exprs *e = a->program->exprs;
    const Expr *any = expr_bool(e, false);
    for (size_t i = 0; i < vec_len(seen); i++)
        any = expr_or(e, any, expr_2(e, OP_EQ, of(a, a->claim), claim_number(a, a->roles[seen[i]].claim)));
    if (s->variable) return any;
    const Expr *over = expr_and(e, expr_2(e, OP_ULT, of(a, a->from), end), expr_2(e, OP_ULT, s->address, of(a, a->to)));
    return expr_and(e, any, over);
}

static void add_seeing_action(Ask *a, const Site *s, const unsigned *seen) {
    Program *p = a->program;
    Template *t = p->templates[s->template_];
    Position at = place_of(a, s);
    Instr *instrs = before(a, s);
    const Expr *null = s->variable ? NULL : freed_is_null(a, s), *end = NULL;
    if (null) vec_push(instrs, assumption(expr_not(p->exprs, null), at));
    if (!s->variable) end = end_of(a, s, &instrs, at);
    vec_push(instrs, assumption(sees_race(a, s, seen, end), at));
    unsigned error = template_location(p, t, LOCATION_ERROR, at);
    t->locations[error].text = MSG_PASSES_RACE;
    t->locations[error].function = t->locations[t->actions[s->action].source].function;
    add_action(a, s, error, instrs);
}

static void refuse(Ask *a, const Action *guard) {
    if (!guard) return;
    a->out->refused = MSG_PASSES_RACE_CONDITION;
    a->out->where = guard->position;
}

static void find_pairs(Ask *a, bool exclude) {
    unsigned n = 0;
    for (size_t t = 0; t < vec_len(a->program->templates); t++) {
        vec_push(a->first_action, n);
        n += (unsigned)vec_len(a->program->templates[t]->actions);
    }
    a->asked = map_new();
    if (exclude) find_unordered_pairs(a); /* before actions are added */
    if (a->apart) pair_unordered(a);
    else pair_all(a);
    number_claims(a);
    map_free(a->asked);
    vec_free(a->list);
    vec_free(a->first_action);
}

Instrumented instrument_races(Program *program, const Question *question, bool exclude) {
    Instrumented out = {.program = program, .question = question, .end = TRACE_RACE};
    Ask a = {.program = out.program, .out = &out};
    const Action *guard;
    a.shared = program_shared_objects(a.program);
    a.sites = race_sites(a.program, a.shared, &guard);
    refuse(&a, guard);
    vec_resize(a.roles, vec_len(a.sites));
    vec_resize(a.stuck, vec_len(a.program->templates));
    find_pairs(&a, exclude && !guard);
    if (a.pairs) make_globals(&a);
    else out.nothing_added = !a.allocated;
    for (size_t i = 0; i < vec_len(a.sites); i++) {
        if (a.roles[i].claim) add_claiming_action(&a, &a.sites[i], a.roles[i].claim);
        if (vec_len(a.roles[i].seen)) add_seeing_action(&a, &a.sites[i], a.roles[i].seen);
        vec_free(a.roles[i].seen);
    }
    vec_free(a.sites);
    vec_free(a.roles);
    vec_free(a.stuck);
    vec_free(a.shared);
    return out;
}
