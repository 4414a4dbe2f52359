/* SPDX-License-Identifier: Apache-2.0 */
/* Checks each rule of doc/rules.md, "An order of locks", in turn. The checker computes the locks that a thread holds after an action,
   and compares them with the claim about the target location. Nothing is searched. */
#include "base/messages.h"
#include "check/proof.h"
#include "result/verdict.h"
#include "check/messages.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_SHIFT = 28, TAKEN_BITS = (1 << KIND_SHIFT) - 1 }; /* in a mutex word: the kind, above owner and count */

typedef struct Check {
    const Program *program;
    const LockOrder *order;
    const Template *template_;
    const Action *action;
    bool ok;
    bool *unguarded; /* a vec, by lock: a thread that may not hold it may release it */
    bool reads_self; /* some template uses the number of its own thread */
    uint64_t kept;   /* number of pairs of a lock that is held and one that is taken, and of locks taken alone */
    Buf *certificate, *why;
    /* vecs: the locks that the thread may hold, and must hold, after the instructions so far */
    uint64_t *may, *must;
    OrderTry *tries;
} Check;

static void refuse(Check *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text;
    if (vasprintf(&text, format, args) < 0) out_of_resources(MSG_BASE_NO_MEMORY);
    va_end(args);
    if (c->ok && c->action) {
        Position at = c->action->position;
        buf_printf(c->why, "%s:%u: %s: ", at.file ? at.file : "?", at.line, c->template_->name);
    }
    if (c->ok) buf_text(c->why, text);
    free(text);
    c->ok = false;
}

static unsigned lock_of(const Check *c, const Variable *v) {
    for (unsigned i = 0; v && v->global && i < vec_len(c->order->locks); i++)
        if (c->order->locks[i] == v->index) return i;
    return NO_LOCK;
}

static const char *lock_name(const Check *c, unsigned lock) { return c->program->globals[c->order->locks[lock]]->name; }

/* ---- the shape of the claim ---- */

static bool starts_free(const Variable *v) {
    return v->sort->kind == SORT_BV && v->sort->width == 32 && v->init && expr_is_const(v->init) && !(v->init->value & TAKEN_BITS);
}

static void check_shape(Check *c) {
    const LockOrder *o = c->order;
    size_t n = vec_len(o->locks);
    if (vec_len(o->ranks) != n) refuse(c, MSG_CHECK_ORDER_NAMES);
    for (size_t i = 0; i < n && c->ok; i++) {
        if (o->locks[i] >= vec_len(c->program->globals) || o->ranks[i] >= vec_len(o->classes)) refuse(c, MSG_CHECK_ORDER_NAMES);
        for (size_t k = 0; k < i && c->ok; k++)
            if (o->locks[k] == o->locks[i]) refuse(c, MSG_CHECK_ORDER_TWICE);
        if (c->ok && !starts_free(c->program->globals[o->locks[i]]))
            refuse(c, MSG_CHECK_ORDER_START, c->program->globals[o->locks[i]]->name);
    }
    for (size_t i = 0; i < vec_len(o->classes) && c->ok; i++)
        if ((o->classes[i].gate != NO_LOCK && o->classes[i].gate >= n)) refuse(c, MSG_CHECK_ORDER_NAMES);
    for (size_t t = 0; t < vec_len(o->places) && c->ok; t++)
        if (!o->places[t][c->program->templates[t]->entry].reached) refuse(c, MSG_CHECK_ORDER_REACHED);
}

/* ---- numbers of threads ---- */

static void look_for_self(void *context, const Expr *e) {
    Check *c = context;
    if (expr_mentions(e, c->template_->self->symbol)) c->reads_self = true;
}

static bool comes_from(const Expr *e, const bool *created) {
    const Variable *v = expr_variable(e);
    if (v) return !v->global && created[v->index];
    return (e->op == OP_ZEXT || (e->op == OP_EXTRACT && e->low == 0)) && comes_from(e->args[0], created);
}

