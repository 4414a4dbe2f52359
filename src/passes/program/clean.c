/* SPDX-License-Identifier: Apache-2.0 */
/* Removes dead assignments, joins actions, and drops unreachable locations and unused locals.

   requires  a well-formed program
   ensures   the same errors, faults and stops are reachable; shared memory has the same values outside atomic sections, where other threads can
             read it; the program is well-formed. Every location can be reached from the entry in the graph. Actions are numbered in the order
             of their locations. Every local is used, or is self, argument or result
   breaks    indices of locations, actions and locals; Liveness; traces of the program before

   A dead assignment is an ASSIGN or HAVOC of a local that is not live after it. The pass keeps the assignment if the value can fault or reads a
   global, since this read may be half of a data race.

   Joining replaces s --a--> m --b--> t by s --ab--> t. The location m must be plain and no loop head, and b must be its only action and always
   enabled. Other threads that run while this thread is at m must be able to run at another location instead. One of these cases must hold:
     - No thread can run in between, since m is atomic. Here b must be invisible, so that a step has no more visible accesses than C makes atomic.
     - Threads can run at t. Here b is invisible and can neither block nor fault.
     - Threads can run at s. Here a is invisible, and b may be visible. If b locks or joins, a is the only action from s. No choice of a may
       decide whether b waits, or whether the section waits that b enters: otherwise the thread would choose so that it need not wait. */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include "ir/choice.h"
#include "ir/internal.h"
#include "ir/live.h"
#include "ir/weak.h"
#include <stdlib.h>

enum { GONE = ~0u };

typedef struct Cleaner {
    Program *program;
    Template *template_;
    bool *shared;       /* program_shared_objects */
    bool kills;         /* the end of the template's thread ends the life of objects that other threads may access */
    unsigned *incoming; /* by location: the number of actions that lead to it; the thread's start counts as an action */
    unsigned *mark;     /* by local: equal to `stamp` if the local is live, or used */
    unsigned stamp;
} Cleaner;

static unsigned *numbers(size_t n) {
    unsigned *a = zeroed(n + 1, sizeof *a);
    return a;
}

/* ---- dead assignments ---- */

static bool removable(const Instr *i) {
    if (i->kind == INSTR_HAVOC) return !i->target->global;
    if (i->kind != INSTR_ASSIGN || i->target->global) return false;
    return !expr_may_fault(i->value) && !expr_reads_global(i->value);
}

static void mark_symbol(void *context, const Symbol *s) {
    Cleaner *c = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && !v->global) c->mark[v->index] = c->stamp;
}

static void mark_reads(void *context, const Expr *e) { expr_each_symbol(e, mark_symbol, context); }

static bool is_dead(const Cleaner *c, const Instr *i) {
    if (!removable(i)) return false;
    if (i->kind == INSTR_ASSIGN && expr_variable(i->value) == i->target) return true;
    return c->mark[i->target->index] != c->stamp;
}

/* Removes the dead assignments of the action. The loop runs backwards, and marks the locals that are live before each instruction. */
static bool clean_action(Cleaner *c, const Liveness *live, Action *a) {
    size_t n = vec_len(a->instrs), live_count, kept = n;
    const unsigned *list = live_list(live, a->target, &live_count);
    if (!n) return false;
    c->stamp++;
    for (size_t i = 0; i < live_count; i++) c->mark[list[i]] = c->stamp;
    for (size_t i = n; i-- > 0;) {
        const Instr instr = a->instrs[i];
        if (is_dead(c, &instr)) continue;
        if (instr.target && !instr.target->global) c->mark[instr.target->index] = 0;
        instr_expressions(&instr, mark_reads, c);
        if (instr.cell) mark_symbol(c, instr.cell->symbol);
        a->instrs[--kept] = instr;
    }
    for (size_t i = kept; kept && i < n; i++) a->instrs[i - kept] = a->instrs[i];
    vec_resize(a->instrs, n - kept);
    return kept > 0;
}

static bool remove_dead(Cleaner *c) {
    Template *t = c->template_;
    bool any = false, changed = true;
    while (changed) {
        Liveness *live = live_new(c->program, t);
        changed = false;
        for (size_t i = 0; i < vec_len(t->actions); i++) changed |= clean_action(c, live, &t->actions[i]);
        live_free(live);
        any |= changed;
    }
    return any;
}

/* ---- joining ---- */

static bool is_visible(const Cleaner *c, const Action *a) {
    if (c->kills && c->template_->locations[a->target].kind == LOCATION_END) return true;
    return action_is_visible(a, c->shared);
}

static bool end_kills(const Cleaner *c, const Template *t) {
    for (size_t i = 0; i < vec_len(c->program->objects); i++) {
        const Object *o = c->program->objects[i];
        if (c->shared[i] && (o->kind == OBJECT_THREAD || (o->kind == OBJECT_LOCAL && o->template_ == t->index))) return true;
    }
    return false;
}

