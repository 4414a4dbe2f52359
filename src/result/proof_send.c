/* SPDX-License-Identifier: Apache-2.0 */
/* First the table of expressions (expr/send.h), then system and proof, which name them by number. What sends goes through the proof
   twice: first expressions are only added to the table. */
#include "result/proof_send.h"
#include "base/vec.h"
#include "expr/send.h"
#include "system/check.h"
#include <limits.h>
#include <stdlib.h>

/* ---- sending ---- */

typedef struct Sending {
    ExprSender *table;
    Buf *out; /* NULL: expressions are only added */
} Sending;

static void put(Sending *s, uint64_t n) {
    if (s->out) bytes_number(s->out, n);
}

static void put_index(Sending *s, unsigned n) { put(s, n == NONE ? 0 : (uint64_t)n + 1); } /* or NONE */

static void put_text(Sending *s, const char *text) {
    if (s->out) bytes_string(s->out, text ? text : "");
}

static void put_expr(Sending *s, const Expr *e) { /* or NULL */
    if (!s->out && e) sender_add(s->table, e);
    else if (s->out) put(s, e ? (uint64_t)sender_number(s->table, e) + 1 : 0);
}

static void put_symbol(Sending *s, const Symbol *symbol) {
    if (!s->out) sender_add_symbol(s->table, symbol);
    else put(s, sender_symbol_number(s->table, symbol));
}

static void put_list(Sending *s, const unsigned *list) {
    put(s, vec_len(list));
    for (size_t i = 0; i < vec_len(list); i++) put(s, list[i]);
}

static void put_transition(Sending *s, const Transition *x) {
    put(s, x->source);
    put(s, x->target);
    put_expr(s, x->guard);
    put(s, vec_len(x->updates));
    for (size_t i = 0; i < vec_len(x->updates); i++) {
        put(s, x->updates[i].variable);
        put_expr(s, x->updates[i].value);
    }
    put(s, vec_len(x->inputs));
    for (size_t i = 0; i < vec_len(x->inputs); i++) put_symbol(s, x->inputs[i]);
}

static void put_thread(Sending *s, const SystemThread *t) {
    put_text(s, t->name);
    put(s, t->many);
    put(s, t->entry);
    put_index(s, t->status);
    put_index(s, t->self);
    put_index(s, t->twin);
    put(s, vec_len(t->locations));
    for (size_t l = 0; l < vec_len(t->locations); l++) {
        put(s, t->locations[l].kind);
        put(s, t->locations[l].atomic);
    }
    put(s, vec_len(t->transitions));
    for (size_t i = 0; i < vec_len(t->transitions); i++) put_transition(s, &t->transitions[i]);
}

static void put_system(Sending *s, const System *system) {
    put(s, system->integers);
    put(s, vec_len(system->variables));
    for (size_t v = 0; v < vec_len(system->variables); v++) {
        const SystemVariable *x = &system->variables[v];
        put_symbol(s, x->symbol);
        put_text(s, x->name);
        put_index(s, x->thread);
        put_expr(s, x->init);
        put(s, x->origin && x->origin->congruent);
    }
    put(s, vec_len(system->threads));
    for (size_t t = 0; t < vec_len(system->threads); t++) put_thread(s, &system->threads[t]);
}

/* By thread and location; or nothing. */
static void put_exprs(Sending *s, const System *system, const Expr ***list) {
    put(s, list != NULL);
    for (size_t t = 0; list && t < vec_len(system->threads); t++)
        for (size_t l = 0; l < vec_len(system->threads[t].locations); l++) put_expr(s, list[t][l]);
}

static void put_ranks(Sending *s, const System *system, const Expr ****ranks) {
    for (size_t t = 0; t < vec_len(system->threads); t++)
        for (size_t l = 0; l < vec_len(system->threads[t].locations); l++) {
            put(s, vec_len(ranks[t][l]));
            for (size_t i = 0; i < vec_len(ranks[t][l]); i++) put_expr(s, ranks[t][l][i]);
        }
}

static void put_claims(Sending *s, const Proof *p) {
    for (size_t t = 0; t < vec_len(p->system->threads); t++) {
        for (size_t l = 0; l < vec_len(p->system->threads[t].locations); l++) put(s, (p->out[t][l] ? 1 : 0) | (p->stop[t][l] ? 2 : 0));
        for (size_t i = 0; i < vec_len(p->system->threads[t].transitions); i++) put(s, p->movers[t][i]);
    }
    put_exprs(s, p->system, p->facts);
    put_exprs(s, p->system, p->invariants);
    if (p->rule == RULE_EACH) put_ranks(s, p->system, p->ranks);
}