/* Returns, by local, whether it holds only numbers of threads that its own thread has created. A vec. */
static bool *created_by_itself(const Template *t) {
    bool *created = NULL;
    vec_resize(created, vec_len(t->locals));
    for (size_t i = 0; i < vec_len(t->locals); i++)
        created[i] = t->locals[i] != t->self && t->locals[i] != t->argument && t->locals[i] != t->result;
    for (bool again = true; again;) {
        again = false;
        for (size_t a = 0; a < vec_len(t->actions); a++)
            vec_each_at(const Instr, x, t->actions[a].instrs) {
                const Variable *v = instr_written(x);
                if (!v || v->global || !created[v->index] || x->kind == INSTR_CREATE || (x->kind == INSTR_HAVOC && x->undefined)) continue;
                if (x->kind == INSTR_ASSIGN && comes_from(x->value, created)) continue;
                created[v->index] = false;
                again = true;
            }
    }
    return created;
}

/* Checks that a thread waits only for the end of a later thread: main for any created thread, another thread only for those that it
   created itself. */
static void check_join(Check *c, const Instr *x, const OrderPlace *at) {
    for (unsigned l = 0; l < vec_len(c->order->locks); l++)
        if (locks_have(at->may, l)) refuse(c, MSG_CHECK_ORDER_JOIN, lock_name(c, l));
    if (c->template_->index == 0 && !c->reads_self) return;
    bool *created = created_by_itself(c->template_);
    if (!comes_from(x->address, created)) refuse(c, MSG_CHECK_ORDER_CREATOR);
    vec_free(created);
}

/* ---- locks held ---- */

static void forget_tries(Check *c, unsigned lock, const Variable *v) {
    size_t n = 0;
    for (size_t i = 0; i < vec_len(c->tries); i++) {
        bool gone = c->tries[i].lock == lock || (v && !v->global && c->tries[i].local == v->index);
        if (!gone) c->tries[n++] = c->tries[i];
    }
    vec_resize(c->tries, n);
}

static void release(Check *c, unsigned lock) {
    locks_remove(c->may, lock);
    locks_remove(c->must, lock);
    forget_tries(c, lock, NULL);
}

typedef struct Zero {
    Check *check;
    const Symbol *symbol;
} Zero;

static const Expr *zero_for(void *context, const Expr *symbol) {
    const Zero *z = context;
    return symbol->symbol == z->symbol ? expr_const(z->check->program->exprs, symbol->sort, 0) : symbol;
}

/* Releases the lock of each attempt (trylock) whose success the condition excludes. */
static void apply_condition(Check *c, const Expr *condition) {
    for (size_t i = vec_len(c->tries); i-- > 0 && condition;) {
        OrderTry t = c->tries[i];
        Zero z = {c, c->template_->locals[t.local]->symbol};
        if (expr_is_false(expr_substitute(c->program->exprs, condition, zero_for, &z))) release(c, t.lock);
        if (i > vec_len(c->tries)) i = vec_len(c->tries);
    }
}

static void certify(Check *c, unsigned held, unsigned lock, bool ordered) {
    c->kept++;
    if (!c->certificate) return;
    Position at = c->action->position;
    buf_printf(
        c->certificate,
        "; order %s %u->%u: %s is taken while %s may be held (line %u)%s\n(push 1)\n(assert (not (%s %u %u)))\n(check-sat)\n(pop 1)\n",
        c->template_->name, c->action->source, c->action->target, lock_name(c, lock), lock_name(c, held), at.line,
        ordered ? "" : ": one thread at a time takes locks of this rank", ordered ? "<" : "=", c->order->ranks[held],
        c->order->ranks[lock]);
}

static void certify_alone(Check *c, unsigned lock) {
    c->kept++;
    if (c->certificate)
        buf_printf(c->certificate, "; checked: order %s %u->%u: %s is taken while no lock is held (line %u)\n", c->template_->name,
                   c->action->source, c->action->target, lock_name(c, lock), c->action->position.line);
}

/* Returns whether only one thread at a time can hold a lock of this rank and wait for another one. */
static bool one_at_a_time(const Check *c, unsigned rank, const OrderPlace *at) {
    OrderRank k = c->order->classes[rank];
    if (k.gate != NO_LOCK) return locks_have(at->must, k.gate);
    return k.alone == c->template_->index && c->template_->count == 1;
}

