/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the text of a proof. The text may be hostile. So each name and number is looked up in the system, each claim must have the required sort,
   and each list must have the length that the system requires. The check of the claims themselves is in check/proof.h. After the first error the
   lexer returns only end tokens, so every loop here ends. */
#include "base/map.h"
#include "expr/named.h"
#include "result/messages.h"
#include "result/proof_text.h"
#include <stdio.h>
#include <string.h>

typedef struct Parser {
    Lexer *lexer;
    Exprs *exprs;
    System *system;
    Proof *proof;
    Map *symbols; /* interned name → Symbol: the system's variables, and the declarations of the text */
    Lets *lets;
} Parser;

/* ---- parts ---- */

static const Symbol *resolve(void *context, const char *name) {
    Parser *r = context;
    return map_find(r->symbols, exprs_intern(r->exprs, name));
}

static const Expr *parse_expr(Parser *r, const Sort *sort) {
    LexerPlace place = lexer_place(r->lexer);
    const Expr *e = lets_parse_expr(r->lets, r->exprs, r->lexer, resolve, r);
    if (e && e->sort != sort) lexer_error_at(r->lexer, place, sort->kind == SORT_BOOL ? MSG_RESULT_NO_CONDITION : MSG_RESULT_NO_INTEGER);
    return r->lexer->failed ? expr_bool(r->exprs, true) : e;
}

static const Expr *parse_formula(Parser *r) { return parse_expr(r, sort_bool(r->exprs)); }

/* Appends items in parentheses to a vec. */
#define PARSE_LIST(r, list, item)                                   \
    do {                                                            \
        lexer_expect((r)->lexer, "(");                              \
        while (!(r)->lexer->failed && !lexer_is((r)->lexer, ")")) { \
            __typeof__(*(list)) item_ = (item);                     \
            vec_push(list, item_);                                  \
        }                                                           \
        lexer_expect((r)->lexer, ")");                              \
    } while (0)

static const Expr **parse_integers(Parser *r) {
    const Expr **list = NULL;
    PARSE_LIST(r, list, parse_expr(r, sort_int(r->exprs)));
    return list;
}

/* Reads a number below n; 0 after an error. */
static unsigned parse_number(Parser *r, size_t n) {
    Lexer *l = r->lexer;
    unsigned number = 0;
    if (l->token != TOKEN_NUMBER || l->width || l->number < 0 || l->number >= (i128)n) lexer_error(l, MSG_RESULT_NO_NUMBER_BELOW, n);
    else number = (unsigned)l->number;
    lexer_next(l);
    return number;
}

static void expect_number(Parser *r, size_t number) {
    Lexer *l = r->lexer;
    if (l->token != TOKEN_NUMBER || l->width || l->number != (i128)number) lexer_error(l, MSG_RESULT_NO_NUMBER, number);
    lexer_next(l);
}

static unsigned *parse_numbers(Parser *r, size_t n) {
    unsigned *list = NULL;
    PARSE_LIST(r, list, parse_number(r, n));
    return list;
}

static unsigned parse_thread_name(Parser *r) {
    Lexer *l = r->lexer;
    const SystemThread *threads = r->system->threads;
    for (unsigned t = 0; t < vec_len(threads); t++)
        if (l->token == TOKEN_NAME && !strcmp(l->name, threads[t].name)) {
            lexer_next(l);
            return t;
        }
    lexer_error(l, MSG_RESULT_NO_THREAD);
    return 0;
}

/* l0, l1, … */
static unsigned parse_label(Parser *r, unsigned thread) {
    Lexer *l = r->lexer;
    size_t n = vec_len(r->system->threads[thread].locations), number = 0, i = 1;
    bool good = l->token == TOKEN_NAME && l->name[0] == 'l' && l->name[1];
    for (; good && l->name[i]; i++) {
        good = l->name[i] >= '0' && l->name[i] <= '9' && number < n;
        number = 10 * number + (size_t)(l->name[i] - '0');
    }
    if (!good || number >= n) lexer_error(l, MSG_RESULT_NO_LOCATION, n - 1);
    lexer_next(l);
    return l->failed ? 0 : (unsigned)number;
}

static void expect_label(Parser *r, unsigned thread, unsigned location) {
    LexerPlace place = lexer_place(r->lexer);
    if (parse_label(r, thread) != location) lexer_error_at(r->lexer, place, MSG_RESULT_OTHER_LOCATION, location);
}

