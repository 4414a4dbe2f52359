/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the axioms of RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017) on an execution graph. A relation is a set of successors
   for each event. Relations have the names of the paper. Our addition: the creation and the join of threads (asw) are part of
   happens-before, and order nothing else. */
#include "ir/rc11.h"
#include <string.h>

typedef uint64_t Set;
typedef struct Rel {
    Set of[RC11_EVENTS];
} Rel;
_Static_assert(RC11_EVENTS <= 64, "a set of events is a word");

typedef struct Graph {
    const Rc11 *g;
    unsigned n;
    Set reads, writes, fences, atomic, release, acquire, sc, all;
    Rel po, same, rf, co, fr, rmw, asw, hb, eco;
} Graph;

static Rel join(const Graph *x, const Rel *a, const Rel *b) {
    Rel r = {{0}};
    for (unsigned i = 0; i < x->n; i++) r.of[i] = a->of[i] | b->of[i];
    return r;
}

static Rel meet(const Graph *x, const Rel *a, const Rel *b) {
    Rel r = {{0}};
    for (unsigned i = 0; i < x->n; i++) r.of[i] = a->of[i] & b->of[i];
    return r;
}

static Rel then(const Graph *x, const Rel *a, const Rel *b) {
    Rel r = {{0}};
    for (unsigned i = 0; i < x->n; i++)
        for (Set s = a->of[i]; s; s &= s - 1) r.of[i] |= b->of[__builtin_ctzll(s)];
    return r;
}

/* Returns the identity on a set. */
static Rel only(const Graph *x, Set s) {
    Rel r = {{0}};
    for (unsigned i = 0; i < x->n; i++) r.of[i] = s & (Set)1 << i;
    return r;
}

static Rel maybe(const Graph *x, const Rel *a) {
    Rel id = only(x, x->all);
    return join(x, a, &id);
}

static Rel closure(const Graph *x, const Rel *a) {
    Rel r = *a;
    for (unsigned k = 0; k < x->n; k++)
        for (unsigned i = 0; i < x->n; i++)
            if (r.of[i] >> k & 1) r.of[i] |= r.of[k];
    return r;
}

static bool irreflexive(const Graph *x, const Rel *a) {
    for (unsigned i = 0; i < x->n; i++)
        if (a->of[i] >> i & 1) return false;
    return true;
}

static bool acyclic(const Graph *x, const Rel *a) {
    Rel r = closure(x, a);
    return irreflexive(x, &r);
}

/* ---- the graph ---- */

static bool is_one_of(MemoryOrder o, MemoryOrder half) { return o == half || o == ORDER_ACQ_REL || o == ORDER_SEQ_CST; }

static void add_event(Graph *x, unsigned i) {
    const Event *e = &x->g->events[i];
    Set bit = (Set)1 << i;
    bool fence = e->kind == EVENT_FENCE, access = e->kind == EVENT_READ || e->kind == EVENT_WRITE;
    x->all |= bit;
    if (e->kind == EVENT_READ) x->reads |= bit;
    if (e->kind == EVENT_WRITE) x->writes |= bit;
    if (fence) x->fences |= bit;
    if ((!access && !fence) || e->plain) return;
    x->atomic |= bit;
    if (e->kind != EVENT_READ && is_one_of(e->order, ORDER_RELEASE)) x->release |= bit;
    if (e->kind != EVENT_WRITE && is_one_of(e->order, ORDER_ACQUIRE)) x->acquire |= bit;
    if (e->order == ORDER_SEQ_CST) x->sc |= bit;
}

static void relate(Graph *x, unsigned i, unsigned k) {
    const Event *a = &x->g->events[i], *b = &x->g->events[k];
    Set bit = (Set)1 << k;
    bool both = (x->reads | x->writes) >> i & (x->reads | x->writes) >> k & 1;
    bool same = both && rc11_same_place(a, b);
    if (same) x->same.of[i] |= bit;
    if (b->thread && i != k && (!a->thread || (a->thread == b->thread && a->nth < b->nth))) x->po.of[i] |= bit;
    if (same && a->kind == EVENT_WRITE && b->kind == EVENT_WRITE && a->rank < b->rank) x->co.of[i] |= bit;
    if (b->kind == EVENT_READ && b->from == i) x->rf.of[i] |= bit;
    if ((b->kind == EVENT_START || b->kind == EVENT_JOIN) && b->from == i) x->asw.of[i] |= bit;
    if (b->change && a->thread == b->thread && a->nth + 1 == b->nth) x->rmw.of[i] |= bit;
}

static void from_reads(Graph *x) {
    for (unsigned i = 0; i < x->n; i++)
        if (x->reads >> i & 1) x->fr.of[i] = x->co.of[x->g->events[i].from] & ~((Set)1 << i);
}