static void put_rounds(Sending *s, const ProofRound *rounds) {
    put(s, vec_len(rounds));
    for (size_t i = 0; i < vec_len(rounds); i++) {
        put_expr(s, rounds[i].relation);
        put(s, vec_len(rounds[i].measures));
        for (size_t k = 0; k < vec_len(rounds[i].measures); k++) put_expr(s, rounds[i].measures[k]);
    }
}

static void put_node(Sending *s, const ProofNode *n, size_t threads) {
    for (size_t t = 0; t < threads; t++) put(s, n->locations[t]);
    put_expr(s, n->invariant);
    put(s, vec_len(n->rank));
    for (size_t i = 0; i < vec_len(n->rank); i++) put_expr(s, n->rank[i]);
    put_list(s, n->helpers);
    put_rounds(s, n->rounds);
    put_list(s, n->sleep);
    put(s, vec_len(n->edges));
    for (size_t e = 0; e < vec_len(n->edges); e++) {
        put(s, n->edges[e].letter);
        put(s, n->edges[e].target);
    }
    put(s, n->dead);
}

static void put_pair(Sending *s, const ProofPair *pair, const System *system) {
    put(s, pair->first);
    put(s, pair->second);
    for (size_t l = 0; l < vec_len(system->threads[pair->first].locations); l++)
        for (size_t k = 0; k < vec_len(system->threads[pair->second].locations); k++) put_expr(s, pair->invariants[l][k]);
}

static void put_symbols(Sending *s, const Symbol *const *list) {
    put(s, vec_len(list));
    for (size_t i = 0; i < vec_len(list); i++) put_symbol(s, list[i]);
}

static void put_rely(Sending *s, const Proof *p) {
    for (size_t t = 0; t < vec_len(p->system->threads) && p->rule == RULE_RELY; t++) {
        put_expr(s, p->guarantees[t]);
        put_expr(s, p->relies[t]);
    }
    put_symbols(s, p->after);
    put_symbols(s, p->places_after);
}

static void put_proof(Sending *s, const Proof *p) {
    put(s, p->rule);
    put_system(s, p->system);
    put_claims(s, p);
    put(s, vec_len(p->letters));
    for (size_t i = 0; i < vec_len(p->letters); i++) {
        put(s, p->letters[i].thread);
        put_list(s, p->letters[i].transitions);
    }
    put(s, vec_len(p->nodes));
    for (size_t i = 0; i < vec_len(p->nodes); i++) put_node(s, &p->nodes[i], vec_len(p->system->threads));
    put_symbols(s, p->places);
    put(s, vec_len(p->pairs));
    for (size_t i = 0; i < vec_len(p->pairs); i++) put_pair(s, &p->pairs[i], p->system);
    put_list(s, p->partners);
    put_rely(s, p);
}

void proof_send(const Proof *p, Buf *out) {
    Sending s = {.table = sender_new(p->system->exprs)};
    put_proof(&s, p);
    sender_write(s.table, out);
    s.out = out;
    put_proof(&s, p);
    sender_free(s.table);
}

/* ---- receiving ---- */

typedef struct Receiving {
    Reader reader;
    ExprReceiver table;
    Exprs *exprs;
    System *system;
} Receiving;

static unsigned get(Receiving *r, unsigned most) { return read_unsigned(&r->reader, most); }

/* One of n. */
static unsigned get_of(Receiving *r, size_t n) {
    if (!n) r->reader.bad = true;
    return n ? get(r, (unsigned)n - 1) : 0;
}

static unsigned get_index(Receiving *r, size_t n) { /* or NONE */
    unsigned i = get(r, (unsigned)n);
    return i ? i - 1 : NONE;
}

static const Expr *get_expr(Receiving *r, const Sort *sort) { /* of that sort, or NULL */
    unsigned i = get(r, (unsigned)vec_len(r->table.exprs));
    const Expr *e = i ? r->table.exprs[i - 1] : NULL;
    if (e && e->sort != sort) r->reader.bad = true;
    return r->reader.bad ? NULL : e;
}

/* A claim. */
static const Expr *get_formula(Receiving *r) {
    const Expr *e = get_expr(r, sort_bool(r->exprs));
    if (!e) r->reader.bad = true;
    return e;
}

static const Expr *get_integer(Receiving *r) {
    const Expr *e = get_expr(r, sort_int(r->exprs));
    if (!e) r->reader.bad = true;
    return e;
}

static const Symbol *get_symbol(Receiving *r) {
    unsigned i = get_of(r, vec_len(r->table.symbols));
    return r->reader.bad ? NULL : r->table.symbols[i];
}

