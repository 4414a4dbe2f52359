/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a program of a system. Variables become variables, locations become locations, and a transition becomes an action. The action first
   gives its inputs any values, then assumes the guard, then assigns.

   Main first creates the other threads: each single thread once, and each thread marked many any number of times. Second instances are left
   out. Each thread begins by giving its locals their initial values. The notes of the system (Transition.creates and the like) are not
   used, since a text may contain wrong notes. */
#include "ir/live.h"
#include "system/messages.h"
#include "system/text.h"

typedef struct Maker {
    const System *system;
    Program *program;
    Variable **variables; /* by variable of the system; NULL for a local of a second instance */
    unsigned thread;
    Template *template_;
    Variable *last; /* the last number that a thread marked many took; NULL while no thread is marked many */
    Map *images;    /* Symbol → Variable: variables, and inputs of the present transition */
} Maker;

static const Expr *image(void *context, const Expr *e) {
    Maker *m = context;
    const Variable *v = map_find(m->images, e->symbol);
    return v ? variable_expr(m->program, v) : NULL;
}

static const Expr *translated(Maker *m, const Expr *e) { return expr_substitute(m->program->exprs, e, image, m); }

static bool is_second(const System *s, unsigned t) { return t != NONE && system_first_instance(s, t) != t; }

/* ---- transitions ---- */

static Variable *own_local(Maker *m, const char *name, const Symbol *like) {
    Variable *v = template_local(m->program, m->template_, name, like->sort);
    v->temporary = true;
    variable_set_signed(m->program, v, like->sign > 0);
    return v;
}

static void assign(Action *a, Variable *target, const Expr *value) {
    Instr *i = action_instr(a, INSTR_ASSIGN, a->position);
    i->target = target;
    i->value = value;
}

static void choose_inputs(Maker *m, const Transition *tr, Action *a) {
    for (size_t i = 0; i < vec_len(tr->inputs); i++) {
        Variable *v = own_local(m, tr->inputs[i]->name, tr->inputs[i]);
        map_set(m->images, tr->inputs[i], v);
        action_instr(a, INSTR_HAVOC, a->position)->target = v;
    }
    if (vec_len(tr->inputs)) action_instr(a, INSTR_ASSUME, a->position)->value = translated(m, tr->guard);
    else a->guard = translated(m, tr->guard);
}

/* True if the transition assigns a variable that the value of another of its assignments reads. */
static bool is_entangled(const System *s, const Transition *tr) {
    for (size_t i = 0; i < vec_len(tr->updates); i++)
        for (size_t k = 0; k < vec_len(tr->updates); k++)
            if (i != k && expr_mentions(tr->updates[k].value, s->variables[tr->updates[i].variable].symbol)) return true;
    return false;
}

/* Assigns in parallel: where assigned values read assigned variables, all values are computed first. */
static void make_updates(Maker *m, const Transition *tr, Action *a) {
    Variable **next = NULL;
    bool entangled = is_entangled(m->system, tr);
    for (size_t i = 0; i < vec_len(tr->updates); i++) {
        const Update *u = &tr->updates[i];
        Variable *target = m->variables[u->variable];
        vec_push(next, entangled ? own_local(m, "next", target->symbol) : target);
        assign(a, next[i], translated(m, u->value));
    }
    for (size_t i = 0; i < vec_len(tr->updates) && entangled; i++)
        assign(a, m->variables[tr->updates[i].variable], variable_expr(m->program, next[i]));
    vec_free(next);
}

static void make_transition(Maker *m, const Transition *tr) {
    Action *a = template_action(m->program, m->template_, tr->source, tr->target, NULL, tr->position);
    choose_inputs(m, tr, a);
    make_updates(m, tr, a);
}

/* ---- threads ---- */

/* A thread that would end the process waits forever instead. */
static LocationKind kind_of(const SystemLocation *l) { return l->kind == LOCATION_HALT ? LOCATION_PLAIN : l->kind; }

static void make_location(Maker *m, const SystemLocation *l) {
    unsigned index = template_location(m->program, m->template_, kind_of(l), l->position);
    Location *at = &m->template_->locations[index];
    at->atomic = l->atomic;
    at->text = l->text ? exprs_intern(m->program->exprs, l->text) : NULL;
    if (l->kind == LOCATION_STOP)
        at->approximation = program_approximation(m->program, APPROX_UNSUPPORTED, l->position, l->text ? l->text : "what follows");
}

