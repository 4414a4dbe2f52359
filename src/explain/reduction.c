/* SPDX-License-Identifier: Apache-2.0 */
/* A node of the graph has the places of the threads, the formula that holds there, and the next steps. It also has a sleep set (Godefroid 1996):
   steps that other interleavings cover. Below the graph stands which thread runs next after each step. Nodes without anything to explore are left
   out, with the steps that lead there. */
#include "explain/reduction.h"
#include "base/map.h"
#include "explain/blocks.h"
#include "explain/invariants.h"
#include <string.h>

enum { FEW_NODES = 12, FEW_ASSERTIONS = 16, FEW_TURNS = 12 };

/* Returns the displayed number of each node, from 1; 0 for nodes that are left out. */
static unsigned *number_nodes(const Proof *p) {
    unsigned *numbers = NULL, next = 0;
    for (size_t i = 0; i < vec_len(p->nodes); i++) vec_push(numbers, p->nodes[i].dead ? 0 : ++next);
    return numbers;
}

/* Prints the thread and line of a step. A round of a loop and the step that ends the thread may begin at one line, so they are marked. */
static void print_block_step(Buf *out, const Display *display, const Proof *p, unsigned block_step) {
    ensure(block_step < vec_len(p->block_steps));
    const ProofStep *l = &p->block_steps[block_step];
    const SystemThread *t = &p->system->threads[l->thread];
    const Transition *first = &t->transitions[l->transitions[0]], *last = &t->transitions[vec_last(l->transitions)];
    const char *how = t->locations[last->target].kind == LOCATION_END ? ", ends" : first->source == last->target ? ", loops" : "";
    buf_text(out, display_thread(display, l->thread));
    Position at = blocks_next_of(p, l->thread, first);
    if (!at.line) return;
    buf_text(out, " (");
    display_position(display, out, at);
    buf_printf(out, "%s)", how);
}

static bool read_the_same(const Display *display, const Proof *p, unsigned a, unsigned b) {
    Buf x = {0}, y = {0};
    print_block_step(&x, display, p, a);
    print_block_step(&y, display, p, b);
    bool same = !strcmp(buf_string(&x), buf_string(&y));
    buf_free(&x);
    buf_free(&y);
    return same;
}

static bool same_move(const Display *display, const Proof *p, const ProofEdge *a, const ProofEdge *b) {
    return a->target == b->target && read_the_same(display, p, a->block_step, b->block_step);
}

static void print_moves(Buf *out, const Display *display, const Proof *p, const ProofNode *n, const unsigned *numbers) {
    unsigned count = 0;
    for (size_t e = 0; e < vec_len(n->edges); e++) {
        if (!numbers[n->edges[e].target] || (e && same_move(display, p, &n->edges[e - 1], &n->edges[e]))) continue;
        buf_text(out, count++ ? ", " : "       next ");
        print_block_step(out, display, p, n->edges[e].block_step);
        buf_printf(out, " to %u", numbers[n->edges[e].target]);
    }
    for (size_t i = 0; i < vec_len(n->sleep); i++) {
        if (i && read_the_same(display, p, n->sleep[i - 1], n->sleep[i])) continue;
        buf_text(out, i ? ", " : count ? "; covered by other interleavings: " : "       covered by other interleavings: ");
        print_block_step(out, display, p, n->sleep[i]);
        count++;
    }
    if (count) buf_char(out, '\n');
}

static void print_graph(Buf *out, Display *display, const Proof *p, const unsigned *numbers) {
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        const ProofNode *n = &p->nodes[i];
        const Expr *holds = display_read(display, n->invariant);
        if (!numbers[i]) continue;
        buf_printf(out, "  %2u. ", numbers[i]);
        invariant_place(out, display, p, n);
        if (!expr_is_true(holds)) {
            buf_text(out, ":\n       ");
            expr_print_c(out, holds);
        }
        buf_char(out, '\n');
        print_moves(out, display, p, n, numbers);
    }
}

/* ---- assertions ---- */

typedef struct Assertion {
    const Expr *formula;
    unsigned nodes; /* the number of nodes that use it */
} Assertion;

static void count_conjuncts(const Expr *e, Map *index, Assertion **list) {
    uint64_t at;
    if (e->op == OP_AND) {
        for (unsigned i = 0; i < e->nargs; i++) count_conjuncts(e->args[i], index, list);
        return;
    }
    if (expr_is_const(e)) return;
    if (!map_get(index, map_key(e), &at)) {
        at = vec_len(*list);
        map_put(index, map_key(e), at);
        vec_push(*list, ((Assertion){e, 0}));
    }
    (*list)[at].nodes++;
}