static void note_fault(void *context, const Expr *e) {
    if (expr_may_fault(e)) *(bool *)context = true;
}

/* True if the invisible action can block or fault: an access of memory may fault, and an assumption may block. */
static bool may_block_or_fault(const Action *b) {
    bool found = false;
    for (size_t i = 0; i < vec_len(b->instrs) && !found; i++) {
        InstrKind kind = b->instrs[i].kind;
        found = kind != INSTR_ASSIGN && kind != INSTR_HAVOC && kind != INSTR_ALIVE && kind != INSTR_DEAD;
        instr_expressions(&b->instrs[i], note_fault, &found);
    }
    return found;
}

/* True if the action locks or joins. A thread that waits after a choice differs from a thread that has not chosen yet. */
static bool has_lock_or_join(const Action *b) {
    for (size_t i = 0; i < vec_len(b->instrs); i++)
        if (b->instrs[i].kind == INSTR_LOCK || b->instrs[i].kind == INSTR_JOIN) return true;
    return false;
}

static bool lets_others_run(const Location *l) { return !l->atomic && l->kind != LOCATION_HALT && l->kind != LOCATION_STOP; }

static bool has_await(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].waits) return true;
    return false;
}

static bool assumes(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_ASSUME) return true;
    return false;
}

/* ---- choices before waits ---- */

/* True if some wait follows the atomic location in its section. */
static bool section_waits(const Template *t, unsigned location) {
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, location);
    while (vec_len(work) && !found) {
        const Location *l = &t->locations[vec_pop(work)];
        if (seen[l->index] || !l->atomic) continue;
        seen[l->index] = true;
        for (size_t k = 0; k < vec_len(l->out) && !found; k++) {
            const Action *a = &t->actions[l->out[k]];
            for (size_t i = 0; i < vec_len(a->instrs); i++) found |= instr_waits(&a->instrs[i]);
            vec_push(work, a->target);
        }
    }
    vec_free(seen);
    vec_free(work);
    return found;
}

static bool choice_decides_wait(const Template *t, const Action *a, const Action *b) {
    if (!action_chooses(a)) return false;
    if (!t->locations[b->source].atomic && section_waits(t, b->target)) return true;
    Affected f = {0};
    bool decides = !affected_follow(&f, a) && affected_follow(&f, b);
    affected_free(&f);
    return decides;
}

/* True if a and b can be joined, as the head of the file says. Waits at m must remain, since ir/wait.h judges states in which threads wait. */
static bool may_join(const Cleaner *c, const Action *a, const Action *b) {
    const Template *t = c->template_;
    const Location *source = &t->locations[a->source], *middle = &t->locations[b->source], *target = &t->locations[b->target];
    if (a->approximation != b->approximation && a->approximation != NO_APPROXIMATION && b->approximation != NO_APPROXIMATION) return false;
    bool seen = is_visible(c, b);
    if (vec_len(a->instrs) && has_await(b)) return false; /* a thread that waits at m has executed a */
    if (assumes(a) && has_lock_or_join(b)) return false;  /* a thread that waits at m has passed a's assumption */
    if (choice_decides_wait(t, a, b)) return false;
    if (middle->atomic) return !seen;
    if (!seen && lets_others_run(target) && !may_block_or_fault(b)) return true;
    return lets_others_run(source) && !is_visible(c, a) && (vec_len(source->out) == 1 || !has_lock_or_join(b));
}

/* Returns the action after a that can be joined to a, or NULL. */
static Action *joinable(const Cleaner *c, const Action *a) {
    Template *t = c->template_;
    const Location *middle = &t->locations[a->target];
    if (middle->kind != LOCATION_PLAIN || middle->loop_head || vec_len(middle->out) != 1) return NULL;
    Action *b = &t->actions[middle->out[0]];
    if (b == a || b->target == b->source || !expr_is_true(b->guard)) return NULL;
    /* If several actions lead to the middle, b must be empty, since joining would copy its instructions. */
    bool empty = !vec_len(b->instrs) && b->approximation == NO_APPROXIMATION;
    if (c->incoming[middle->index] > 1 && !empty) return NULL;
    return may_join(c, a, b) ? b : NULL;
}

/* True if b closes an atomic section that a opens, and no other thread sees a. Even such a section drains a store buffer. */
static bool is_whole_section(const Cleaner *c, const Action *a, const Action *b) {
    const Location *l = c->template_->locations;
    if (!memory_is_buffered(c->program->memory) || !l[b->source].atomic || l[a->source].atomic || l[b->target].atomic) return false;
    return !a->section && !is_visible(c, a);
}

