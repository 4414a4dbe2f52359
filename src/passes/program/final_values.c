/* SPDX-License-Identifier: Apache-2.0 */
/* Propagates values and conditions that stay true after a thread has established them.

   requires  a well-formed program, one template per thread, without accesses of memory
   ensures   the same behaviours. A variable with only one possible value at an action is replaced by this value. The guard of an action to an
             ERROR or STOP contains the conditions that always hold there
   breaks    nothing: locations and actions stay

   Suppose that only one thread writes a global variable. The variable is *final* at the locations after which this thread cannot write it any
   more. In a thread that is created at such a location, the variable is final from the start. A forward data flow computes values and conditions
   for each location of a thread. It tracks the locals of the thread, and the globals that the thread alone writes. The conditions hold on all
   paths to the location. Values and conditions are expressions over final globals, which never change, and over the thread's own variables, until
   these change. If globals have different values on different paths, the analysis keeps up to MOST_CASES cases. A condition may exclude a case:
   the result of malloc is not null, for instance. */
#include "passes/program/program_passes.h"
#include "analysis/counters.h"
#include "analysis/lower_bounds.h"

enum { MOST_TREE = 40, MOST_FACTS = 32, MOST_CASES = 4, NO_WRITER = ~0u, SEVERAL = ~0u - 1 };

/* The values and conditions of one case. */
typedef struct Env {
    const Expr **values; /* a vec: of the template's locals, then of all globals; NULL: not known */
    const Expr **facts;  /* a vec: conditions that hold */
} Env;

/* Cases is a disjunction that holds at a location. Its cases differ in the values of globals. Without a case, the location is unreachable. */
typedef struct Cases {
    Env *list;  /* a vec */
    bool whole; /* there were more than MOST_CASES: one case describes all of them */
} Cases;

typedef struct FinalValues {
    Program *program;
    unsigned *owner; /* by global: the template that writes it, NO_WRITER or SEVERAL */
    bool ***later;   /* by template, location, global: the template may still write the global */
    bool **settled;  /* by template, global: the global is final when the thread begins */
    Cases *entries;  /* by template: the cases at the start of the thread */
    LowerBounds *bounds;
    Template *template_;
    bool *counters;       /* of the present template, by variable: see analysis/counters.h */
    Cases *at;            /* by location of the present template */
    const Action *action; /* the present action … */
    size_t instr;         /* … and instruction */
} FinalValues;

/* ---- writers, and their last writes ---- */

static void note_writer(FinalValues *s, const Variable *v, const Template *t) {
    if (!v || !v->global) return;
    unsigned *o = &s->owner[v->index];
    *o = *o == NO_WRITER || *o == t->index ? t->index : SEVERAL;
    if (t->count != 1) *o = SEVERAL;
}

static void note_instr(FinalValues *s, const Instr *i, const Template *t) {
    note_writer(s, i->target, t);
    note_writer(s, i->cell, t);
    /* CREATE sets the argument and the result of the new thread */
    const Template *made = i->kind == INSTR_CREATE ? s->program->templates[i->template_] : NULL;
    if (made) note_writer(s, made->argument, made);
    if (made) note_writer(s, made->result, made);
}

static void find_owners(FinalValues *s) {
    vec_resize(s->owner, vec_len(s->program->globals));
    for (size_t g = 0; g < vec_len(s->owner); g++) s->owner[g] = NO_WRITER;
    vec_each(const Template *, template_, s->program->templates)
        for (size_t a = 0; a < vec_len(template_->actions); a++)
            for (size_t i = 0; i < vec_len(template_->actions[a].instrs); i++) note_instr(s, &template_->actions[a].instrs[i], template_);
}

static bool writes(const Instr *i, size_t global) {
    return (i->target && i->target->global && i->target->index == global) || (i->cell && i->cell->global && i->cell->index == global);
}