/* Checks that each read-modify-write reads the write just before it, and does not come before itself. */
static bool is_atomic(const Graph *x) {
    Rel between = then(x, &x->fr, &x->co), torn = meet(x, &x->rmw, &between);
    for (unsigned i = 0; i < x->n; i++)
        if (torn.of[i]) return false;
    for (unsigned i = 0; i < x->n; i++)
        for (Set s = x->rmw.of[i]; s; s &= s - 1)
            if (!(x->fr.of[i] >> __builtin_ctzll(s) & 1)) return false;
    return true;
}

static void find_happens_before(Graph *x) {
    Rel po_same = meet(x, &x->po, &x->same), w = only(x, x->writes), wa = only(x, x->writes & x->atomic),
        ra = only(x, x->reads & x->atomic), f = only(x, x->fences);
    Rel release = only(x, x->release), acquire = only(x, x->acquire);
    Rel p = maybe(x, &po_same), chain = then(x, &x->rf, &x->rmw);
    chain = closure(x, &chain);
    chain = maybe(x, &chain);
    Rel rs = then(x, &w, &p);
    rs = then(x, &rs, &wa);
    rs = then(x, &rs, &chain);
    Rel before = then(x, &f, &x->po), behind = then(x, &x->po, &f);
    before = maybe(x, &before);
    behind = maybe(x, &behind);
    Rel sw = then(x, &release, &before);
    sw = then(x, &sw, &rs);
    sw = then(x, &sw, &x->rf);
    sw = then(x, &sw, &ra);
    sw = then(x, &sw, &behind);
    sw = then(x, &sw, &acquire);
    Rel hb = join(x, &x->po, &sw);
    hb = join(x, &hb, &x->asw);
    x->hb = closure(x, &hb);
}

static bool has_sc_order(const Graph *x) {
    Rel other = {{0}}, sc = only(x, x->sc), fsc = only(x, x->sc & x->fences), hb_same = meet(x, &x->hb, &x->same), hb = maybe(x, &x->hb);
    for (unsigned i = 0; i < x->n; i++) other.of[i] = x->po.of[i] & ~x->same.of[i];
    Rel around = then(x, &other, &x->hb), scb;
    around = then(x, &around, &other);
    scb = join(x, &x->po, &around);
    scb = join(x, &scb, &hb_same);
    scb = join(x, &scb, &x->co);
    scb = join(x, &scb, &x->fr);
    Rel left = then(x, &fsc, &hb), right = then(x, &hb, &fsc);
    left = join(x, &sc, &left);
    right = join(x, &sc, &right);
    Rel base = then(x, &left, &scb);
    base = then(x, &base, &right);
    Rel hop = then(x, &x->hb, &x->eco);
    hop = then(x, &hop, &x->hb);
    hop = join(x, &x->hb, &hop);
    Rel fences = then(x, &fsc, &hop);
    fences = then(x, &fences, &fsc);
    Rel psc = join(x, &base, &fences);
    return acyclic(x, &psc);
}

static void build(Graph *x, const Rc11 *g) {
    memset(x, 0, sizeof *x);
    x->g = g;
    x->n = g->n;
    for (unsigned i = 0; i < g->n; i++) add_event(x, i);
    for (unsigned i = 0; i < g->n; i++)
        for (unsigned k = 0; k < g->n; k++) relate(x, i, k);
    from_reads(x);
    find_happens_before(x);
    Rel com = join(x, &x->rf, &x->co);
    com = join(x, &com, &x->fr);
    x->eco = closure(x, &com);
}

bool rc11_consistent(const Rc11 *g) {
    Graph x;
    build(&x, g);
    if (!is_atomic(&x) || !irreflexive(&x, &x.hb)) return false;
    Rel coherent = then(&x, &x.hb, &x.eco), causal = join(&x, &x.po, &x.rf);
    causal = join(&x, &causal, &x.asw);
    return irreflexive(&x, &coherent) && irreflexive(&x, &x.eco) && acyclic(&x, &causal) && has_sc_order(&x);
}

bool rc11_races(const Rc11 *g, Position *first, Position *second) {
    Graph x;
    build(&x, g);
    for (unsigned i = 0; i < g->n; i++)
        for (unsigned k = 0; k < i; k++) {
            const Event *a = &g->events[k], *b = &g->events[i];
            if (!(x.same.of[i] >> k & 1) || a->thread == b->thread || !a->thread || !b->thread) continue;
            if ((a->kind == EVENT_READ && b->kind == EVENT_READ) || !(a->plain || b->plain)) continue;
            if ((x.hb.of[i] >> k | x.hb.of[k] >> i) & 1) continue;
            *first = a->position;
            *second = b->position;
            return true;
        }
    return false;
}
