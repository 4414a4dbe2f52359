/* SPDX-License-Identifier: Apache-2.0 */
/* Data races become errors, for engines that look for errors.

   requires  a well-formed program in which guards read no global variables
   ensures   an ERROR is reachable iff two threads can be, in one state, each about to access the same place, one of them to write, not both
             atomically. Locations and actions of the program come first, with their numbers.
   breaks    assertions must be forgotten before (ir/asserts.h)

   For each pair of accesses that may race one claims and the other sees. Where a thread is about to make the claiming access it may instead claim
   the place, and stay there for ever: the global `claim` says which access it is, two more say from where to where. Another thread that is about to make the other
   access, to the same place, gets to the error. Only one claim is made in an execution.

   With mutexes, joins and atomic accesses that synchronise (sequentially consistent, or release and acquire), a race in the sense of C, two
   accesses that nothing orders, exists iff there is such a pair side by side: of two accesses that nothing orders, take what has to come before
   either of them; this is an execution after which both are next. A relaxed access orders nothing, but here it would; the caller says so.

   An access that is not the first visible one of its action is in an atomic section: it can only see, since before it the section has
   been entered. Two such accesses are never side by side. */
#include "transform/program/asked.h"
#include "analysis/pointsto.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/copy.h"


typedef struct Site {
    unsigned template_, action, instr;
    bool writes, atomic, section;
    bool first;               /* nothing that others can see comes before it in its action */
    const Variable *variable; /* or NULL: memory */
    const Expr *address, *size;
    const Targets *targets;
    bool wild;
    unsigned claim;           /* its number; 0: it claims nothing */
    unsigned *seen;           /* a vec: sites whose claims it sees */
} Site;

typedef struct Ask {
    Program *program;
    PointsTo *pointsto;
    bool *shared; /* by object */
    Site *sites;  /* a vec */
    Variable *claim, *from, *to;
    unsigned *stuck; /* by template: the location of who has claimed, + 1 */
    bool pairs;
    Asked *out;
} Ask;

/* ---- accesses ---- */

static bool is_private(const Ask *a, const Expr *address) {
    const Object *o = address_base(address);
    return o && !a->shared[o->index];
}

static uint64_t bytes_of(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 1; }

static Site *add_site(Ask *a, Site s, bool writes) {
    s.writes = writes;
    vec_push(a->sites, s);
    return &vec_last(a->sites);
}

static void add_memory(Ask *a, Site s, bool writes, const Expr *address, const Expr *size) {
    if (is_private(a, address)) return;
    Site *x = add_site(a, s, writes);
    x->address = address;
    x->size = size;
    x->targets = pointsto(a->pointsto, address);
    x->wild = pointsto_is_wild(a->pointsto, address);
}

typedef struct Reads {
    Ask *ask;
    Site site;
} Reads;

static void add_read(void *context, const Symbol *s) {
    Reads *r = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (!v || !v->global) return;
    Site *x = add_site(r->ask, r->site, false);
    x->variable = v;
}

static void read_globals(void *context, const Expr *e) { expr_symbols(e, add_read, context); }

static const Expr *constant_size(const Ask *a, const Sort *s) {
    return expr_bv(a->program->exprs, a->program->pointer_width, bytes_of(s));
}

static void add_sites(Ask *a, const Template *t, const Action *action, unsigned k, bool first) {
    const Instr *i = &action->instrs[k];
    Site s = {.template_ = t->index, .action = action->index, .instr = k, .atomic = i->atomic, .section = action->section, .first = first};
    Reads reads = {a, s};
    instr_expressions(i, read_globals, &reads);
    switch (i->kind) {
    case INSTR_LOAD: add_memory(a, s, false, i->address, constant_size(a, i->target->sort)); break;
    case INSTR_STORE: add_memory(a, s, true, i->address, constant_size(a, i->value->sort)); break;
    case INSTR_COPY:
        add_memory(a, s, true, i->address, i->size);
        add_memory(a, s, false, i->value, i->size);
        break;
    case INSTR_FILL: add_memory(a, s, true, i->address, i->size); break;
    case INSTR_FREE: add_memory(a, s, true, i->address, NULL); break;
    default: break;
    }
    if (i->target && i->target->global) add_site(a, s, true)->variable = i->target;
}

static void note_global(void *context, const Symbol *s) {
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && v->global) *(bool *)context = true;
}

static void collect(Ask *a, const Template *t) {
    for (size_t k = 0; k < vec_len(t->actions); k++) {
        const Action *action = &t->actions[k];
        bool first = !t->locations[action->source].atomic, in_guard = false;
        expr_symbols(action->guard, note_global, &in_guard);
        if (in_guard && !a->out->refused) {
            a->out->refused = "a condition reads a shared variable without an access of its own";
            a->out->where = action->position;
        }
        for (size_t i = 0; i < vec_len(action->instrs); i++) {
            add_sites(a, t, action, (unsigned)i, first);
            first = first && !instr_is_visible(&action->instrs[i], a->shared);
        }
    }
}