/* Adds the globals that the action, or an action after it, may write. Returns true if some are new. */
static bool add_later(const FinalValues *s, const Action *a, bool **later) {
    bool changed = false;
    for (size_t g = 0; g < vec_len(s->owner); g++) {
        bool may = later[a->target][g];
        for (size_t i = 0; i < vec_len(a->instrs) && !may; i++) may = writes(&a->instrs[i], g);
        changed |= may && !later[a->source][g];
        later[a->source][g] |= may;
    }
    return changed;
}

static bool **find_later(const FinalValues *s, const Template *t) {
    bool **later = NULL, changed = true;
    vec_resize(later, vec_len(t->locations));
    for (size_t l = 0; l < vec_len(later); l++) vec_resize(later[l], vec_len(s->owner));
    while (changed) {
        changed = false;
        for (size_t a = vec_len(t->actions); a-- > 0;) changed |= add_later(s, &t->actions[a], later);
    }
    return later;
}

/* ---- values ---- */

static size_t index_of(const FinalValues *s, const Variable *v) { return v->global ? vec_len(s->template_->locals) + v->index : v->index; }

/* True if no thread writes the global at the present instruction or later. */
static bool is_final(const FinalValues *s, const Variable *v) {
    unsigned owner = s->owner[v->index];
    if (owner == NO_WRITER) return true;
    if (owner == SEVERAL) return false;
    if (owner != s->template_->index) return s->settled[s->template_->index][v->index];
    for (size_t i = s->instr; i < vec_len(s->action->instrs); i++)
        if (writes(&s->action->instrs[i], v->index)) return false;
    return !s->later[owner][s->action->target][v->index];
}

/* True if only the present thread writes the variable. */
static bool is_own(const FinalValues *s, const Variable *v) { return !v->global || s->owner[v->index] == s->template_->index; }

typedef struct Image {
    const FinalValues *final_values;
    const Env *env;
    bool unknown; /* some variable has no value that is known to last */
} Image;

static const Expr *image(void *context, const Expr *e) {
    Image *i = context;
    const Variable *v = expr_variable(e);
    const Expr *value = v ? i->env->values[index_of(i->final_values, v)] : NULL;
    i->unknown |= v && !value && !is_own(i->final_values, v) && !is_final(i->final_values, v);
    return value;
}

/* Returns e as an expression over final globals and the thread's own variables, or NULL. */
static const Expr *value_of(const FinalValues *s, const Env *env, const Expr *e) {
    Image i = {.final_values = s, .env = env};
    const Expr *value = expr_substitute(s->program->exprs, e, image, &i);
    return i.unknown || value->tree > MOST_TREE ? NULL : value;
}

static void add_fact(Env *env, const Expr *e) {
    for (size_t i = 0; i < vec_len(env->facts); i++)
        if (env->facts[i] == e) return;
    if (vec_len(env->facts) < MOST_FACTS) vec_push(env->facts, e);
}

/* Adds a condition that holds. Returns false if it cannot hold. */
static bool learn(const FinalValues *s, Env *env, const Expr *e) {
    bool can = true;
    if (e->op == OP_AND) {
        for (unsigned k = 0; k < e->nargs && can; k++) can = learn(s, env, e->args[k]);
        return can;
    }
    const Expr *value = value_of(s, env, e);
    if (value && !expr_is_const(value)) add_fact(env, value);
    return !value || !expr_is_false(value);
}

/* Drops the values and conditions that mention the old value of the variable. */
static void forget(const FinalValues *s, Env *env, const Variable *v) {
    size_t kept = 0;
    if (!is_own(s, v)) return;
    for (size_t i = 0; i < vec_len(env->values); i++)
        if (env->values[i] && expr_mentions(env->values[i], v->symbol)) env->values[i] = NULL;
    for (size_t i = 0; i < vec_len(env->facts); i++)
        if (!expr_mentions(env->facts[i], v->symbol)) env->facts[kept++] = env->facts[i];
    vec_resize(env->facts, kept);
}

