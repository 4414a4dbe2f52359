/* SPDX-License-Identifier: Apache-2.0 */
/* Turns misuse of mutexes and threads into errors, for engines that search for error locations (part of instrument-memory).

   A thread may only unlock a mutex that it holds. A data flow over all paths finds the mutexes that are certainly held. A name is the variable
   of the mutex, or the expression of its address. A LOCK under a name makes it held. An UNLOCK that may release the mutex
   ends this, and so does a change of a variable in the name. A write to the bytes of the mutex ends it as well. A mutex that another thread may
   write is never held. An UNLOCK of any other mutex leads to a STOP, since the data flow does not show whether the thread holds the mutex.

   A JOIN is an error if its number is never the number of a thread. The library models join such a number if a thread is joined twice, for
   instance. Any other number comes from a CREATE, is 0, or is not initialised. So the JOIN is an error if its number is 0: a number that is not
   initialised may be 0, too. A program with other numbers has no system (analysis/thread_numbers.h).

   The pass does not check whether a mutex was initialised: partition-memory accepts only mutexes that are certainly zero at their first use. */
#include "analysis/graph.h"
#include "analysis/pointsto.h"
#include "passes/messages.h"
#include "passes/program/instrumented.h"

enum { MOST = 64, WORD = 4 }; /* names: bits of a set; the bytes of a mutex */

typedef struct Names {
    Instrumented *out;
    Template *template_;
    PointsTo *pointsto;
    const Variable *cells[MOST]; /* the name of a mutex that is a variable; or … */
    const Expr *addresses[MOST]; /* … the name of a mutex in memory */
    unsigned n;
    uint64_t written; /* the names whose mutex another thread may write */
    uint64_t *held;   /* a vec, by location: the names that are held on all paths to the location; all names, if no path is known yet */
} Names;

static bool is_mutex(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK; }

static unsigned name_of(const Names *x, const Instr *i) {
    for (unsigned k = 0; k < x->n; k++)
        if (x->cells[k] == i->cell && x->addresses[k] == i->address) return k;
    return MOST;
}

static void find_names(Names *x, size_t actions) {
    for (size_t a = 0; a < actions; a++)
        vec_each_at(const Instr, s, x->template_->actions[a].instrs) {
            if (s->kind != INSTR_LOCK || name_of(x, s) < MOST || x->n == MOST) continue;
            x->cells[x->n] = s->cell;
            x->addresses[x->n++] = s->address;
        }
}

static bool is_fixed(const Expr *e) {
    if (e->op == OP_ADD) return is_fixed(e->args[0]) && is_fixed(e->args[1]);
    return expr_is_const(e) || (e->op == OP_SYMBOL && e->symbol->kind == SYM_ADDRESS);
}

/* True if the mutex of the instruction may be the mutex of this name. */
static bool may_be(const Names *x, const Instr *i, unsigned k) {
    if (x->cells[k] || i->cell) return x->cells[k] == i->cell;
    return x->addresses[k] == i->address || !is_fixed(x->addresses[k]) || !is_fixed(i->address);
}

/* True if the instruction may write the mutex of this name other than by taking or releasing it. */
static bool may_change(const Names *x, const Instr *i, unsigned k) {
    if (is_mutex(i)) return false;
    if (x->cells[k]) return i->target == x->cells[k];
    return pointsto_may_write(x->pointsto, i, x->addresses[k], WORD);
}

static uint64_t without(const Names *x, const Instr *i, uint64_t held) {
    for (unsigned k = 0; k < x->n; k++) {
        bool renamed = i->target && x->addresses[k] && expr_mentions(x->addresses[k], i->target->symbol);
        if (renamed || may_change(x, i, k) || (i->kind == INSTR_UNLOCK && may_be(x, i, k))) held &= ~(UINT64_C(1) << k);
    }
    return held;
}

static bool action_creates(const Action *a) {
    bool creates = false;
    vec_each_at(const Instr, i, a->instrs) creates |= i->kind == INSTR_CREATE;
    return creates;
}

/* Finds the locations of main that only precede the creation of threads. The result is a vec, by location: true if a thread may exist. */
static bool *after_creation(const Template *main) {
    bool *after = NULL;
    vec_resize(after, vec_len(main->locations));
    for (bool changed = true; changed;) {
        changed = false;
        vec_each_at(const Action, a, main->actions) {
            bool creates = after[a->source] || action_creates(a);
            changed |= creates && !after[a->target];
            after[a->target] |= creates;
        }
    }
    return after;
}

