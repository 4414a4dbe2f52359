/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the locations where other threads need not run (Popeea, Rybalchenko and Wilhelm, "Reduction for Compositional Verification of
   Multi-Threaded Programs", Section V-B). doc/rules.md, "Blocks", has the conditions and the deviations.

   requires  a system with its movers (or without movers: no reduction)
   ensures   the executions in which the running thread changes only at Out locations reach all errors that any execution reaches
   breaks    nothing

   A block is a sequence of right movers, then at most one non-mover (the commit), then left movers. A location is reached in a phase: before
   the commit, if only right movers were taken since the block's start, or after the commit. After the commit, a location is Out if a
   transition other than a left mover may follow, or if the thread may wait there. The paper does not have the second condition. Without it, a
   thread could wait inside its block, and no thread would observe its commit. Entries, ends and errors are Out. Further Out locations are
   always sound.

   A loop after the commit has an Out location, since otherwise other threads might never observe the commit. A loop before the commit may be
   inside of a block (blocks_with_loops): its steps can all be moved to the right. The phases depend on the start of blocks. So if a loop has
   only right movers, the block ends before the loop, not at its head.

   An atomic section counts as one transition. Its locations are In, and it moves as all of its transitions move. */
#include "passes/reduce/blocks.h"
#include <stdlib.h>

enum { BEFORE = 1, AFTER = 2 };

typedef struct Inference {
    const System *system;
    Smt *smt;
    const Movers *movers;
    Blocks *blocks;
    unsigned thread;
    bool *out;
    unsigned *cuts;  /* a vec of locations, outer loops first: every loop goes through one of them */
    uint8_t *phases; /* by location */
    uint8_t *effect; /* by transition: MOVES_… of the transition, with the whole section if the transition enters an atomic section */
    bool *waits;     /* by transition: the section that it enters may block or loop */
} Inference;

static const SystemThread *thread_of(const Inference *f) { return &f->system->threads[f->thread]; }

static bool is_atomic(const Inference *f, unsigned l) { return thread_of(f)->locations[l].atomic; }

/* True if a thread at the location may have no enabled transition, given the fact of the location. A transition with inputs counts as one that
   may be disabled: Z3 would have to prove that a suitable input exists. */
static bool may_wait(const Inference *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    Exprs *x = f->system->exprs;
    const Expr *some = expr_bool(x, false);
    vec_each_of(const Transition, tr, t->transitions, t->locations[l].out) {
        if (vec_len(tr->inputs)) return true;
        some = expr_or(x, some, tr->guard);
    }
    return !smt_proves(f->smt, x, expr_implies(x, f->movers->facts[f->thread][l], some));
}

/* ---- atomic sections ---- */

/* True if the section that begins at an atomic location has a cycle. state: 1 on the search path, 2 done. */
static bool loops(const Inference *f, unsigned l, uint8_t *state) {
    const SystemThread *t = thread_of(f);
    bool found = false;
    state[l] = 1;
    for (size_t i = 0; i < vec_len(t->locations[l].out) && !found; i++) {
        unsigned target = t->transitions[t->locations[l].out[i]].target;
        if (is_atomic(f, target)) found = state[target] == 1 || (!state[target] && loops(f, target, state));
    }
    state[l] = 2;
    return found;
}

/* Restricts *effect to the directions in which the whole section at the atomic location moves. Sets *waits if the section may block. */
static void section(const Inference *f, unsigned location, bool *seen, uint8_t *effect, bool *waits) {
    const SystemThread *t = thread_of(f);
    unsigned *work = NULL;
    vec_push(work, location);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        if (seen[l]) continue;
        seen[l] = true;
        *waits |= f->blocks->blocked[f->thread][l];
        vec_each_of(const Transition, tr, t->transitions, t->locations[l].out) {
            *effect &= f->movers->kind[f->thread][tr->index];
            if (is_atomic(f, tr->target)) vec_push(work, tr->target);
        }
    }
    vec_free(work);
}

static void find_effects(Inference *f) {
    const SystemThread *t = thread_of(f);
    bool *seen = NULL;
    uint8_t *state = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Transition *tr = &t->transitions[i];
        uint8_t effect = f->movers->kind[f->thread][i];
        bool waits = false;
        if (is_atomic(f, tr->target)) {
            vec_clear(seen);
            vec_resize(seen, vec_len(t->locations));
            section(f, tr->target, seen, &effect, &waits);
            vec_clear(state);
            vec_resize(state, vec_len(t->locations));
            waits = waits || loops(f, tr->target, state);
        }
        vec_push(f->effect, effect);
        vec_push(f->waits, waits);
    }
    vec_free(state);
    vec_free(seen);
}