static bool parse_let(Parser *r) {
    bool is = lexer_accept(r->lexer, "let");
    if (is) lets_parse(r->lets, r->exprs, r->lexer, resolve, r);
    return is;
}

/* ---- symbols other than the system's variables ---- */

/* Reads a new name and `of`. The symbol is made once its sort is known. */
static const char *parse_new_name(Parser *r) {
    Lexer *l = r->lexer;
    if (l->token != TOKEN_NAME) lexer_error(l, MSG_RESULT_NO_NAME);
    else if (resolve(r, l->name)) lexer_error(l, MSG_RESULT_NAME_DECLARED, l->name);
    const char *name = l->failed ? NULL : exprs_intern(r->exprs, l->name);
    lexer_next(l);
    lexer_expect(l, "of");
    return name;
}

static void declare(Parser *r, const Symbol ***list, const char *name, const Sort *sort) {
    lexer_expect(r->lexer, ";");
    if (r->lexer->failed) return;
    const Symbol *symbol = symbol_new(r->exprs, SYM_VARIABLE, name, sort);
    map_set(r->symbols, name, symbol);
    vec_push(*list, symbol);
}

static void parse_place(Parser *r, const Symbol ***list) {
    const char *name = parse_new_name(r);
    LexerPlace place = lexer_place(r->lexer);
    if (parse_thread_name(r) != vec_len(*list)) lexer_error_at(r->lexer, place, MSG_RESULT_PLACE_ORDER);
    declare(r, list, name, sort_int(r->exprs));
}

static void parse_after(Parser *r) {
    Lexer *l = r->lexer;
    const SystemVariable *variables = r->system->variables;
    size_t v = vec_len(r->proof->after);
    const char *name = parse_new_name(r);
    if (v == vec_len(variables) || l->token != TOKEN_NAME || strcmp(l->name, variables[v].symbol->name))
        lexer_error(l, MSG_RESULT_AFTER_ORDER);
    lexer_next(l);
    declare(r, &r->proof->after, name, l->failed ? NULL : variables[v].symbol->sort);
}

static void parse_symbols(Parser *r) {
    for (;;) {
        if (lexer_accept(r->lexer, "place")) parse_place(r, &r->proof->places);
        else if (lexer_accept(r->lexer, "after")) parse_after(r);
        else if (lexer_accept(r->lexer, "place-after")) parse_place(r, &r->proof->places_after);
        else return;
    }
}

/* ---- claims about threads ---- */

static bool needs_invariants(ProofRule rule) {
    return rule == RULE_MODULAR || rule == RULE_EACH || rule == RULE_REDSAFETY || rule == RULE_RELY;
}

typedef struct WitnessInvariants {
    const Expr **facts, **invariants, ***ranks;
    bool *out, *stop;
    uint8_t *movers;
} WitnessInvariants;

static void parse_location(Parser *r, unsigned t, unsigned location, WitnessInvariants *c) {
    Lexer *l = r->lexer;
    ProofRule rule = r->proof->rule;
    while (parse_let(r)) continue;
    expect_label(r, t, location);
    bool out = lexer_accept(l, "out"), stop = lexer_accept(l, "stop");
    const Expr *fact = lexer_accept(l, "fact") ? parse_formula(r) : NULL;
    vec_push(c->out, out);
    vec_push(c->stop, stop);
    vec_push(c->facts, fact);
    if (needs_invariants(rule)) {
        const Expr *e = lexer_expect(l, "invariant") ? parse_formula(r) : NULL;
        vec_push(c->invariants, e);
    }
    if (rule == RULE_EACH) {
        const Expr **tuple = lexer_expect(l, "rank") ? parse_integers(r) : NULL;
        vec_push(c->ranks, tuple);
    }
    lexer_expect(l, ";");
}

static void parse_movers(Parser *r, unsigned t, const char *word, uint8_t side, uint8_t *movers) {
    if (!lexer_expect(r->lexer, word)) return;
    unsigned *list = parse_numbers(r, vec_len(r->system->threads[t].transitions));
    for (size_t i = 0; i < vec_len(list) && !r->lexer->failed; i++) movers[list[i]] |= side;
    vec_free(list);
    lexer_expect(r->lexer, ";");
}