static const char *get_name(Receiving *r) {
    char *text = read_string(&r->reader);
    const char *name = exprs_intern(r->exprs, text);
    free(text);
    return name;
}

static unsigned *get_list(Receiving *r, size_t of) {
    unsigned *list = NULL;
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) vec_push(list, get_of(r, of));
    return list;
}

static Transition get_transition(Receiving *r, const SystemThread *t) {
    Transition x = {.index = (unsigned)vec_len(t->transitions), .creates = NONE, .joins = NONE, .lock = NONE, .unlock = NONE};
    x.source = get_of(r, vec_len(t->locations));
    x.target = get_of(r, vec_len(t->locations));
    x.guard = get_formula(r);
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) {
        unsigned v = get_of(r, vec_len(r->system->variables));
        const Expr *value = r->reader.bad ? NULL : get_expr(r, r->system->variables[v].symbol->sort);
        vec_push(x.updates, ((Update){v, value}));
    }
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) vec_push(x.inputs, get_symbol(r));
    return x;
}

static void get_thread(Receiving *r, unsigned threads) {
    const System *s = r->system;
    SystemThread t = {.name = get_name(r), .many = read_bool(&r->reader)};
    t.entry = get(r, INT_MAX);
    t.status = get_index(r, vec_len(s->variables));
    t.self = get_index(r, vec_len(s->variables));
    t.twin = get_index(r, threads);
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) {
        SystemLocation l = {.kind = (LocationKind)get(r, LOCATION_STOP), .atomic = read_bool(&r->reader)};
        vec_push(t.locations, l);
    }
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) {
        Transition x = get_transition(r, &t);
        if (!r->reader.bad) vec_push(t.locations[x.source].out, x.index);
        vec_push(t.transitions, x);
    }
    vec_push(r->system->threads, t);
}

/* Of a variable that may be any integer congruent to its value, that alone is known of where it comes from. */
static const Variable *congruent(Receiving *r, const Sort *sort) {
    Variable *v = arena_new_of(r->system->arena, Variable);
    *v = (Variable){.sort = sort, .congruent = true};
    return v;
}

static void get_variable(Receiving *r) {
    const Symbol *symbol = get_symbol(r);
    SystemVariable v = {.symbol = symbol, .name = get_name(r), .thread = get_index(r, INT_MAX), .owner = NONE};
    if (r->reader.bad || system_variable(r->system, symbol) != NONE) r->reader.bad = true;
    else {
        v.init = get_expr(r, symbol->sort);
        if (read_bool(&r->reader)) v.origin = congruent(r, symbol->sort);
        system_add_variable(r->system, v);
    }
}

static void get_system(Receiving *r) {
    r->system->integers = read_bool(&r->reader);
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) get_variable(r);
    unsigned threads = read_count(&r->reader);
    for (unsigned t = 0; t < threads && !r->reader.bad; t++) get_thread(r, threads);
    Buf why = {0};
    if (!r->reader.bad && !system_check(r->system, &why)) r->reader.bad = true;
    buf_free(&why);
}

static const Expr ***get_exprs(Receiving *r, bool all) {
    const Expr ***by_thread = NULL;
    if (!read_bool(&r->reader)) return NULL;
    for (size_t t = 0; t < vec_len(r->system->threads); t++) {
        const Expr **list = NULL;
        for (size_t l = 0; l < vec_len(r->system->threads[t].locations) && !r->reader.bad; l++)
            vec_push(list, all ? get_formula(r) : get_expr(r, sort_bool(r->exprs)));
        vec_push(by_thread, list);
    }
    return by_thread;
}

static const Expr ****get_ranks(Receiving *r) {
    const Expr ****by_thread = NULL;
    for (size_t t = 0; t < vec_len(r->system->threads); t++) {
        const Expr ***list = NULL;
        for (size_t l = 0; l < vec_len(r->system->threads[t].locations); l++) {
            const Expr **tuple = NULL;
            for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) vec_push(tuple, get_integer(r));
            vec_push(list, tuple);
        }
        vec_push(by_thread, list);
    }
    return by_thread;
}