static void join(Cleaner *c, Action *a, const Action *b) {
    if (is_whole_section(c, a, b)) action_instr(a, INSTR_FENCE, b->position); /* seq_cst */
    for (size_t i = 0; i < vec_len(b->instrs); i++) vec_push(a->instrs, b->instrs[i]);
    if (a->approximation == NO_APPROXIMATION) a->approximation = b->approximation;
    a->section |= b->section;
    if (!a->position.file) a->position = b->position;
    a->target = b->target;
    /* If no other action leads to the middle, b can no longer be taken, and a replaces b among the actions that lead to the target. */
    if (--c->incoming[b->source]) c->incoming[b->target]++;
}

static void count_incoming(Cleaner *c) {
    const Template *t = c->template_;
    for (size_t i = 0; i < vec_len(t->locations); i++) c->incoming[i] = 0;
    c->incoming[t->entry] = 1;
    for (size_t i = 0; i < vec_len(t->actions); i++) c->incoming[t->actions[i].target]++;
}

static bool join_all(Cleaner *c) {
    Template *t = c->template_;
    bool any = false;
    count_incoming(c);
    for (size_t i = 0; i < vec_len(t->actions); i++) {
        Action *a = &t->actions[i], *b;
        if (!c->incoming[a->source]) continue; /* it was joined to another action */
        /* The bound ends the loop in a cycle without a loop head. */
        for (size_t steps = 0; steps < vec_len(t->locations) && (b = joinable(c, a)); steps++) {
            join(c, a, b);
            any = true;
        }
    }
    return any;
}

/* ---- renumbering ---- */

/* Returns the new number of each location, in the old order; GONE: it cannot be reached from the entry. */
static unsigned *reachable(const Template *t, unsigned *count) {
    unsigned *number = numbers(vec_len(t->locations));
    bool *reached = graph_reached(t, ANY_WAY);
    *count = 0;
    for (size_t i = 0; i < vec_len(t->locations); i++) number[i] = reached[i] ? (*count)++ : GONE;
    vec_free(reached);
    return number;
}

static void take_actions(Template *t, Location *l, const unsigned *number, Action **taken) {
    for (size_t j = 0; j < vec_len(l->out); j++) {
        Action a = t->actions[l->out[j]];
        t->actions[l->out[j]].instrs = NULL; /* moved */
        a.source = l->index;
        a.target = number[a.target];
        l->out[j] = a.index = (unsigned)vec_len(*taken);
        vec_push(*taken, a);
    }
}

static void renumber(Template *t) {
    unsigned count, *number = reachable(t, &count);
    Action *taken = NULL;
    t->entry = number[t->entry];
    for (size_t i = 0; i < vec_len(t->locations); i++) {
        Location l = t->locations[i];
        if (number[i] == GONE) {
            vec_free(l.out);
            continue;
        }
        l.index = number[i];
        take_actions(t, &l, number, &taken);
        t->locations[number[i]] = l;
    }
    vec_resize(t->locations, count);
    for (size_t i = 0; i < vec_len(t->actions); i++) vec_free(t->actions[i].instrs);
    vec_free(t->actions);
    t->actions = taken;
    free(number);
}

/* ---- unused locals ---- */

static void mark_variable(Cleaner *c, const Variable *v) {
    if (v) mark_symbol(c, v->symbol);
}

static void drop_locals(Cleaner *c) {
    Template *t = c->template_;
    unsigned kept = 0;
    c->stamp++;
    mark_variable(c, t->self);
    mark_variable(c, t->argument);
    mark_variable(c, t->result);
    vec_each_at(const Action, a, t->actions) {
        mark_reads(c, a->guard);
        for (size_t j = 0; j < vec_len(a->instrs); j++) {
            instr_expressions(&a->instrs[j], mark_reads, c);
            mark_variable(c, a->instrs[j].target);
            mark_variable(c, a->instrs[j].cell);
        }
    }
    for (unsigned i = 0; i < vec_len(t->locals); i++) {
        Variable *v = t->locals[i];
        if (c->mark[i] != c->stamp) continue;
        v->index = kept;
        t->locals[kept++] = v;
    }
    vec_resize(t->locals, kept);
}

static void clean_template(Cleaner *c, Template *t) {
    c->template_ = t;
    c->kills = end_kills(c, t);
    renumber(t);
    c->incoming = numbers(vec_len(t->locations));
    c->mark = numbers(vec_len(t->locals));
    c->stamp = 0;
    do remove_dead(c);
    while (join_all(c) && (renumber(t), true));
    drop_locals(c);
    free(c->incoming);
    free(c->mark);
}

void program_clean(Program *p) {
    Cleaner c = {.program = p, .shared = program_shared_objects(p)};
    for (size_t i = 0; i < vec_len(p->templates); i++) clean_template(&c, p->templates[i]);
    vec_free(c.shared);
}