typedef struct Lasting {
    const FinalValues *final_values;
    bool globals, final; /* the expression mentions only globals; only final globals */
} Lasting;

static void look_at(void *context, const Symbol *s) {
    Lasting *l = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    l->globals &= !v || v->global;
    l->final &= !v || (v->global && is_final(l->final_values, v));
}

/* True if the expression keeps its value for ever, in all threads. */
static bool is_lasting(const FinalValues *s, const Expr *e) {
    Lasting l = {s, true, true};
    expr_symbols(e, look_at, &l);
    return l.final;
}

static bool has_no_locals(const FinalValues *s, const Expr *e) {
    Lasting l = {s, true, true};
    expr_symbols(e, look_at, &l);
    return l.globals;
}

/* Sets the value of the variable; NULL: not known. The values of counters, and values of globals that do not last, are not kept. */
static void assign(const FinalValues *s, Env *env, const Variable *v, const Expr *value) {
    if (!v) return;
    forget(s, env, v);
    if (value && (expr_mentions(value, v->symbol) || !is_own(s, v) || (v->global && !is_lasting(s, value)))) value = NULL;
    env->values[index_of(s, v)] = s->counters[index_of(s, v)] ? NULL : value;
}

static bool instruct(const FinalValues *s, Env *env, const Instr *i) {
    if (i->kind == INSTR_ASSUME) return learn(s, env, i->value);
    assign(s, env, i->target, i->kind == INSTR_ASSIGN ? value_of(s, env, i->value) : NULL);
    assign(s, env, i->cell, NULL);
    return true;
}

/* ---- cases ---- */

static Env env_copy(const Env *e) {
    Env n = {0};
    for (size_t i = 0; i < vec_len(e->values); i++) vec_push(n.values, e->values[i]);
    for (size_t i = 0; i < vec_len(e->facts); i++) vec_push(n.facts, e->facts[i]);
    return n;
}

static void env_free(Env *e) {
    vec_free(e->values);
    vec_free(e->facts);
}

static void cases_free(Cases *c) {
    for (size_t i = 0; i < vec_len(c->list); i++) env_free(&c->list[i]);
    vec_free(c->list);
}

static bool has_fact(const Env *e, const Expr *fact) {
    for (size_t i = 0; i < vec_len(e->facts); i++)
        if (e->facts[i] == fact) return true;
    return false;
}

/* Keeps the values and conditions of *to that hold in *from as well. Returns true if some were dropped. */
static bool join_env(Env *to, const Env *from) {
    bool changed = false;
    for (size_t i = 0; i < vec_len(to->values); i++) {
        if (!to->values[i] || to->values[i] == from->values[i]) continue;
        to->values[i] = NULL;
        changed = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(to->facts); i++)
        if (has_fact(from, to->facts[i])) to->facts[kept++] = to->facts[i];
    changed |= kept != vec_len(to->facts);
    vec_resize(to->facts, kept);
    return changed;
}

static bool agree(const FinalValues *s, const Env *a, const Env *b) {
    size_t n = vec_len(a->values);
    for (size_t i = n - vec_len(s->owner); i < n; i++)
        if (a->values[i] != b->values[i]) return false;
    return true;
}

/* True if the condition holds in each case, perhaps after the values of the case are substituted. */
static bool holds_in_all(const FinalValues *s, const Cases *c, const Expr *fact) {
    for (size_t i = 0; i < vec_len(c->list); i++) {
        const Expr *there = has_fact(&c->list[i], fact) ? fact : value_of(s, &c->list[i], fact);
        if (!there || (!expr_is_true(there) && !has_fact(&c->list[i], there))) return false;
    }
    return true;
}

