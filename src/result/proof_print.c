/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a proof twice. The first time counts expressions, so that large expressions which occur more than once get names. Each statement is put
   together in `line`; the definitions that it needs come before it. */
#include "expr/named.h"
#include "result/proof_text.h"

typedef struct Writer {
    const Proof *proof;
    const System *system;
    Names *names;
    Buf *out; /* NULL while expressions are counted */
    Buf line;
} Writer;

static void text(Writer *w, const char *s) { buf_text(&w->line, s); }

/* Adds a space, but not at the beginning of a list. */
static void gap(Writer *w) {
    if (w->line.length && w->line.text[w->line.length - 1] != '(') buf_char(&w->line, ' ');
}

static void name(Writer *w, const char *s) {
    gap(w);
    name_print(&w->line, s);
}

static void expr(Writer *w, const Expr *e) {
    gap(w);
    if (!w->out) {
        names_count(w->names, e);
        return;
    }
    names_print_definitions(w->names, w->out, e, "\n");
    names_print(w->names, &w->line, e);
}

static void end(Writer *w, const char *how) {
    text(w, how);
    if (w->out) buf_text(w->out, buf_string(&w->line));
    buf_clear(&w->line);
}

static void exprs(Writer *w, const char *word, const Expr *const *list) {
    text(w, word);
    text(w, " (");
    for (size_t i = 0; i < vec_len(list); i++) expr(w, list[i]);
    text(w, ")");
}

static void numbers(Writer *w, const char *word, const unsigned *list) {
    text(w, word);
    text(w, " (");
    for (size_t i = 0; i < vec_len(list); i++) gap(w), buf_printf(&w->line, "%u", list[i]);
    text(w, ")");
}

/* ---- symbols other than the system's variables ---- */

static void declare(Writer *w, const char *word, const Symbol *symbol, const char *of) {
    text(w, word);
    name(w, symbol->name);
    text(w, " of");
    name(w, of);
    end(w, ";");
}

static void symbols(Writer *w) {
    const Proof *p = w->proof;
    for (size_t t = 0; t < vec_len(p->places); t++) declare(w, "\nplace", p->places[t], w->system->threads[t].name);
    for (size_t v = 0; v < vec_len(p->after); v++) declare(w, "\nafter", p->after[v], w->system->variables[v].symbol->name);
    for (size_t t = 0; t < vec_len(p->places_after); t++) declare(w, "\nplace-after", p->places_after[t], w->system->threads[t].name);
}

/* ---- claims about threads ---- */

static void location(Writer *w, unsigned t, unsigned l) {
    const Proof *p = w->proof;
    const Expr *fact = p->facts ? p->facts[t][l] : NULL;
    buf_printf(&w->line, "\n  l%u", l);
    if (p->out[t][l]) text(w, " out");
    if (p->stop[t][l]) text(w, " stop");
    if (fact && !expr_is_true(fact)) text(w, " fact"), expr(w, fact);
    if (p->invariants) text(w, " invariant"), expr(w, p->invariants[t][l]);
    if (p->ranks) exprs(w, " rank", p->ranks[t][l]);
    end(w, ";");
}

static void movers(Writer *w, unsigned t, unsigned side, const char *word) {
    unsigned *list = NULL;
    for (unsigned i = 0; i < vec_len(w->proof->movers[t]); i++)
        if (w->proof->movers[t][i] & side) vec_push(list, i);
    numbers(w, word, list);
    end(w, ";");
    vec_free(list);
}

static void thread(Writer *w, unsigned t) {
    const Proof *p = w->proof;
    text(w, "\nthread");
    name(w, w->system->threads[t].name);
    if (p->partners) text(w, " partner"), name(w, w->system->threads[p->partners[t]].name);
    end(w, " {");
    if (p->guarantees) text(w, "\n  guarantees"), expr(w, p->guarantees[t]), end(w, ";");
    if (p->relies) text(w, "\n  relies"), expr(w, p->relies[t]), end(w, ";");
    for (unsigned l = 0; l < vec_len(w->system->threads[t].locations); l++) location(w, t, l);
    movers(w, t, MOVES_RIGHT, "\n  right");
    movers(w, t, MOVES_LEFT, "\n  left");
    end(w, "\n}");
}