/* ---- loops ---- */

/* Returns the set of locations on cycles through l, by location. These cycles have no Out location except l. */
static bool *loop_of(const Inference *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    bool *both = NULL, *seen[2] = {NULL, NULL};
    for (int back = 0; back < 2; back++) {
        vec_resize(seen[back], vec_len(t->locations));
        for (bool again = true; again;) {
            again = false;
            for (size_t i = 0; i < vec_len(t->transitions); i++) {
                unsigned from = back ? t->transitions[i].target : t->transitions[i].source,
                         to = back ? t->transitions[i].source : t->transitions[i].target;
                if ((from != l && (f->out[from] || !seen[back][from])) || seen[back][to]) continue;
                seen[back][to] = again = true;
            }
        }
    }
    for (unsigned k = 0; k < vec_len(t->locations); k++) vec_push(both, seen[0][k] && seen[1][k] && (k == l || !f->out[k]));
    vec_free(seen[0]);
    vec_free(seen[1]);
    return both;
}

static bool forced_out(const Inference *f, unsigned l) {
    const SystemLocation *location = &thread_of(f)->locations[l];
    return location->kind != LOCATION_PLAIN || (!location->atomic && l == thread_of(f)->entry);
}

static void add_cut(Inference *f, unsigned l, const unsigned *preorder) {
    size_t i = vec_len(f->cuts);
    for (size_t k = 0; k < i; k++)
        if (f->cuts[k] == l) return;
    vec_push(f->cuts, l);
    for (; i && preorder[f->cuts[i - 1]] > preorder[l]; i--) f->cuts[i] = f->cuts[i - 1];
    f->cuts[i] = l;
}

/* Finds the cuts: the targets of back edges of a depth-first search, and the marked heads that are still on a loop. Code with goto has loops
   without a marked head. An unrolled loop has a marked head but no cycle. */
static void find_cuts(Inference *f) {
    const SystemThread *t = thread_of(f);
    unsigned *stack = NULL;
    size_t *edge = NULL;
    uint8_t *state = NULL; /* 1 on the stack, 2 done */
    unsigned *preorder = NULL, count = 0;
    vec_resize(state, vec_len(t->locations));
    vec_resize(preorder, vec_len(t->locations));
    vec_push(stack, t->entry);
    vec_push(edge, 0);
    state[t->entry] = 1;
    while (vec_len(stack)) {
        unsigned at = vec_last(stack);
        if (vec_last(edge) == vec_len(t->locations[at].out)) {
            state[at] = 2;
            (void)vec_pop(stack);
            (void)vec_pop(edge);
            continue;
        }
        unsigned target = t->transitions[t->locations[at].out[vec_last(edge)++]].target;
        if (state[target] == 1 && !is_atomic(f, target)) add_cut(f, target, preorder);
        for (size_t i = vec_len(stack); state[target] == 1 && is_atomic(f, target) && i > 0 && stack[i - 1] != target; i--)
            if (!is_atomic(f, stack[i - 1])) add_cut(f, stack[i - 1], preorder);
        if (state[target]) continue;
        state[target] = 1;
        preorder[target] = ++count;
        vec_push(stack, target);
        vec_push(edge, 0);
    }
    for (unsigned l = 0; l < vec_len(t->locations); l++) {
        bool *loop = t->locations[l].loop_head && !is_atomic(f, l) ? loop_of(f, l) : NULL;
        if (loop && loop[l]) add_cut(f, l, preorder);
        vec_free(loop);
    }
    vec_free(stack);
    vec_free(edge);
    vec_free(state);
    vec_free(preorder);
}

/* ---- phases (HC2) ---- */

static uint8_t phase_after(const Inference *f, const Transition *tr, uint8_t phase) {
    if (is_atomic(f, tr->source)) return phase; /* the entering transition counts for its whole section */
    uint8_t effect = f->effect[tr->index];
    if (effect == MOVES_BOTH) return phase;
    return effect & MOVES_RIGHT ? BEFORE : AFTER;
}