static Env all_of(const FinalValues *s, const Cases *c) {
    Env e = env_copy(&c->list[0]);
    for (size_t i = 1; i < vec_len(c->list); i++) join_env(&e, &c->list[i]);
    for (size_t i = 0; i < vec_len(c->list); i++)
        for (size_t k = 0; k < vec_len(c->list[i].facts); k++)
            if (holds_in_all(s, c, c->list[i].facts[k])) add_fact(&e, c->list[i].facts[k]);
    return e;
}

/* Adds a case, or joins it with a case that has the same values of globals. Returns true if *to changed. */
static bool add_case(const FinalValues *s, Cases *to, const Env *from) {
    for (size_t i = 0; i < vec_len(to->list); i++)
        if (to->whole || agree(s, &to->list[i], from)) return join_env(&to->list[i], from);
    vec_push(to->list, env_copy(from));
    if (vec_len(to->list) <= MOST_CASES) return true;
    Cases one = {.whole = true};
    vec_push(one.list, all_of(s, to));
    cases_free(to);
    *to = one;
    return true;
}

/* ---- data flow ---- */

/* Adds the present case to the cases at the start of a thread that is created here. Only values of final globals and lasting conditions are kept. */
static void join_entry(FinalValues *s, const Env *env, unsigned made) {
    Env start = {0};
    const Template *t = s->program->templates[made];
    size_t locals = vec_len(t->locals);
    vec_resize(start.values, locals + vec_len(s->owner));
    for (size_t g = 0; g < vec_len(s->owner); g++) {
        const Variable *v = s->program->globals[g];
        bool final = s->owner[g] != SEVERAL && s->owner[g] != made && is_final(s, v);
        const Expr *now = env->values[index_of(s, v)];
        s->settled[made][g] &= final;
        if (s->owner[g] == made) start.values[locals + g] = v->init;
        else if (final && now && is_lasting(s, now)) start.values[locals + g] = now;
    }
    for (size_t i = 0; i < vec_len(env->facts); i++)
        if (is_lasting(s, env->facts[i])) vec_push(start.facts, env->facts[i]);
    add_case(s, &s->entries[made], &start);
    env_free(&start);
}

/* Changes *env, the case before the action, to the case after it. Calls visit before each instruction. Returns false if the action cannot be
   taken. */
static bool run(FinalValues *s, Env *env, const Action *a, void (*visit)(FinalValues *, Env *, Instr *)) {
    s->action = a;
    s->instr = 0;
    bool can = learn(s, env, a->guard);
    for (; s->instr < vec_len(a->instrs) && can; s->instr++) {
        if (visit) visit(s, env, &a->instrs[s->instr]);
        can = instruct(s, env, &a->instrs[s->instr]);
    }
    return can;
}

static void step(FinalValues *s, const Action *a, unsigned **work) {
    Cases *from = &s->at[a->source];
    for (size_t i = 0; i < vec_len(from->list); i++) {
        Env env = env_copy(&from->list[i]);
        if (run(s, &env, a, NULL) && add_case(s, &s->at[a->target], &env)) vec_push(*work, a->target);
        env_free(&env);
    }
}

/* Computes the cases at all locations of the present template, as a fixpoint. */
static void flow(FinalValues *s) {
    const Template *t = s->template_;
    unsigned *work = NULL;
    vec_resize(s->at, vec_len(t->locations));
    for (size_t i = 0; i < vec_len(s->entries[t->index].list); i++) add_case(s, &s->at[t->entry], &s->entries[t->index].list[i]);
    vec_push(work, t->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        for (size_t k = 0; k < vec_len(t->locations[l].out); k++) step(s, &t->actions[t->locations[l].out[k]], &work);
    }
    vec_free(work);
}

/* ---- substituting the values ---- */

static bool is_bad(const Template *t, const Action *a) {
    return t->locations[a->target].kind == LOCATION_ERROR || t->locations[a->target].kind == LOCATION_STOP;
}

/* Replaces a variable by its value. The value must last, so that actions do not read globals that other threads may write. An action to an ERROR
   or STOP may read any global. */