/* Takes the next number. The first number is greater than those of all single threads. */
static void take_number(Maker *m, Action *a, unsigned self) {
    Exprs *x = m->program->exprs;
    const Sort *sort = m->system->variables[self].symbol->sort;
    if (!m->last) m->last = program_global(m->program, "last number", sort, expr_const(x, sort, vec_len(m->system->threads)));
    m->last->temporary = true;
    assign(a, m->last, expr_2(x, OP_ADD, variable_expr(m->program, m->last), expr_const(x, sort, 1)));
    assign(a, m->variables[self], variable_expr(m->program, m->last));
}

/* Makes the first step, which assigns initial values. A variable without an initial value becomes any value if the thread reads it. */
static void make_start(Maker *m, unsigned start) {
    const System *s = m->system;
    const SystemThread *t = &s->threads[m->thread];
    Action *a = template_action(m->program, m->template_, start, t->entry, NULL, (Position){0});
    Liveness *live = live_new(m->program, m->template_);
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        if (s->variables[v].thread != m->thread) continue;
        if (v == t->self) take_number(m, a, v);
        else if (s->variables[v].init) assign(a, m->variables[v], s->variables[v].init);
        else if (live_at(live, t->entry, m->variables[v])) action_instr(a, INSTR_HAVOC, a->position)->target = m->variables[v];
    }
    live_free(live);
}

/* Makes the creations of the other threads in main, from location `at` on. Returns the location behind them. */
static unsigned make_creations(Maker *m, unsigned at) {
    Program *p = m->program;
    for (unsigned t = 1, index = 1; t < vec_len(m->system->threads); t++) {
        if (is_second(m->system, t)) continue;
        bool many = m->system->threads[t].many;
        unsigned next = template_location(p, m->template_, LOCATION_PLAIN, (Position){0});
        Action *a = template_action(p, m->template_, at, many ? at : next, NULL, (Position){0});
        Instr *i = action_instr(a, INSTR_CREATE, a->position);
        i->template_ = index++;
        i->value = expr_bv(p->exprs, p->pointer_width, 0);
        if (many) template_action(p, m->template_, at, next, NULL, (Position){0});
        at = next;
    }
    return at;
}

/* Makes a thread. Locations and actions keep the numbers of the system. The steps that come before them in time have greater numbers. */
static void make_thread(Maker *m) {
    const SystemThread *t = &m->system->threads[m->thread];
    for (size_t l = 0; l < vec_len(t->locations); l++) make_location(m, &t->locations[l]);
    for (size_t i = 0; i < vec_len(t->transitions); i++) make_transition(m, &t->transitions[i]);
    unsigned start = template_location(m->program, m->template_, LOCATION_PLAIN, (Position){0});
    m->template_->entry = start;
    make_start(m, m->thread ? start : make_creations(m, start));
    template_mark_loops(m->template_);
}

/* ---- all ---- */

static void make_variable(Maker *m, unsigned index, Template *const *templates) {
    const SystemVariable *v = &m->system->variables[index];
    Variable *n = NULL;
    if (v->thread == NONE) n = program_global(m->program, v->name, v->symbol->sort, v->init);
    else if (!is_second(m->system, v->thread)) n = template_local(m->program, templates[v->thread], v->name, v->symbol->sort);
    if (n) {
        n->temporary = v->hidden;
        variable_set_signed(m->program, n, v->symbol->sign > 0);
        map_set(m->images, v->symbol, n);
    }
    vec_push(m->variables, n);
}

/* Returns the first thread that begins at an atomic location, or NULL. */
static const SystemThread *atomic_thread(const System *s) {
    vec_each_at(const SystemThread, t, s->threads)
        if (t->locations[t->entry].atomic) return t;
    return NULL;
}

bool system_as_program(const System *s, Program *p, Buf *why) {
    const SystemThread *refused = atomic_thread(s);
    if (refused) {
        buf_printf(why, MSG_SYSTEM_ENTRY_ATOMIC, refused->name);
        return false;
    }
    Maker m = {.system = s, .program = p, .images = map_new()};
    Template **templates = NULL;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        vec_push(templates, is_second(s, t) ? NULL : program_template(p, s->threads[t].name, !s->threads[t].many));
    for (unsigned v = 0; v < vec_len(s->variables); v++) make_variable(&m, v, templates);
    for (m.thread = 0; m.thread < vec_len(s->threads); m.thread++) {
        m.template_ = templates[m.thread];
        if (m.template_) make_thread(&m);
    }
    vec_free(templates);
    vec_free(m.variables);
    map_free(m.images);
    return true;
}

Program *system_program(const char *file, const char *text, Buf *error) {
    Program *p = program_new(64);
    System *s = system_parse(p->exprs, file, text, error);
    Buf why = {0};
    bool good = s && system_as_program(s, p, &why);
    if (s && !good) buf_printf(error, "%s: error: %s\n", file, buf_string(&why));
    system_free(s);
    buf_free(&why);
    if (good) return p;
    program_free(p);
    return NULL;
}