static void get_claims(Receiving *r, Proof *p) {
    for (size_t t = 0; t < vec_len(r->system->threads); t++) {
        bool *out = NULL, *stop = NULL;
        uint8_t *movers = NULL;
        for (size_t l = 0; l < vec_len(r->system->threads[t].locations); l++) {
            unsigned bits = get(r, 3);
            vec_push(out, bits & 1);
            vec_push(stop, bits & 2);
        }
        for (size_t i = 0; i < vec_len(r->system->threads[t].transitions); i++) vec_push(movers, (uint8_t)get(r, MOVES_BOTH));
        vec_push(p->out, out);
        vec_push(p->stop, stop);
        vec_push(p->movers, movers);
    }
    p->facts = get_exprs(r, false);
    p->invariants = get_exprs(r, true);
    if (p->rule == RULE_EACH) p->ranks = get_ranks(r);
    if (!p->invariants && (p->rule == RULE_MODULAR || p->rule == RULE_EACH || p->rule == RULE_SAFETY || p->rule == RULE_RELY))
        r->reader.bad = true;
}

static void get_letters(Receiving *r, Proof *p) {
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) {
        ProofLetter letter = {.thread = get_of(r, vec_len(r->system->threads))};
        letter.transitions = get_list(r, vec_len(r->system->threads[letter.thread].transitions));
        vec_push(p->letters, letter);
    }
}

static ProofRound *get_rounds(Receiving *r) {
    ProofRound *rounds = NULL;
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) {
        ProofRound round = {.relation = get_expr(r, sort_bool(r->exprs))};
        for (unsigned k = read_count(&r->reader); k && !r->reader.bad; k--) vec_push(round.measures, get_integer(r));
        vec_push(rounds, round);
    }
    return rounds;
}

static void get_node(Receiving *r, Proof *p, unsigned nodes) {
    ProofNode n = {0};
    for (size_t t = 0; t < vec_len(r->system->threads); t++) vec_push(n.locations, get_of(r, vec_len(r->system->threads[t].locations)));
    n.invariant = get_formula(r);
    for (unsigned k = read_count(&r->reader); k && !r->reader.bad; k--) vec_push(n.rank, get_integer(r));
    n.helpers = get_list(r, vec_len(r->system->threads) + 1);
    n.rounds = get_rounds(r);
    n.sleep = get_list(r, vec_len(p->letters));
    for (unsigned k = read_count(&r->reader); k && !r->reader.bad; k--) {
        ProofEdge e = {.letter = get_of(r, vec_len(p->letters))};
        e.target = get_of(r, nodes);
        vec_push(n.edges, e);
    }
    n.dead = read_bool(&r->reader);
    vec_push(p->nodes, n);
}

static void get_pair(Receiving *r, Proof *p) {
    const SystemThread *threads = r->system->threads;
    ProofPair pair = {.first = get_of(r, vec_len(threads))};
    pair.second = get_of(r, vec_len(threads));
    for (size_t l = 0; l < vec_len(threads[pair.first].locations) && !r->reader.bad; l++) {
        const Expr **list = NULL;
        for (size_t k = 0; k < vec_len(threads[pair.second].locations) && !r->reader.bad; k++) vec_push(list, get_formula(r));
        vec_push(pair.invariants, list);
    }
    vec_push(p->pairs, pair);
}

static const Symbol **get_symbols(Receiving *r) {
    const Symbol **list = NULL;
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) vec_push(list, get_symbol(r));
    return list;
}

static void get_rely(Receiving *r, Proof *p) {
    for (size_t t = 0; t < vec_len(r->system->threads) && p->rule == RULE_RELY && !r->reader.bad; t++) {
        vec_push(p->guarantees, get_formula(r));
        vec_push(p->relies, get_formula(r));
    }
    p->after = get_symbols(r);
    p->places_after = get_symbols(r);
}

static void get_proof(Receiving *r, Proof *p) {
    receiver_read(&r->table, r->exprs, &r->reader);
    p->rule = (ProofRule)get(r, RULE_RELY);
    get_system(r);
    if (r->reader.bad) return;
    get_claims(r, p);
    get_letters(r, p);
    unsigned nodes = read_count(&r->reader);
    for (unsigned i = 0; i < nodes && !r->reader.bad; i++) get_node(r, p, nodes);
    p->places = get_symbols(r);
    for (unsigned n = read_count(&r->reader); n && !r->reader.bad; n--) get_pair(r, p);
    p->partners = get_list(r, vec_len(r->system->threads));
    get_rely(r, p);
    if (r->reader.at != r->reader.end) r->reader.bad = true;
}

Proof *proof_receive(const char *bytes, size_t length) {
    Receiving r = {.reader = reader_of(bytes, length), .exprs = exprs_new()};
    r.system = system_empty(r.exprs);
    Proof *p = proof_new(RULE_PRODUCT, NULL, r.system);
    p->exprs = r.exprs;
    get_proof(&r, p);
    receiver_free(&r.table);
    if (!r.reader.bad) return p;
    proof_free(p);
    return NULL;
}