static void find_phases(Inference *f) {
    const SystemThread *t = thread_of(f);
    unsigned *work = NULL;
    vec_clear(f->phases);
    vec_resize(f->phases, vec_len(t->locations));
    f->phases[t->entry] = BEFORE;
    vec_push(work, t->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        vec_each_of(const Transition, tr, t->transitions, t->locations[l].out) {
            uint8_t next = 0;
            uint8_t from = f->out[l] ? BEFORE : f->phases[l]; /* a block starts at every Out location */
            for (unsigned p = BEFORE; p <= AFTER; p++)
                if (from & p) next |= phase_after(f, tr, (uint8_t)p);
            if ((f->phases[tr->target] & next) != next) {
                f->phases[tr->target] |= next;
                vec_push(work, tr->target);
            }
        }
    }
    vec_free(work);
}

/* True if the location can be reached after the commit, and may block or have a transition that is no left mover. */
static bool must_be_out(const Inference *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    if (is_atomic(f, l) || !(f->phases[l] & AFTER)) return false;
    if (f->blocks->blocked[f->thread][l]) return true;
    vec_each(unsigned, k, t->locations[l].out)
        if (!(f->effect[k] & MOVES_LEFT) || f->waits[k]) return true;
    return false;
}

/* ---- blocks ---- */

/* True if the loop through l has only right movers, the transitions that enter it at l are right movers, too, and none of them leaves an
   atomic section. */
static bool moves_right(const Inference *f, unsigned l, const bool *loop) {
    const SystemThread *t = thread_of(f);
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Transition *tr = &t->transitions[i];
        bool inside = loop[tr->source] && loop[tr->target], entering = tr->target == l && !inside;
        if ((inside || entering) && !(f->effect[i] & MOVES_RIGHT)) return false;
        if (entering && is_atomic(f, tr->source)) return false;
    }
    return true;
}

/* Ends the block before the loop through l, which is reached after the commit. If the
   loop moves right, its block ends at the sources of the transitions that enter it. So the loop is inside of the next block. For any other
   loop, the block ends at l. */
static void end_before(Inference *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    bool *loop = loop_of(f, l), in_front = moves_right(f, l, loop), changed = false;
    for (size_t i = 0; i < vec_len(t->transitions) && in_front; i++) {
        unsigned source = t->transitions[i].source;
        if (t->transitions[i].target != l || loop[source] || f->out[source] || !(f->phases[source] & AFTER)) continue;
        f->out[source] = changed = true;
    }
    if (!changed) f->out[l] = true;
    vec_free(loop);
}

static void infer(Inference *f, bool loops_inside) {
    size_t n = vec_len(thread_of(f)->locations);
    find_effects(f);
    find_cuts(f);
    for (size_t i = 0; i < vec_len(f->cuts) && !loops_inside; i++) f->out[f->cuts[i]] = true;
    for (bool again = true; again;) {
        again = false;
        find_phases(f);
        for (size_t i = 0; i < vec_len(f->cuts) && !again; i++)
            if (!f->out[f->cuts[i]] && (f->phases[f->cuts[i]] & AFTER)) {
                end_before(f, f->cuts[i]);
                again = true;
            }
        for (unsigned l = 0, changed = again; l < n && !changed; l++)
            if (!f->out[l] && must_be_out(f, l)) f->out[l] = again = true;
    }
}

/* ---- stops ---- */

enum { MAX_PATHS = 8 };

/* Appends the locations from l up to the next Out locations to *order, in depth-first postorder. The target of a back edge becomes a stop.
   (find_stops then counts the paths from stop to stop, in the reverse order.) */
static void postorder(const SystemThread *t, const bool *out, unsigned l, uint8_t *state, bool *stop, unsigned **order) {
    unsigned *stack = NULL;
    size_t *edge = NULL;
    vec_push(stack, l);
    vec_push(edge, 0);
    state[l] = 1;
    while (vec_len(stack)) {
        unsigned at = vec_last(stack);
        if (vec_last(edge) == vec_len(t->locations[at].out)) {
            state[at] = 2;
            vec_push(*order, at);
            (void)vec_pop(stack);
            (void)vec_pop(edge);
            continue;
        }
        unsigned target = t->transitions[t->locations[at].out[vec_last(edge)++]].target;
        if (out[target]) continue;
        if (state[target] == 1) stop[target] = true;
        if (state[target]) continue;
        state[target] = 1;
        vec_push(stack, target);
        vec_push(edge, 0);
    }
    vec_free(stack);
    vec_free(edge);
}