static void print_assertions(Buf *out, Display *display, const Proof *p, unsigned nodes) {
    Map *index = map_new();
    Assertion *list = NULL;
    for (size_t i = 0; i < vec_len(p->nodes); i++)
        if (!p->nodes[i].dead) count_conjuncts(display_read(display, p->nodes[i].invariant), index, &list);
    buf_printf(out, "  %u places (--verbose shows them)%s\n", nodes,
               vec_len(list) ? "; these assertions hold at the number of places before them:" : "");
    for (size_t i = 0; i < vec_len(list) && i < FEW_ASSERTIONS; i++) {
        buf_printf(out, "  %6u  ", list[i].nodes);
        expr_print_c(out, list[i].formula);
        buf_char(out, '\n');
    }
    if (vec_len(list) > FEW_ASSERTIONS) buf_printf(out, "  … and %zu more\n", vec_len(list) - FEW_ASSERTIONS);
    vec_free(list);
    map_free(index);
}

/* ---- the order of threads ---- */

/* Counts how often each thread runs next after steps with the same text. */
typedef struct Following {
    unsigned block_step, total;
    unsigned *counts; /* a vec by thread */
} Following;

static Following *following(Following **list, const Display *display, const Proof *p, unsigned block_step) {
    for (size_t i = 0; i < vec_len(*list); i++)
        if (read_the_same(display, p, (*list)[i].block_step, block_step)) return &(*list)[i];
    vec_push(*list, ((Following){.block_step = block_step}));
    vec_resize(vec_last(*list).counts, vec_len(p->system->threads));
    return &vec_last(*list);
}

/* Returns the thread of the first displayed edge: the graph explores its steps first. NONE: no edge is displayed. */
static unsigned first_mover(const Proof *p, const ProofNode *n, const unsigned *numbers) {
    for (size_t e = 0; e < vec_len(n->edges); e++)
        if (numbers[n->edges[e].target]) return p->block_steps[n->edges[e].block_step].thread;
    return NONE;
}

/* True if all steps of some thread are in the sleep set. The node then covers only executions in which that thread waits. */
static bool has_sleeper(const Proof *p, const ProofNode *n) {
    for (size_t i = 0; i < vec_len(n->sleep); i++) {
        bool moves = false;
        for (size_t e = 0; e < vec_len(n->edges); e++)
            moves |= p->block_steps[n->edges[e].block_step].thread == p->block_steps[n->sleep[i]].thread;
        if (!moves) return true;
    }
    return false;
}

static Following *count_following(const Display *display, const Proof *p, const unsigned *numbers) {
    Following *list = NULL;
    Map *known = map_new(); /* step → index in the list */
    for (size_t i = 0; i < vec_len(p->nodes); i++)
        vec_each_at(const ProofEdge, edge, p->nodes[i].edges) {
            unsigned next = numbers[i] && numbers[edge->target] ? first_mover(p, &p->nodes[edge->target], numbers) : NONE;
            uint64_t at;
            if (next == NONE || has_sleeper(p, &p->nodes[edge->target])) continue;
            if (!map_get(known, edge->block_step, &at))
                map_put(known, edge->block_step, at = (uint64_t)(following(&list, display, p, edge->block_step) - list));
            list[at].counts[next]++;
            list[at].total++;
        }
    map_free(known);
    return list;
}

static void print_following(Buf *out, const Display *display, const Proof *p, const Following *f) {
    unsigned best = 0, others = 0;
    for (unsigned t = 0; t < vec_len(f->counts); t++)
        if (f->counts[t] > f->counts[best]) best = t;
    buf_text(out, "  after ");
    print_block_step(out, display, p, f->block_step);
    buf_printf(out, f->counts[best] == f->total ? ", next is %s" : ", next is mostly %s", display_thread(display, best));
    for (unsigned t = 0; t < vec_len(f->counts); t++)
        if (t != best && f->counts[t]) buf_printf(out, "%s%s", others++ ? " or " : ", else ", display_thread(display, t));
    buf_char(out, '\n');
}

static void print_order(Buf *out, const Display *display, const Proof *p, const unsigned *numbers) {
    Following *list = count_following(display, p, numbers);
    if (vec_len(p->system->threads) > 2 && vec_len(list)) buf_text(out, "The explored interleavings, which represent all interleavings:\n");
    for (size_t i = 0; i < vec_len(list); i++) {
        if (vec_len(p->system->threads) > 2 && i < FEW_TURNS) print_following(out, display, p, &list[i]);
        vec_free(list[i].counts);
    }
    if (vec_len(p->system->threads) > 2 && vec_len(list) > FEW_TURNS) buf_printf(out, "  … and %zu more\n", vec_len(list) - FEW_TURNS);
    vec_free(list);
}

void reduction_text(Buf *out, Display *display, const Proof *p, bool all) {
    unsigned *numbers = number_nodes(p), nodes = 0;
    for (size_t i = 0; i < vec_len(numbers); i++) nodes += numbers[i] > 0;
    if (all || nodes <= FEW_NODES) print_graph(out, display, p, numbers);
    else print_assertions(out, display, p, nodes);
    print_order(out, display, p, numbers);
    vec_free(numbers);
}