static void check_lock(Check *c, unsigned lock, const OrderPlace *at) {
    unsigned rank = c->order->ranks[lock];
    uint64_t before = c->kept;
    if (locks_have(at->may, lock) || locks_have(c->may, lock)) refuse(c, MSG_CHECK_ORDER_AGAIN, lock_name(c, lock));
    for (unsigned h = 0; h < vec_len(c->order->locks) && c->ok; h++) {
        if (!locks_have(at->may, h)) continue;
        bool ordered = c->order->ranks[h] < rank;
        if (!ordered && (c->order->ranks[h] > rank || !one_at_a_time(c, rank, at)))
            refuse(c, MSG_CHECK_ORDER_BOTH, lock_name(c, lock), lock_name(c, h));
        else certify(c, h, lock, ordered);
    }
    if (c->kept == before && c->ok) certify_alone(c, lock);
}

static void take_mutex(Check *c, const Instr *x, const OrderPlace *at) {
    unsigned lock = lock_of(c, x->cell);
    if (lock == NO_LOCK) {
        refuse(c, MSG_CHECK_ORDER_UNKNOWN);
        return;
    }
    if (x->kind == INSTR_LOCK) check_lock(c, lock, at);
    if (x->kind == INSTR_TRYLOCK && locks_have(c->may, lock)) refuse(c, MSG_CHECK_ORDER_TRIED, lock_name(c, lock));
    if (x->kind == INSTR_UNLOCK && !locks_have(c->must, lock)) c->unguarded[lock] = true;
    release(c, lock);
    forget_tries(c, NO_LOCK, x->target);
    if (x->kind != INSTR_UNLOCK) locks_add(c->may, lock);
    if (x->kind == INSTR_LOCK) locks_add(c->must, lock);
    if (x->kind == INSTR_TRYLOCK && x->target && !x->target->global) vec_push(c->tries, ((OrderTry){lock, x->target->index}));
}

/* Copies attempts with the variable that holds their result. */
static void copy_tries(Check *c, const Instr *x, const Variable *v) {
    const Variable *from = x->kind == INSTR_ASSIGN ? expr_variable(x->value) : NULL;
    size_t n = vec_len(c->tries);
    for (size_t i = 0; i < n && from && !from->global && !v->global && from != v; i++)
        if (c->tries[i].local == from->index) vec_push(c->tries, ((OrderTry){c->tries[i].lock, v->index}));
}

/* Returns whether the value of a mutex word has no owner, for any kind of mutex. */
static bool is_free(const Expr *e) {
    if (e->op == OP_SHL) return expr_is_const(e->args[1]) && e->args[1]->value >= KIND_SHIFT;
    return expr_is_const(e) && !(e->value & TAKEN_BITS);
}

/* Checks that a mutex is written only by lock operations, or by a free word that makes it anew. */
static void check_write(Check *c, const Instr *x) {
    const Variable *v = instr_written(x);
    unsigned lock = lock_of(c, v);
    if (v) forget_tries(c, NO_LOCK, v);
    if (v) copy_tries(c, x, v);
    if (lock == NO_LOCK) return;
    if (x->kind != INSTR_ASSIGN || !is_free(x->value)) refuse(c, MSG_CHECK_ORDER_WRITTEN, v->name);
    c->unguarded[lock] = true;
    release(c, lock);
}

static void check_instr(Check *c, const Instr *x, const OrderPlace *at) {
    bool waits = x->kind == INSTR_LOCK || x->kind == INSTR_JOIN;
    if (waits && c->template_->locations[c->action->source].atomic) refuse(c, MSG_CHECK_ORDER_SECTION);
    switch (x->kind) {
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK: take_mutex(c, x, at); return;
    case INSTR_JOIN: check_join(c, x, at); break;
    case INSTR_ASSUME:
        if (x->waits) refuse(c, MSG_CHECK_ORDER_OTHER_WAIT);
        break;
    default: break;
    }
    check_write(c, x);
}

/* ---- from location to location ---- */

static bool has_try(const OrderTry *list, OrderTry t) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].lock == t.lock && list[i].local == t.local) return true;
    return false;
}

static void check_target(Check *c, const OrderPlace *to) {
    if (!to->reached) refuse(c, MSG_CHECK_ORDER_REACHED);
    for (size_t w = 0; w < locks_words(c->order) && c->ok; w++)
        if (c->may[w] & ~to->may[w] || to->must[w] & ~c->must[w]) refuse(c, MSG_CHECK_ORDER_HELD);
    for (size_t i = 0; i < vec_len(to->tries) && c->ok; i++) {
        OrderTry t = to->tries[i];
        if (t.lock >= vec_len(c->order->locks) || t.local >= vec_len(c->template_->locals)) refuse(c, MSG_CHECK_ORDER_NAMES);
        else if (locks_have(c->may, t.lock) && !has_try(c->tries, t)) refuse(c, MSG_CHECK_ORDER_TRIES, lock_name(c, t.lock));
    }
}