/* Returns the names whose mutex another thread may write while the template runs. */
static uint64_t written_by_others(const Names *x, const bool *created) {
    uint64_t written = 0;
    vec_each(const Template *, t, x->out->program->templates) {
        if (t == x->template_ && t->count == 1) continue;
        vec_each_at(const Action, a, t->actions) {
            if (t->index == 0 && !created[a->source] && !action_creates(a)) continue;
            vec_each_at(const Instr, i, a->instrs)
                for (unsigned k = 0; k < x->n; k++)
                    if (may_change(x, i, k)) written |= UINT64_C(1) << k;
        }
    }
    return written;
}

/* Returns the names that are held after the first n instructions of the action. */
static uint64_t held_after(const Names *x, const Action *a, size_t n) {
    uint64_t held = x->held[a->source];
    for (size_t i = 0; i < n; i++) {
        const Instr *s = &a->instrs[i];
        unsigned k = s->kind == INSTR_LOCK ? name_of(x, s) : MOST;
        held = without(x, s, held);
        if (k < MOST) held |= UINT64_C(1) << k;
    }
    return held & ~x->written;
}

static void spread(Names *x, size_t actions) {
    for (size_t l = 0; l < vec_len(x->template_->locations); l++) vec_push(x->held, l == x->template_->entry ? 0 : ~UINT64_C(0));
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t a = 0; a < actions; a++) {
            const Action *s = &x->template_->actions[a];
            uint64_t now = x->held[s->target] & held_after(x, s, vec_len(s->instrs));
            changed |= now != x->held[s->target];
            x->held[s->target] = now;
        }
    }
}

/* Adds an error for a JOIN of no thread. */
static void ask_number(Names *x, unsigned action, unsigned at, const Expr *number) {
    Exprs *e = x->out->program->exprs;
    const Expr *none = expr_eq(e, number, expr_const(e, number->sort, 0));
    Position here = x->template_->actions[action].instrs[at].position;
    Instr asks = {.kind = INSTR_ASSUME, .value = none, .position = here};
    if (!expr_is_false(none))
        instrumented_add(x->out, x->template_, action, at, LOCATION_ERROR, fault_text(FAULT_THREAD), &asks, TRACE_FAULT);
}

static void ask_instr(Names *x, unsigned action, unsigned at) {
    const Action *a = &x->template_->actions[action];
    const Instr *i = &a->instrs[at];
    const Expr *number = i->kind == INSTR_JOIN ? i->address : NULL;
    if (known_at(x->out->question->known, i->position)) return;
    if (i->kind == INSTR_UNLOCK) {
        unsigned k = name_of(x, i);
        if (k < MOST && (held_after(x, a, at) >> k & 1)) return;
        instrumented_add(x->out, x->template_, action, at, LOCATION_STOP, MSG_PASSES_MUTEX_OPEN, NULL, TRACE_FAULT);
    } else if (number && expr_is_const(number) && is_misuse((uint64_t)number->value)) {
        const char *text = fault_text((Fault)(number->value - MISUSE));
        instrumented_add(x->out, x->template_, action, at, LOCATION_ERROR, text, NULL, TRACE_FAULT);
    } else if (number && expr_is_const(number) && (uint32_t)number->value == UINT32_MAX) {
        instrumented_add(x->out, x->template_, action, at, LOCATION_ERROR, MSG_PASSES_JOINED_TWICE, NULL, TRACE_FAULT);
    } else if (number) ask_number(x, action, at, number);
}

/* True if the instruction marks a mutex as destroyed. The library models do so where the mutex may still be used later. */
static bool leaves_mark(const Instr *i) {
    const Expr *v = i->kind == INSTR_STORE || i->kind == INSTR_ASSIGN ? i->value : NULL;
    return v && expr_is_const(v) && v->sort->kind == SORT_BV && v->sort->width == 32 && (uint32_t)v->value == DESTROYED_MUTEX;
}

static void ask_template(Instrumented *out, Template *t, PointsTo *pointsto, const bool *created) {
    Names x = {.out = out, .template_ = t, .pointsto = pointsto};
    size_t actions = vec_len(t->actions);
    find_names(&x, actions);
    x.written = written_by_others(&x, created);
    spread(&x, actions);
    for (unsigned a = 0; a < actions; a++)
        for (unsigned i = 0; i < vec_len(t->actions[a].instrs); i++) {
            const Instr *s = &t->actions[a].instrs[i];
            if (is_mutex(s) || s->kind == INSTR_JOIN) ask_instr(&x, a, i);
            else if (leaves_mark(s) && !out->refused) out->refused = MSG_PASSES_MUTEX_DESTROYED, out->where = s->position;
        }
    vec_free(x.held);
}

void instrument_mutexes(Instrumented *out) {
    if (!question_forbids_misuse(out->question)) return;
    Program *p = out->program;
    PointsTo *pointsto = pointsto_new(p);
    bool *created = after_creation(p->templates[0]);
    for (size_t t = 0; t < vec_len(p->templates); t++) ask_template(out, p->templates[t], pointsto, created);
    vec_free(created);
    pointsto_free(pointsto);
}
