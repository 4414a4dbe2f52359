/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/weave/order.h"
#include "base/buf.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_TURNS = 8, TURN_BITS = 8, TURN_MASK = 255 };

typedef enum NodeKind { LEAF, SEQUENCE, LOCKSTEP, STEPS } NodeKind;

typedef struct OrderNode {
    NodeKind kind;
    unsigned thread;    /* of a leaf */
    unsigned turn;      /* of LOCKSTEP and STEPS: the index of its byte in the state */
    unsigned *children; /* a vec of nodes */
    uint64_t threads;   /* bits of the threads below it */
} OrderNode;

struct Order {
    OrderNode *nodes; /* a vec; the last is the root */
    unsigned turns;
};

/* ---- reading ---- */

typedef struct Reader {
    Order *order;
    const char *at;
    unsigned threads;
    bool failed;
} Reader;

static unsigned add_node(Reader *r, OrderNode n) {
    if (n.kind == LOCKSTEP || n.kind == STEPS) {
        n.turn = r->order->turns++;
        r->failed |= r->order->turns > MAX_TURNS;
    }
    vec_push(r->order->nodes, n);
    return (unsigned)vec_len(r->order->nodes) - 1;
}

static unsigned read_leaf(Reader *r) {
    char *end;
    unsigned long thread = strtoul(r->at, &end, 10);
    r->failed |= end == r->at || thread >= r->threads;
    r->at = end;
    return add_node(r, (OrderNode){.kind = LEAF, .thread = (unsigned)thread, .threads = r->failed ? 0 : (uint64_t)1 << thread});
}

static unsigned read_tree(Reader *r) {
    OrderNode n = {.kind = *r->at == 'S' ? SEQUENCE : *r->at == 'L' ? LOCKSTEP : *r->at == 'T' ? STEPS : LEAF};
    if (n.kind == LEAF) return read_leaf(r);
    if (r->at[1] != '(') r->failed = true;
    for (r->at++; !r->failed && (*r->at == '(' || *r->at == ',');) {
        r->at++;
        unsigned child = read_tree(r);
        r->failed |= (r->order->nodes[child].threads & n.threads) != 0;
        n.threads |= r->order->nodes[child].threads;
        vec_push(n.children, child);
    }
    if (!r->failed && *r->at++ != ')') r->failed = true;
    return add_node(r, n);
}

/* Writes a tree with all threads as children of the root. */
static void write_flat(Buf *out, char kind, unsigned threads, bool reverse) {
    buf_printf(out, "%c(", kind);
    for (unsigned t = 0; t < threads; t++) buf_printf(out, "%s%u", t ? "," : "", reverse ? threads - 1 - t : t);
    buf_text(out, ")");
}

Order *order_new(const char *text, unsigned threads) {
    Buf tree = {0};
    Order *o = zeroed(1, sizeof *o);
    if (!strcmp(text, "sequential")) write_flat(&tree, 'S', threads, false);
    else if (!strcmp(text, "reverse")) write_flat(&tree, 'S', threads, true);
    else if (!strcmp(text, "lockstep")) write_flat(&tree, 'L', threads, false);
    else if (!strcmp(text, "steps")) write_flat(&tree, 'T', threads, false);
    else buf_text(&tree, text);
    Reader r = {.order = o, .at = buf_string(&tree), .threads = threads};
    read_tree(&r);
    bool good = !r.failed && !*r.at;
    buf_free(&tree);
    if (good) return o;
    order_free(o);
    return NULL;
}

void order_free(Order *o) {
    if (!o) return;
    for (size_t i = 0; i < vec_len(o->nodes); i++) vec_free(o->nodes[i].children);
    vec_free(o->nodes);
    free(o);
}

/* ---- turns ---- */

static unsigned turn_of(OrderState t, unsigned k) { return (unsigned)(t >> TURN_BITS * k & TURN_MASK); }
static OrderState with_turn(OrderState t, unsigned k, unsigned value) {
    return (t & ~((OrderState)TURN_MASK << TURN_BITS * k)) | (OrderState)value << TURN_BITS * k;
}

OrderState order_next(const Order *o, OrderState turn, unsigned thread, bool turn_ends, uint64_t can_move) {
    vec_each_at(const OrderNode, n, o->nodes) {
        unsigned count = (unsigned)vec_len(n->children), at = 0;
        if (n->kind != LOCKSTEP && n->kind != STEPS) continue;
        at = turn_of(turn, n->turn);
        for (unsigned k = 0; k < count; k++)
            if (o->nodes[n->children[k]].threads >> thread & 1) at = turn_ends || n->kind == STEPS ? (k + 1) % count : k;
        for (unsigned k = 0; k < count && !(o->nodes[n->children[at]].threads & can_move); k++) at = (at + 1) % count;
        if (!(n->threads & can_move)) at = 0; /* no child can move, so all turns are equivalent */
        turn = with_turn(turn, n->turn, at);
    }
    return turn;
}

/* Ranks the threads below the node, from *next on. */
static void rank(const Order *o, const OrderNode *n, OrderState turn, unsigned *ranks, unsigned *next) {
    unsigned count = (unsigned)vec_len(n->children), start = n->kind == LOCKSTEP || n->kind == STEPS ? turn_of(turn, n->turn) : 0;
    if (n->kind == LEAF) ranks[n->thread] = (*next)++;
    for (unsigned k = 0; k < count; k++) rank(o, &o->nodes[n->children[(start + k) % count]], turn, ranks, next);
}

void order_ranks(const Order *o, OrderState turn, unsigned *ranks) {
    unsigned next = 0;
    for (unsigned t = 0; t < MAX_THREADS; t++) ranks[t] = MAX_THREADS;
    rank(o, &vec_last(o->nodes), turn, ranks, &next);
}