static void parse_relation(Parser *r, const char *word, const Expr ***list) {
    while (parse_let(r)) continue;
    const Expr *e = lexer_expect(r->lexer, word) ? parse_formula(r) : NULL;
    lexer_expect(r->lexer, ";");
    vec_push(*list, e);
}

/* Hands the claims about a thread to the proof, even after an error: they are freed with the proof. */
static void add_claims(Proof *p, const WitnessInvariants *c) {
    vec_push(p->out, c->out);
    vec_push(p->stop, c->stop);
    vec_push(p->movers, c->movers);
    vec_push(p->facts, c->facts);
    if (needs_invariants(p->rule)) vec_push(p->invariants, c->invariants);
    if (p->rule == RULE_EACH) vec_push(p->ranks, c->ranks);
}

static void parse_thread(Parser *r, unsigned t) {
    Lexer *l = r->lexer;
    Proof *p = r->proof;
    WitnessInvariants c = {0};
    lexer_expect(l, "thread");
    LexerPlace place = lexer_place(l);
    if (parse_thread_name(r) != t) lexer_error_at(l, place, MSG_RESULT_OTHER_THREAD, r->system->threads[t].name);
    if (p->rule == RULE_PAIRS && lexer_expect(l, "partner")) {
        unsigned partner = parse_thread_name(r);
        vec_push(p->partners, partner);
    }
    lexer_expect(l, "{");
    if (p->rule == RULE_RELY) parse_relation(r, "guarantees", &p->guarantees), parse_relation(r, "relies", &p->relies);
    for (unsigned i = 0; i < vec_len(r->system->threads[t].locations) && !l->failed; i++) parse_location(r, t, i, &c);
    vec_resize(c.movers, vec_len(r->system->threads[t].transitions));
    parse_movers(r, t, "right", MOVES_RIGHT, c.movers);
    parse_movers(r, t, "left", MOVES_LEFT, c.movers);
    lexer_expect(l, "}");
    add_claims(p, &c);
}

/* ---- block steps, nodes, pairs, the inside of blocks ---- */

static void parse_block_step(Parser *r) {
    expect_number(r, vec_len(r->proof->block_steps));
    ProofStep x = {.thread = parse_thread_name(r)};
    x.transitions = parse_numbers(r, vec_len(r->system->threads[x.thread].transitions));
    vec_push(r->proof->block_steps, x);
    lexer_expect(r->lexer, ";");
}

static unsigned parse_helper(Parser *r) { return lexer_accept(r->lexer, "-") ? 0 : parse_thread_name(r) + 1; }

/* Reads an edge. Its target may come later in the text, so check_targets checks it after all nodes are read. */
static ProofEdge parse_edge(Parser *r) {
    ProofEdge e = {.block_step = parse_number(r, vec_len(r->proof->block_steps))};
    lexer_expect(r->lexer, "->");
    e.target = parse_number(r, UINT32_MAX);
    return e;
}

static ProofRound parse_round(Parser *r) {
    ProofRound round = {.relation = lexer_accept(r->lexer, "relation") ? parse_formula(r) : NULL};
    if (lexer_expect(r->lexer, "measures")) round.measures = parse_integers(r);
    return round;
}

static void parse_node(Parser *r) {
    Lexer *l = r->lexer;
    ProofNode n = {0};
    expect_number(r, vec_len(r->proof->nodes));
    lexer_expect(l, "(");
    for (unsigned t = 0; t < vec_len(r->system->threads); t++) {
        unsigned at = parse_label(r, t);
        vec_push(n.locations, at);
    }
    lexer_expect(l, ")");
    n.invariant = parse_formula(r);
    if (lexer_accept(l, "rank")) n.rank = parse_integers(r);
    if (lexer_accept(l, "helpers")) PARSE_LIST(r, n.helpers, parse_helper(r));
    while (lexer_accept(l, "round")) {
        ProofRound round = parse_round(r);
        vec_push(n.rounds, round);
    }
    if (lexer_accept(l, "sleep")) n.sleep = parse_numbers(r, vec_len(r->proof->block_steps));
    if (lexer_accept(l, "edges")) PARSE_LIST(r, n.edges, parse_edge(r));
    n.dead = lexer_accept(l, "dead");
    lexer_expect(l, ";");
    vec_push(r->proof->nodes, n);
}