static void copy_place(Check *c, const OrderPlace *from) {
    vec_clear(c->may);
    vec_clear(c->must);
    vec_clear(c->tries);
    for (size_t w = 0; w < locks_words(c->order); w++) {
        vec_push(c->may, from->may[w]);
        vec_push(c->must, from->must[w]);
    }
    vec_append(c->tries, from->tries);
}

static void check_action(Check *c, const Action *a) {
    const OrderPlace *places = c->order->places[c->template_->index], *at = &places[a->source];
    c->action = a;
    copy_place(c, at);
    apply_condition(c, a->guard);
    for (size_t i = 0; i < vec_len(a->instrs) && c->ok; i++) check_instr(c, &a->instrs[i], at);
    if (c->ok) check_target(c, &places[a->target]);
    c->action = NULL;
}

static void check_location(Check *c, const Location *l) {
    const OrderPlace *at = &c->order->places[c->template_->index][l->index];
    if (!at->reached) return;
    if (l->kind == LOCATION_STOP) refuse(c, MSG_CHECK_ORDER_STOP);
    for (size_t w = 0; w < locks_words(c->order); w++) {
        if (l->kind == LOCATION_END && at->may[w]) refuse(c, MSG_CHECK_ORDER_END, c->template_->name);
        if (l->index == c->template_->entry && at->must[w]) refuse(c, MSG_CHECK_ORDER_ENTRY, c->template_->name);
    }
    for (size_t i = 0; i < vec_len(at->tries) && c->ok; i++)
        if (at->tries[i].lock >= vec_len(c->order->locks) || at->tries[i].local >= vec_len(c->template_->locals))
            refuse(c, MSG_CHECK_ORDER_NAMES);
    for (size_t i = 0; i < vec_len(l->out) && c->ok; i++) check_action(c, &c->template_->actions[l->out[i]]);
}

/* ---- the check ---- */

/* Finds out whether some template uses the number of its own thread. */
static void find_self(Check *c) {
    for (size_t t = 0; t < vec_len(c->program->templates); t++) {
        c->template_ = c->program->templates[t];
        vec_each_at(const Action, x, c->template_->actions) {
            if (x->guard) look_for_self(c, x->guard);
            for (size_t i = 0; i < vec_len(x->instrs); i++) instr_expressions(&x->instrs[i], look_for_self, c);
        }
    }
}

static void check_gates(Check *c) {
    for (size_t r = 0; r < vec_len(c->order->classes); r++) {
        unsigned gate = c->order->classes[r].gate;
        if (gate != NO_LOCK && c->unguarded[gate]) refuse(c, MSG_CHECK_ORDER_GATE, lock_name(c, gate));
    }
}

static void write_head(Check *c) {
    if (!c->certificate) return;
    buf_text(c->certificate,
             "; Heddle proof certificate. Every (check-sat) is to be answered unsat.\n"
             "; Numbers are ranks of locks. Trusted: the translation of C to the program, and which locks may be held where.\n"
             "(set-logic ALL)\n");
}

bool lock_order_check(const Program *p, const LockOrder *o, uint64_t *kept, Buf *certificate, Buf *why) {
    Check c = {.program = p, .order = o, .ok = true, .certificate = certificate, .why = why};
    vec_resize(c.unguarded, vec_len(o->locks));
    for (size_t i = 0; i < vec_len(o->locks); i++) c.unguarded[i] = false;
    write_head(&c);
    check_shape(&c);
    if (c.ok) find_self(&c);
    for (size_t t = 0; t < vec_len(p->templates) && c.ok; t++) {
        c.template_ = p->templates[t];
        for (size_t l = 0; l < vec_len(c.template_->locations) && c.ok; l++) check_location(&c, &c.template_->locations[l]);
    }
    if (c.ok) check_gates(&c);
    vec_free(c.unguarded);
    vec_free(c.may);
    vec_free(c.must);
    vec_free(c.tries);
    *kept = c.kept;
    return c.ok;
}