static const Expr *known_image(void *context, const Expr *e) {
    const Image *i = context;
    const FinalValues *s = i->final_values;
    const Variable *v = expr_variable(e);
    const Expr *value = v ? i->env->values[index_of(s, v)] : NULL;
    if (!value) return NULL;
    return (is_bad(s->template_, s->action) ? has_no_locals(s, value) : is_lasting(s, value)) ? value : NULL;
}

static const Expr *written_in(const FinalValues *s, const Env *env, const Expr *e) {
    Image i = {.final_values = s, .env = env};
    return e ? expr_substitute(s->program->exprs, e, known_image, &i) : NULL;
}

static void write_in(FinalValues *s, Env *env, Instr *i) {
    i->address = written_in(s, env, i->address);
    i->value = written_in(s, env, i->value);
    i->size = written_in(s, env, i->size);
}

static void join_created(FinalValues *s, Env *env, Instr *i) {
    if (i->kind == INSTR_CREATE) join_entry(s, env, i->template_);
}

typedef struct Reading {
    const Action *action;
    bool read; /* the action reads all locals of the condition */
} Reading;

static bool mentions(const Expr *e, const Symbol *s) { return e && expr_mentions(e, s); }

/* Clears `read` unless the action reads the value that the local has before the action. A local that is read has been assigned. */
static void check_read(void *context, const Symbol *s) {
    Reading *r = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (!v || v->global) return;
    bool read = expr_mentions(r->action->guard, s);
    for (size_t i = 0; i < vec_len(r->action->instrs) && !read; i++) {
        const Instr *in = &r->action->instrs[i];
        read = mentions(in->address, s) || mentions(in->value, s) || mentions(in->size, s);
        if (in->target == v) break;
    }
    r->read &= read;
}

/* Returns the guard and the conditions whose locals the action reads. */
static const Expr *informed(FinalValues *s, const Action *a, const Env *before, const Expr *guard) {
    for (size_t i = 0; i < vec_len(before->facts); i++) {
        Reading r = {a, true};
        expr_symbols(before->facts[i], check_read, &r);
        if (r.read) guard = expr_and(s->program->exprs, before->facts[i], guard);
    }
    return guard;
}

typedef struct Bounding {
    FinalValues *final_values;
    const Action *action;
    const Expr *guard;
    unsigned before; /* the number of instructions before the expression */
} Bounding;

/* Adds the lower bound of a variable to the guard, unless an earlier instruction of the action writes the variable. */
static void add_bound(void *context, const Symbol *symbol) {
    Bounding *b = context;
    Exprs *x = b->final_values->program->exprs;
    int64_t bound;
    Variable *v = symbol->kind == SYM_VARIABLE ? symbol->user : NULL;
    if (!v || !lower_bound(b->final_values->bounds, v, &bound)) return;
    for (unsigned i = 0; i < b->before; i++)
        if (b->action->instrs[i].target == v) return;
    b->guard =
        expr_and(x, expr_2(x, OP_SLE, expr_bv(x, v->sort->width, (u128)(i128)bound), variable_expr(b->final_values->program, v)), b->guard);
}

static void add_bounds(void *context, const Expr *e) { expr_symbols(e, add_bound, context); }

/* Returns the guard and the lower bounds of the variables that the action reads. */
static const Expr *bounded(FinalValues *s, const Action *a, const Expr *guard) {
    Bounding b = {s, a, guard, 0};
    expr_symbols(a->guard, add_bound, &b);
    for (; b.before < vec_len(a->instrs); b.before++) instr_expressions(&a->instrs[b.before], add_bounds, &b);
    return b.guard;
}

/* True if the action can be taken in no case. Adds the start of the threads that it creates. */
static bool is_dead(FinalValues *s, const Action *a) {
    bool can = false;
    for (size_t i = 0; i < vec_len(s->at[a->source].list); i++) {
        Env env = env_copy(&s->at[a->source].list[i]);
        can |= run(s, &env, a, join_created);
        env_free(&env);
    }
    return !can;
}