/* ---- nodes, block steps, pairs, the inside of blocks ---- */

static void node(Writer *w, size_t number) {
    const ProofNode *n = &w->proof->nodes[number];
    buf_printf(&w->line, "\nnode %zu (", number);
    for (size_t t = 0; t < vec_len(n->locations); t++) gap(w), buf_printf(&w->line, "l%u", n->locations[t]);
    text(w, ")");
    expr(w, n->invariant);
    if (n->rank) exprs(w, " rank", n->rank);
    if (n->helpers) text(w, " helpers (");
    for (size_t i = 0; i < vec_len(n->helpers); i++)
        if (n->helpers[i]) name(w, w->system->threads[n->helpers[i] - 1].name);
        else gap(w), text(w, "-");
    if (n->helpers) text(w, ")");
    for (size_t i = 0; i < vec_len(n->rounds); i++) {
        text(w, " round");
        if (n->rounds[i].relation) text(w, " relation"), expr(w, n->rounds[i].relation);
        exprs(w, " measures", n->rounds[i].measures);
    }
    if (vec_len(n->sleep)) numbers(w, " sleep", n->sleep);
    if (vec_len(n->edges)) text(w, " edges (");
    for (size_t i = 0; i < vec_len(n->edges); i++) gap(w), buf_printf(&w->line, "%u -> %u", n->edges[i].block_step, n->edges[i].target);
    if (vec_len(n->edges)) text(w, ")");
    if (n->dead) text(w, " dead");
    end(w, ";");
}

static void block_step(Writer *w, size_t number) {
    const ProofStep *x = &w->proof->block_steps[number];
    buf_printf(&w->line, "\nletter %zu", number);
    name(w, w->system->threads[x->thread].name);
    numbers(w, "", x->transitions);
    end(w, ";");
}

static void pair(Writer *w, const ProofPair *p) {
    text(w, "\npair");
    name(w, w->system->threads[p->first].name);
    name(w, w->system->threads[p->second].name);
    end(w, " {");
    for (size_t l = 0; l < vec_len(p->invariants); l++)
        for (size_t k = 0; k < vec_len(p->invariants[l]); k++) {
            buf_printf(&w->line, "\n  l%zu l%zu", l, k);
            expr(w, p->invariants[l][k]);
            end(w, ";");
        }
    end(w, "\n}");
}

static void inside(Writer *w, const ProofInside *i) {
    text(w, "\ninside");
    name(w, w->system->threads[i->thread].name);
    buf_printf(&w->line, " l%u l%u", i->start, i->location);
    expr(w, i->relation);
    end(w, ";");
}

/* ---- the whole proof ---- */

static void write_proof(Writer *w, Buf *out) {
    const Proof *p = w->proof;
    w->out = out;
    buf_printf(&w->line, "proof %s of %s", proof_rule_words[p->rule], buf_string(&p->settings));
    end(w, ";");
    symbols(w);
    for (unsigned t = 0; t < vec_len(w->system->threads); t++) thread(w, t);
    for (size_t i = 0; i < vec_len(p->insides); i++) inside(w, &p->insides[i]);
    for (size_t i = 0; i < vec_len(p->block_steps); i++) block_step(w, i);
    for (size_t i = 0; i < vec_len(p->nodes); i++) node(w, i);
    for (size_t i = 0; i < vec_len(p->pairs); i++) pair(w, &p->pairs[i]);
    end(w, "\nend\n");
}

static void avoid(Names *names, const Symbol *const *list) {
    for (size_t i = 0; i < vec_len(list); i++) names_avoid(names, list[i]->name);
}

void proof_print(Buf *out, const Proof *p) {
    ensure(proof_valid(p));
    Writer w = {.proof = p, .system = p->system, .names = names_new()};
    for (size_t v = 0; v < vec_len(w.system->variables); v++) names_avoid(w.names, w.system->variables[v].symbol->name);
    avoid(w.names, p->places);
    avoid(w.names, p->after);
    avoid(w.names, p->places_after);
    write_proof(&w, NULL);
    write_proof(&w, out);
    names_free(w.names);
    buf_free(&w.line);
}
