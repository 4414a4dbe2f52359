/* SPDX-License-Identifier: Apache-2.0 */
/* A proof by the rule reduced as a graph that a person can follow: where the threads are, what then holds, who moves next, and
   whose moves are left to other interleavings. A large graph is not shown, but the assertions it uses. Nodes from which nothing has to be explored are left
   out, with the moves that lead there. */
#include "output/reduction.h"
#include "base/map.h"
#include "base/vec.h"
#include "output/invariants.h"

enum { FEW_NODES = 12, FEW_ASSERTIONS = 16 };

/* Numbers of nodes for people, from 1; 0: not shown. */
static unsigned *number_nodes(const Proof *p) {
    unsigned *numbers = NULL, next = 0;
    for (size_t i = 0; i < vec_len(p->nodes); i++) vec_push(numbers, p->nodes[i].dead ? 0 : ++next);
    return numbers;
}

static void print_letter(Buf *out, const People *people, const Proof *p, unsigned letter) {
    const SystemThread *t = &p->system->threads[p->letters[letter].thread];
    unsigned line = t->transitions[p->letters[letter].transitions[0]].position.line;
    buf_text(out, people_thread(people, p->letters[letter].thread));
    if (line) buf_printf(out, " (line %u)", line);
}

static bool same_move(const Proof *p, const ProofEdge *a, const ProofEdge *b) {
    const ProofLetter *x = &p->letters[a->letter], *y = &p->letters[b->letter];
    return a->target == b->target && x->thread == y->thread && x->transitions[0] == y->transitions[0];
}

static void print_moves(Buf *out, const People *people, const Proof *p, const ProofNode *n, const unsigned *numbers) {
    unsigned count = 0;
    for (size_t e = 0; e < vec_len(n->edges); e++) {
        if (!numbers[n->edges[e].target] || (e && same_move(p, &n->edges[e - 1], &n->edges[e]))) continue;
        buf_text(out, count++ ? ", " : "       next ");
        print_letter(out, people, p, n->edges[e].letter);
        buf_printf(out, " to %u", numbers[n->edges[e].target]);
    }
    for (size_t i = 0; i < vec_len(n->sleep); i++) {
        buf_text(out, i ? ", " : count ? "; left to others: " : "       left to others: ");
        print_letter(out, people, p, n->sleep[i]);
        count++;
    }
    if (count) buf_char(out, '\n');
}

static void print_graph(Buf *out, People *people, const Proof *p, const unsigned *numbers) {
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        const ProofNode *n = &p->nodes[i];
        const Expr *holds = people_read(people, n->invariant);
        if (!numbers[i]) continue;
        buf_printf(out, "  %2u. ", numbers[i]);
        invariant_place(out, people, p->system, n);
        if (!expr_is_true(holds)) {
            buf_text(out, ":\n       ");
            expr_print_c(out, holds);
        }
        buf_char(out, '\n');
        print_moves(out, people, p, n, numbers);
    }
}

/* ---- assertions ---- */

typedef struct Assertion {
    const Expr *formula;
    unsigned nodes; /* that use it */
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

static void print_assertions(Buf *out, People *people, const Proof *p, unsigned nodes) {
    Map *index = map_new();
    Assertion *list = NULL;
    for (size_t i = 0; i < vec_len(p->nodes); i++)
        if (!p->nodes[i].dead) count_conjuncts(people_read(people, p->nodes[i].invariant), index, &list);
    buf_printf(out, "  %u places (--verbose shows them), with these assertions at so many of them:\n", nodes);
    for (size_t i = 0; i < vec_len(list) && i < FEW_ASSERTIONS; i++) {
        buf_printf(out, "  %6u  ", list[i].nodes);
        expr_print_c(out, list[i].formula);
        buf_char(out, '\n');
    }
    if (vec_len(list) > FEW_ASSERTIONS) buf_printf(out, "  … and %zu more\n", vec_len(list) - FEW_ASSERTIONS);
    vec_free(list);
    map_free(index);
}

void reduction_text(Buf *out, People *people, const Proof *p, bool all) {
    unsigned *numbers = number_nodes(p), nodes = 0;
    for (size_t i = 0; i < vec_len(numbers); i++) nodes += numbers[i] > 0;
    if (all || nodes <= FEW_NODES) print_graph(out, people, p, numbers);
    else print_assertions(out, people, p, nodes);
    vec_free(numbers);
}
