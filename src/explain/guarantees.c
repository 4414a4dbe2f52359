/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/guarantees.h"
#include "explain/invariants.h"
#include "explain/places.h"
#include <string.h>

/* ---- the kind of the proof ---- */

typedef struct Foreign {
    const Proof *proof;
    unsigned thread;
    bool *others;     /* by thread: the invariants of `thread` mention it */
    unsigned *locals; /* by thread: one of its variables that they mention, plus 1; 0: they mention only its location */
} Foreign;

static void note_foreign(void *context, const Symbol *symbol) {
    Foreign *f = context;
    const Proof *p = f->proof;
    unsigned v = system_variable(p->system, symbol), owner = v == NONE ? NONE : p->system->variables[v].thread;
    for (unsigned t = 0; t < vec_len(p->places); t++)
        if (p->places[t] == symbol) owner = t;
    if (owner == NONE || owner == f->thread) return;
    f->others[owner] = true;
    if (v != NONE) f->locals[owner] = v + 1;
}

void guarantees_kind(Buf *out, const Display *display, const Proof *p) {
    const System *s = p->system;
    Buf why = {0};
    unsigned most = 0;
    bool main_only = false;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        Foreign f = {.proof = p, .thread = t};
        unsigned n = 0;
        vec_resize(f.others, vec_len(s->threads));
        vec_resize(f.locals, vec_len(s->threads));
        for (size_t l = 0; l < vec_len(p->invariants[t]); l++) expr_symbols(p->invariants[t][l], note_foreign, &f);
        for (unsigned u = 0; u < vec_len(s->threads); u++) {
            n += f.others[u];
            bool better = !why.length || (main_only && t && u); /* an example with main's location says less */
            if (!f.others[u] || !better) continue;
            main_only = !t || !u;
            why.length = 0;
            buf_printf(&why, "%s must know ", display_thread(display, t));
            if (f.locals[u]) buf_printf(&why, "%s of %s", s->variables[f.locals[u] - 1].name, display_thread(display, u));
            else buf_printf(&why, "where %s is", display_thread(display, u));
        }
        if (n > most) most = n;
        vec_free(f.others);
        vec_free(f.locals);
    }
    if (!most) buf_text(out, "The proof is modular: it considers each thread by itself.\n");
    else buf_printf(out, "The proof is %s: %s.\n", most == 1 ? "by pairs of threads" : "global", buf_string(&why));
    buf_free(&why);
}

/* ---- steps ---- */

/* Returns the variable v if the formula is v' == v; NONE for other formulas. */
static unsigned unchanged(const Proof *p, const Expr *e) {
    if (e->op != OP_EQ || e->args[0]->op != OP_SYMBOL || e->args[1]->op != OP_SYMBOL) return NONE;
    for (unsigned i = 0; i < 2; i++) {
        unsigned v = system_variable(p->system, e->args[i]->symbol);
        if (v != NONE && p->after[v] == e->args[1 - i]->symbol) return v;
    }
    return NONE;
}

static bool is_unchanged_place(const Proof *p, const Expr *e) {
    for (unsigned t = 0; t < vec_len(p->places_after) && e->op == OP_EQ; t++)
        for (unsigned i = 0; i < 2; i++)
            if (e->args[i]->op == OP_SYMBOL && e->args[1 - i]->op == OP_SYMBOL && e->args[i]->symbol == p->places[t] &&
                e->args[1 - i]->symbol == p->places_after[t])
                return true;
    return false;
}

static unsigned parts(const Expr *e, Op op) { return e->op == op ? e->nargs : 1; }
static const Expr *part(const Expr *e, Op op, unsigned i) { return e->op == op ? e->args[i] : e; }

/* True if the formula implies that the variable is unchanged. */
static bool keeps(const Proof *p, const Expr *e, unsigned v) {
    bool is = false;
    for (unsigned i = 0; i < parts(e, OP_AND) && !is; i++) is = unchanged(p, part(e, OP_AND, i)) == v;
    return is;
}

/* Lists the displayed variables that `e` keeps unchanged and `but` does not; `but` may be NULL. Returns false if the list is empty. */
static bool list_variables(Buf *out, const Display *display, const Proof *p, const char *before, const Expr *e, const Expr *but) {
    bool listed = false;
    for (unsigned v = 0; v < vec_len(p->system->variables); v++) {
        const char *name = keeps(p, e, v) && !(but && keeps(p, but, v)) ? display_variable(display, v) : NULL;
        if (!name) continue;
        buf_printf(out, "%s%s", listed ? ", " : before, name);
        listed = true;
    }
    return listed;
}

/* Describes one disjunct of the thread's guarantee. The first disjunct leaves everything unchanged that the proof mentions. */
static void put_step(Buf *out, Display *display, const Proof *p, unsigned thread, unsigned number, bool *left_out) {
    const Expr *e = part(p->guarantees[thread], OP_OR, number), *nothing = part(p->guarantees[thread], OP_OR, 0);
    bool first = true;
    for (unsigned i = 0; i < parts(e, OP_AND); i++) {
        const Expr *one = e->op == OP_AND ? places_joined(p, e, i) : e;
        if (!one || expr_is_true(one) || unchanged(p, one) != NONE || is_unchanged_place(p, one)) continue;
        const Expr *read = display_read(display, one);
        *left_out |= expr_is_true(read);
        if (expr_is_true(read)) continue;
        buf_text(out, first ? "" : " && ");
        expr_print_c(out, read);
        first = false;
    }
    if (first && !list_variables(out, display, p, "any change of ", nothing, e)) buf_text(out, "nothing that the proof mentions changes");
    list_variables(out, display, p, "; unchanged: ", e, NULL);
}

const char **guarantees_ways(Display *display, const Proof *p, unsigned thread, bool *left_out) {
    ensure(thread < vec_len(p->guarantees));
    const char **list = NULL;
    for (unsigned i = 0; i < parts(p->guarantees[thread], OP_OR); i++) {
        Buf text = {0};
        bool known = false;
        put_step(&text, display, p, thread, i, left_out);
        invariants_clean(&text);
        for (size_t k = 0; k < vec_len(list) && !known; k++) known = !strcmp(list[k], buf_string(&text));
        if (!known) vec_push(list, arena_strdup(p->system->arena, buf_string(&text)));
        buf_free(&text);
    }
    return list;
}

void guarantees_text(Buf *out, Display *display, const Proof *p) {
    const System *s = p->system;
    bool left_out = false;
    buf_text(out, "What each thread guarantees of each of its blocks (x' is the value of x after it), where it relies on the guarantees of "
                  "the other threads:\n");
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        if (system_first_instance(s, t) != t) continue;
        buf_printf(out, "  %s%s:\n", s->threads[t].many ? "every " : "", display_thread(display, t));
        const char **ways = guarantees_ways(display, p, t, &left_out);
        for (size_t i = 0; i < vec_len(ways); i++) buf_printf(out, "%s      %s\n", i ? "    or\n" : "", ways[i]);
        vec_free(ways);
    }
    if (left_out) buf_text(out, "Formulas about numbers of threads and addresses, which only Heddle chooses, are left out here.\n");
}