static void parse_pair(Parser *r) {
    const SystemThread *threads = r->system->threads;
    ProofPair pair = {.first = parse_thread_name(r)};
    pair.second = parse_thread_name(r);
    lexer_expect(r->lexer, "{");
    for (unsigned l = 0; l < vec_len(threads[pair.first].locations) && !r->lexer->failed; l++) {
        const Expr **row = NULL;
        for (unsigned k = 0; k < vec_len(threads[pair.second].locations) && !r->lexer->failed; k++) {
            while (parse_let(r)) continue;
            expect_label(r, pair.first, l);
            expect_label(r, pair.second, k);
            const Expr *e = parse_formula(r);
            lexer_expect(r->lexer, ";");
            vec_push(row, e);
        }
        vec_push(pair.invariants, row);
    }
    lexer_expect(r->lexer, "}");
    vec_push(r->proof->pairs, pair);
}

static void parse_inside(Parser *r) {
    ProofInside i = {.thread = parse_thread_name(r)};
    i.start = parse_label(r, i.thread);
    i.location = parse_label(r, i.thread);
    i.relation = parse_formula(r);
    lexer_expect(r->lexer, ";");
    vec_push(r->proof->insides, i);
}

/* ---- the whole proof ---- */

ProofRule proof_parse_head(Lexer *l) {
    ProofRule rule = RULE_PRODUCT;
    lexer_expect(l, "proof");
    while (rule < RULE_RELY && !lexer_is(l, proof_rule_words[rule])) rule++;
    if (!lexer_accept(l, proof_rule_words[rule])) lexer_error(l, MSG_RESULT_NO_RULE);
    lexer_expect(l, "of");
    return rule;
}

/* Copies the settings of the system without checking them. */
static void parse_settings(Parser *r) {
    Lexer *l = r->lexer;
    Buf *out = &r->proof->settings;
    for (; !l->failed && (l->token == TOKEN_NAME || l->token == TOKEN_NUMBER); lexer_next(l)) {
        if (out->length) buf_char(out, ' ');
        if (l->token == TOKEN_NAME) buf_text(out, l->name);
        else buf_printf(out, "%llu", (unsigned long long)l->number);
    }
    lexer_expect(l, ";");
}

static void check_targets(Parser *r) {
    const ProofNode *nodes = r->proof->nodes;
    for (size_t i = 0; i < vec_len(nodes); i++)
        for (size_t e = 0; e < vec_len(nodes[i].edges); e++)
            if (nodes[i].edges[e].target >= vec_len(nodes)) lexer_error(r->lexer, MSG_RESULT_NO_NODE, i);
}

static void parse_text(Parser *r) {
    Lexer *l = r->lexer;
    r->proof->rule = proof_parse_head(l);
    parse_settings(r);
    parse_symbols(r);
    for (unsigned t = 0; t < vec_len(r->system->threads) && !l->failed; t++) {
        while (parse_let(r)) continue;
        parse_thread(r, t);
    }
    while (!l->failed && !lexer_accept(l, "end")) {
        if (parse_let(r)) continue;
        if (lexer_accept(l, "letter")) parse_block_step(r);
        else if (lexer_accept(l, "node")) parse_node(r);
        else if (lexer_accept(l, "pair")) parse_pair(r);
        else if (lexer_accept(l, "inside")) parse_inside(r);
        else lexer_error(l, MSG_RESULT_NO_ITEM);
    }
    if (l->token != TOKEN_END) lexer_error(l, MSG_RESULT_TEXT_AFTER_END);
    check_targets(r);
}

Proof *proof_parse(const char *text, Program *program, System *system, Buf *error) {
    Lexer lexer;
    Arena *arena = arena_new();
    lexer_init(&lexer, arena, "proof", text);
    Parser r = {.lexer = &lexer, .exprs = system->exprs, .system = system, .symbols = map_new(), .lets = lets_new()};
    Proof *p = r.proof = proof_new(RULE_PRODUCT, program, system);
    for (size_t v = 0; v < vec_len(system->variables); v++) {
        const Symbol *symbol = system->variables[v].symbol;
        map_set(r.symbols, exprs_intern(r.exprs, symbol->name), symbol);
    }
    parse_text(&r);
    if (lexer.failed) {
        buf_text(error, buf_string(&lexer.error));
        proof_release(p);
        p = NULL;
    }
    map_free(r.symbols);
    lets_free(r.lets);
    lexer_done(&lexer);
    arena_free(arena);
    return p;
}
