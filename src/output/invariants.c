/* SPDX-License-Identifier: Apache-2.0 */
/* What a person wants to know of a proof: for the places where threads can be at the same time, what then holds. What
   only Heddle knows of (a thread's status, temporaries) is left out. */
#include "output/invariants.h"
#include "base/vec.h"
#include <string.h>

enum { FEW = 8 };

typedef struct Hidden {
    const System *system;
    bool found;
} Hidden;

static void look(void *context, const Symbol *s) {
    Hidden *h = context;
    unsigned v = system_variable(h->system, s);
    h->found |= v == NONE || h->system->variables[v].hidden;
}

static bool is_for_people(const System *s, const Expr *e) {
    Hidden h = {s, false};
    expr_symbols(e, look, &h);
    return !h.found;
}

/* The parts of a conjunction that speak of the program's variables. */
static void print_conjuncts(Buf *out, const System *s, const Expr *e, unsigned *count) {
    if (e->op == OP_AND) {
        for (unsigned i = 0; i < e->nargs; i++) print_conjuncts(out, s, e->args[i], count);
        return;
    }
    if (expr_is_true(e) || !is_for_people(s, e)) return;
    if ((*count)++) buf_text(out, " && ");
    expr_print_c(out, e);
}

static void print_place(Buf *out, const System *s, const ProofNode *n) {
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        const SystemLocation *l = &s->threads[t].locations[n->locations[t]];
        buf_printf(out, "%s%s ", t ? ", " : "", s->threads[t].name);
        if (l->kind == LOCATION_END || l->kind == LOCATION_HALT) buf_text(out, "ended");
        else if (n->locations[t] == s->threads[t].entry) buf_text(out, "not started");
        else buf_printf(out, "at line %u", l->position.line);
    }
}

void invariants_text(Buf *out, const Proof *p, bool all) {
    const System *s = p->system;
    unsigned shown = 0, more = 0;
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        Buf text = {0};
        unsigned count = 0;
        print_conjuncts(&text, s, p->nodes[i].invariant, &count);
        if (count && (all || shown < FEW) && (all || text.length < 400)) {
            buf_text(out, "  ");
            print_place(out, s, &p->nodes[i]);
            buf_printf(out, ":\n      %s\n", buf_string(&text));
            shown++;
        } else if (count) {
            more++;
        }
        buf_free(&text);
    }
    if (more) buf_printf(out, "  … and %u more (--verbose shows all)\n", more);
}