static bool *find_stops(const SystemThread *t, const bool *out) {
    size_t n = vec_len(t->locations);
    bool *stop = NULL;
    uint8_t *state = NULL;
    unsigned *order = NULL, *paths = NULL;
    vec_resize(stop, n);
    vec_resize(state, n);
    vec_resize(paths, n);
    for (unsigned l = 0; l < n; l++)
        if (out[l] && !state[l]) postorder(t, out, l, state, stop, &order);
    for (size_t i = vec_len(order); i-- > 0;) {
        unsigned l = order[i];
        if (out[l] || paths[l] > MAX_PATHS) stop[l] = true;
        unsigned through = stop[l] ? 1 : paths[l];
        for (size_t k = 0; k < vec_len(t->locations[l].out); k++) {
            unsigned target = t->transitions[t->locations[l].out[k]].target;
            if (paths[target] < 1u << 20) paths[target] += through;
        }
    }
    vec_free(state);
    vec_free(order);
    vec_free(paths);
    return stop;
}

bool blocks_valid(const System *s, const Blocks *b) {
    size_t n = vec_len(s->threads);
    if (vec_len(b->out) != n || vec_len(b->stop) != n || vec_len(b->blocked) != n) return false;
    for (size_t t = 0; t < n; t++) {
        size_t locations = vec_len(s->threads[t].locations);
        if (vec_len(b->out[t]) != locations || vec_len(b->stop[t]) != locations || vec_len(b->blocked[t]) != locations) return false;
        for (size_t l = 0; l < locations; l++)
            if (b->out[t][l] && !b->stop[t][l]) return false;
    }
    return true;
}

static Blocks *find_blocks(const System *s, Smt *smt, const Movers *m, bool loops_inside) {
    Blocks *b = zeroed(1, sizeof *b);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        Inference f = {.system = s, .smt = smt, .movers = m, .blocks = b, .thread = t};
        size_t n = vec_len(s->threads[t].locations);
        unsigned *blocked = NULL;
        for (unsigned l = 0; l < n; l++) vec_push(blocked, m && s->threads[t].locations[l].kind == LOCATION_PLAIN && may_wait(&f, l));
        vec_push(b->blocked, blocked);
        for (unsigned l = 0; l < n; l++) vec_push(f.out, m ? forced_out(&f, l) : !is_atomic(&f, l));
        if (m) infer(&f, loops_inside);
        vec_push(b->out, f.out);
        vec_push(b->stop, find_stops(&s->threads[t], f.out));
        vec_free(f.phases);
        vec_free(f.cuts);
        vec_free(f.effect);
        vec_free(f.waits);
    }
    ensure(blocks_valid(s, b));
    return b;
}

Blocks *blocks_new(const System *s, Smt *smt, const Movers *m) { return find_blocks(s, smt, m, false); }
Blocks *blocks_with_loops(const System *s, Smt *smt, const Movers *m) { return find_blocks(s, smt, m, true); }

void blocks_free(const System *s, Blocks *b) {
    if (!b) return;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        vec_free(b->out[t]);
        vec_free(b->stop[t]);
        vec_free(b->blocked[t]);
    }
    vec_free(b->out);
    vec_free(b->stop);
    vec_free(b->blocked);
    free(b);
}

/* ---- for display ---- */

static void print_transition(Buf *o, const System *s, const Transition *tr, const char *moves) {
    buf_printf(o, "      -> %-5u %-5s ", tr->target, moves);
    bool any = false;
    if (!expr_is_true(tr->guard)) {
        buf_text(o, "if (");
        expr_print_c(o, tr->guard);
        buf_text(o, ") ");
    }
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        const SystemVariable *v = &s->variables[tr->updates[u].variable];
        buf_printf(o, "%s%s = ", any ? ", " : "", v->name);
        expr_print_c(o, tr->updates[u].value);
        any = true;
    }
    if (tr->position.line) buf_printf(o, "   // line %u", tr->position.line);
    buf_char(o, '\n');
}

void blocks_print(Buf *o, const System *s, const Movers *m, const Blocks *b) {
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        const SystemThread *thread = &s->threads[t];
        buf_printf(o, "thread %s%s\n", thread->name, thread->many ? " (many)" : "");
        for (unsigned l = 0; l < vec_len(thread->locations); l++) {
            buf_printf(o, "  %s %u", !b ? "   " : b->out[t][l] ? "Out" : "In ", l);
            for (size_t i = 0; i < vec_len(m->held[t][l]); i++)
                buf_printf(o, "%s%s", i ? ", " : "   holds ", s->variables[m->held[t][l][i]].name);
            buf_char(o, '\n');
            vec_each_of(const Transition, tr, thread->transitions, thread->locations[l].out)
                print_transition(o, s, tr, mover_text(m->kind[t][tr->index]));
        }
    }
}
