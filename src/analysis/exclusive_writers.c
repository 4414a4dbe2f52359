/* SPDX-License-Identifier: Apache-2.0 */
/* Ownership of variables follows from the places of assignments, and from the locations of main before creations. */
#include "analysis/exclusive_writers.h"
#include <stdlib.h>

struct ExclusiveWriters {
    const System *system;
    bool **own;   /* by thread and variable: the result of writers_own */
    bool **early; /* by location of main and variable: main owns the variable there, since no other thread that writes it exists yet */
    bool **grows; /* by thread and variable: the result of writers_grows */
};

static bool writes(const SystemThread *t, unsigned v, const bool *late) {
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if ((!late || late[t->transitions[i].source]) && transition_update(&t->transitions[i], v)) return true;
    return false;
}

/* Returns a vec by location of the creator: true if the thread may exist there. */
static bool *late_locations(const SystemThread *creator, unsigned thread) {
    bool *late = NULL;
    vec_resize(late, vec_len(creator->locations));
    for (bool changed = true; changed;) {
        changed = false;
        vec_each_at(const Transition, x, creator->transitions) {
            if (late[x->target] || !(late[x->source] || x->creates == thread)) continue;
            late[x->target] = changed = true;
        }
    }
    return late;
}

unsigned writers_creator(const System *s, unsigned thread) {
    unsigned found = NONE;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            if (s->threads[t].transitions[i].creates != thread || found == t) continue;
            if (found != NONE || t == thread || s->threads[t].many) return NONE;
            found = t;
        }
    return found;
}

static bool *own_variables(const System *s, unsigned thread) {
    bool *own = NULL;
    unsigned creator = writers_creator(s, thread);
    bool *late = creator == NONE ? NULL : late_locations(&s->threads[creator], thread);
    vec_resize(own, vec_len(s->variables));
    for (unsigned v = 0; v < vec_len(own) && !s->threads[thread].many; v++) {
        own[v] = s->variables[v].thread == thread || s->variables[v].thread == NONE;
        for (unsigned t = 0; t < vec_len(s->threads) && own[v] && s->variables[v].thread == NONE; t++)
            own[v] = t == thread || !writes(&s->threads[t], v, t == creator ? late : NULL);
    }
    vec_free(late);
    return own;
}

/* True if all transitions, or those from late locations, only add constants of at least 0 to the variable. */
static bool only_adds(const System *s, const SystemThread *t, unsigned v, const bool *late) {
    const Expr *e = system_expr(s, v);
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Expr *value = transition_update(&t->transitions[i], v);
        if (!value || (late && !late[t->transitions[i].source])) continue;
        if (value->op != OP_ADD || value->args[0] != e || !expr_is_const(value->args[1]) || (i128)value->args[1]->value < 0) return false;
    }
    return true;
}

static bool *growing_variables(const System *s, unsigned thread) {
    bool *grows = NULL;
    unsigned creator = writers_creator(s, thread);
    bool *late = creator == NONE ? NULL : late_locations(&s->threads[creator], thread);
    vec_resize(grows, vec_len(s->variables));
    for (unsigned v = 0; v < vec_len(grows); v++) {
        grows[v] = s->variables[v].thread == NONE && s->variables[v].symbol->sort->kind == SORT_INT;
        for (unsigned t = 0; t < vec_len(s->threads) && grows[v]; t++)
            grows[v] = only_adds(s, &s->threads[t], v, t == creator ? late : NULL);
    }
    vec_free(late);
    return grows;
}

/* Forbids main to own what the thread writes, at all locations where the thread may exist. */
static void forbid_late(ExclusiveWriters *o, unsigned thread) {
    const System *s = o->system;
    bool *late = writers_creator(s, thread) == 0 ? late_locations(&s->threads[0], thread) : NULL;
    for (size_t l = 0; l < vec_len(o->early); l++)
        for (unsigned v = 0; v < vec_len(s->variables) && (!late || late[l]); v++)
            if (writes(&s->threads[thread], v, NULL)) o->early[l][v] = false;
    vec_free(late);
}

static void find_early(ExclusiveWriters *o) {
    const System *s = o->system;
    vec_resize(o->early, vec_len(s->threads[0].locations));
    for (size_t l = 0; l < vec_len(o->early); l++)
        for (size_t v = 0; v < vec_len(s->variables); v++) vec_push(o->early[l], s->variables[v].thread == NONE && !s->threads[0].many);
    for (unsigned t = 1; t < vec_len(s->threads); t++) forbid_late(o, t);
}

bool writers_own(const ExclusiveWriters *o, unsigned thread, unsigned variable) { return o->own[thread][variable]; }

bool writers_own_at(const ExclusiveWriters *o, unsigned thread, unsigned location, unsigned variable) {
    return o->own[thread][variable] || (thread == 0 && o->early[location][variable]);
}

bool writers_grows(const ExclusiveWriters *o, unsigned thread, unsigned variable) { return o->grows[thread][variable]; }

static bool writers_valid(const ExclusiveWriters *o) {
    const System *s = o->system;
    bool good = vec_len(o->own) == vec_len(s->threads) && vec_len(o->early) == vec_len(s->threads[0].locations);
    for (size_t t = 0; t < vec_len(s->threads) && good; t++)
        good = vec_len(o->own[t]) == vec_len(s->variables) && vec_len(o->grows[t]) == vec_len(s->variables);
    return good;
}

ExclusiveWriters *writers_new(const System *s) {
    ExclusiveWriters *o = zeroed(1, sizeof *o);
    o->system = s;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        vec_push(o->own, own_variables(s, t));
        vec_push(o->grows, growing_variables(s, t));
    }
    find_early(o);
    ensure(writers_valid(o));
    return o;
}

void writers_free(ExclusiveWriters *o) {
    for (size_t t = 0; t < vec_len(o->own); t++) {
        vec_free(o->own[t]);
        vec_free(o->grows[t]);
    }
    vec_free_rows(o->early);
    vec_free(o->own);
    vec_free(o->grows);
    free(o);
}