static void rewrite(FinalValues *s, Action *a) {
    Exprs *x = s->program->exprs;
    if (!vec_len(s->at[a->source].list)) return;
    bool dead = is_dead(s, a);
    s->action = a;
    s->instr = 0;
    Env before = all_of(s, &s->at[a->source]), env = env_copy(&before);
    const Expr *guard = written_in(s, &before, a->guard);
    run(s, &env, a, write_in);
    if (is_bad(s->template_, a)) guard = bounded(s, a, informed(s, a, &before, guard));
    a->guard = dead ? expr_bool(x, false) : guard;
    env_free(&env);
    env_free(&before);
}

/* Drops the values of counters at the start, since counters change in loops. */
static void forget_counters(const FinalValues *s, Cases *entry) {
    for (size_t i = 0; i < vec_len(entry->list); i++)
        for (size_t v = 0; v < vec_len(entry->list[i].values); v++)
            if (s->counters[v]) entry->list[i].values[v] = NULL;
}

static void work_on(FinalValues *s, unsigned t) {
    s->template_ = s->program->templates[t];
    if (!vec_len(s->entries[t].list) || s->template_->count != 1) return; /* many threads: stay equal to the second instance */
    s->counters = counters_of(s->program, s->template_);
    forget_counters(s, &s->entries[t]);
    flow(s);
    for (size_t a = 0; a < vec_len(s->template_->actions); a++) rewrite(s, &s->template_->actions[a]);
    for (size_t l = 0; l < vec_len(s->at); l++) cases_free(&s->at[l]);
    vec_free(s->at);
    vec_free(s->counters);
    s->at = NULL;
    s->counters = NULL;
}

static void begin(FinalValues *s) {
    Env start = {0};
    size_t locals = vec_len(s->program->templates[0]->locals);
    vec_resize(start.values, locals + vec_len(s->owner));
    for (size_t g = 0; g < vec_len(s->owner); g++)
        if (s->owner[g] == NO_WRITER || s->owner[g] == 0) start.values[locals + g] = s->program->globals[g]->init;
    add_case(s, &s->entries[0], &start);
    env_free(&start);
}

/* True if each template is created only by earlier templates of one thread. The cases at its start are then known before it is analysed. */
static bool in_order(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            const Instr *list = p->templates[t]->actions[a].instrs;
            for (size_t i = 0; i < vec_len(list); i++)
                if (list[i].kind == INSTR_CREATE && (list[i].template_ <= t || p->templates[t]->count != 1)) return false;
        }
    return true;
}

static void final_values_new(FinalValues *s) {
    size_t n = vec_len(s->program->templates);
    find_owners(s);
    s->bounds = lower_bounds_new(s->program);
    vec_resize(s->later, n);
    vec_resize(s->entries, n);
    vec_resize(s->settled, n);
    for (size_t t = 0; t < n; t++) {
        s->later[t] = find_later(s, s->program->templates[t]);
        vec_resize(s->settled[t], vec_len(s->owner));
        for (size_t g = 0; g < vec_len(s->owner); g++) s->settled[t][g] = t != 0; /* cleared at a CREATE; main has none */
    }
}

static void final_values_release(FinalValues *s) {
    for (size_t t = 0; t < vec_len(s->later); t++) {
        vec_free_rows(s->later[t]);
        vec_free(s->settled[t]);
        cases_free(&s->entries[t]);
    }
    vec_free(s->later);
    vec_free(s->settled);
    vec_free(s->entries);
    vec_free(s->owner);
    lower_bounds_free(s->bounds);
}

void final_values(Program *p) {
    FinalValues s = {.program = p};
    if (!in_order(p)) return;
    final_values_new(&s);
    begin(&s);
    for (unsigned t = 0; t < vec_len(p->templates); t++) work_on(&s, t);
    final_values_release(&s);
}