/* ---- pairs ---- */

static bool overlap_statically(const Site *x, const Site *y) {
    if (x->variable || y->variable) return x->variable == y->variable;
    if (x->wild || y->wild) return true;
    for (size_t i = 0; i < vec_len(x->targets->list); i++)
        for (size_t k = 0; k < vec_len(y->targets->list); k++)
            if (x->targets->list[i].object == y->targets->list[k].object) return true;
    return false;
}

static bool may_race(const Ask *a, const Site *x, const Site *y) {
    if (!(x->writes || y->writes) || (x->atomic && y->atomic) || (x->section && y->section) || !(x->first || y->first)) return false;
    if (x->template_ == y->template_ && a->program->templates[x->template_]->count == 1) return false;
    return overlap_statically(x, y);
}

/* Who writes claims, if it can; of two that write, the first. */
static void pair_up(Ask *a) {
    for (size_t i = 0; i < vec_len(a->sites); i++)
        for (size_t k = i; k < vec_len(a->sites); k++) {
            Site *x = &a->sites[i], *y = &a->sites[k];
            if (!may_race(a, x, y)) continue;
            bool second = !x->first || (!x->writes && y->first);
            Site *claims = second ? y : x, *sees = second ? x : y;
            if (!claims->claim) claims->claim = 1;
            vec_push(sees->seen, (unsigned)(claims - a->sites));
            a->pairs = true;
        }
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(a->sites); i++)
        if (a->sites[i].claim) a->sites[i].claim = ++n;
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

/* The end of the bytes accessed; of what is freed, the whole object. Instructions that compute it are appended. */
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

/* What comes before the access in its action. */
static Instr *before(const Ask *a, const Site *s) {
    const Action *action = &a->program->templates[s->template_]->actions[s->action];
    Instr *instrs = NULL;
    for (unsigned i = 0; i < s->instr; i++) vec_push(instrs, action->instrs[i]);
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
    asked_note(a->out, s->template_, x->index, s->action);
}

static const Expr *freed_is_null(const Ask *a, const Site *s) {
    return s->size ? NULL : expr_2(a->program->exprs, OP_EQ, s->address, expr_bv(a->program->exprs, a->program->pointer_width, 0));
}

static void add_claim(Ask *a, const Site *s) {
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
    vec_push(instrs, assignment(a->claim, claim_number(a, s->claim), at));
    add_action(a, s, a->stuck[t->index] - 1, instrs);
}

/* Some other thread has claimed what this access sees, in the same place. */
static const Expr *sees_race(const Ask *a, const Site *s, const Expr *end) {
    Exprs *e = a->program->exprs;
    const Expr *any = expr_bool(e, false);
    for (size_t i = 0; i < vec_len(s->seen); i++)
        any = expr_or(e, any, expr_2(e, OP_EQ, of(a, a->claim), claim_number(a, a->sites[s->seen[i]].claim)));
    if (s->variable) return any;
    const Expr *over = expr_and(e, expr_2(e, OP_ULT, of(a, a->from), end), expr_2(e, OP_ULT, s->address, of(a, a->to)));
    return expr_and(e, any, over);
}

static void add_sight(Ask *a, const Site *s) {
    Program *p = a->program;
    Template *t = p->templates[s->template_];
    Position at = place_of(a, s);
    Instr *instrs = before(a, s);
    const Expr *null = s->variable ? NULL : freed_is_null(a, s), *end = NULL;
    if (null) vec_push(instrs, assumption(expr_not(p->exprs, null), at));
    if (!s->variable) end = end_of(a, s, &instrs, at);
    vec_push(instrs, assumption(sees_race(a, s, end), at));
    unsigned error = template_location(p, t, LOCATION_ERROR, at);
    t->locations[error].text = "a data race";
    t->locations[error].function = t->locations[t->actions[s->action].source].function;
    add_action(a, s, error, instrs);
}

Asked ask_races(Program *program) {
    Asked out = {.program = program, .end = TRACE_RACE};
    Ask a = {.program = out.program, .out = &out};
    a.pointsto = pointsto_new(a.program);
    a.shared = program_shared_objects(a.program);
    vec_resize(a.stuck, vec_len(a.program->templates));
    for (size_t t = 0; t < vec_len(a.program->templates); t++) collect(&a, a.program->templates[t]);
    pair_up(&a);
    if (a.pairs) make_globals(&a);
    else out.idle = true;
    for (size_t i = 0; i < vec_len(a.sites); i++) {
        if (a.sites[i].claim) add_claim(&a, &a.sites[i]);
        if (vec_len(a.sites[i].seen)) add_sight(&a, &a.sites[i]);
    }
    for (size_t i = 0; i < vec_len(a.sites); i++) vec_free(a.sites[i].seen);
    vec_free(a.sites);
    vec_free(a.stuck);
    vec_free(a.shared);
    pointsto_free(a.pointsto);
    return out;
}
