/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the index of accesses: for each variable, the transitions that read or write it. */
#include "check/checker.h"

typedef struct Touch {
    Checker *checker;
    VariableAccess access;
} Touch;

static void note_read(void *context, const Symbol *symbol) {
    const Touch *t = context;
    unsigned v = system_variable(t->checker->system, symbol);
    if (v != NONE) vec_push(t->checker->accesses[v], t->access);
}

/* A read counts if it can influence a run: in guards, and in the values of relevant variables. */
void accesses_find(Checker *c) {
    const System *s = c->system;
    c->relevant = system_relevant(s);
    vec_resize(c->accesses, vec_len(s->variables));
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned *stamps = NULL;
        vec_resize(stamps, vec_len(s->threads[t].transitions));
        vec_push(c->stamps, stamps);
        for (unsigned i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Transition *x = &s->threads[t].transitions[i];
            Touch read = {c, {t, i, false}};
            expr_symbols(x->guard, note_read, &read);
            for (size_t u = 0; u < vec_len(x->updates); u++) {
                unsigned v = x->updates[u].variable;
                vec_push(c->accesses[v], ((VariableAccess){t, i, true}));
                if (c->relevant[v]) expr_symbols(x->updates[u].value, note_read, &read);
            }
        }
    }
}

void accesses_forget(Checker *c) {
    vec_free_rows(c->accesses);
    vec_free_rows(c->stamps);
    vec_free(c->relevant);
}

bool accesses_first_time(Checker *c, const VariableAccess *y) {
    ensure(y->thread < vec_len(c->stamps) && y->transition < vec_len(c->stamps[y->thread]));
    if (c->stamps[y->thread][y->transition] == c->stamp) return false;
    c->stamps[y->thread][y->transition] = c->stamp;
    return true;
}
