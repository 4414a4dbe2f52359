/* SPDX-License-Identifier: Apache-2.0 */
/* Forks code that differs between properties.

   The front end makes one program for all properties (ir/program.h, PropertySet). Where one needs other code than another, the code forks:
   each part is lowered for its properties alone, in actions that are marked with them.

   Parts begin and meet within a step. Each property has a single path, and `focus` makes one action of it, as if there were no code for
   the other properties. */
#include "front/lower.h"
#include "front/messages.h"

static PropertySet live(const Lower *l) { return l->asked & (PropertySet)~l->cursor.gone; }

/* ---- questions ---- */

bool asks(const Lower *l, PropertySet set) {
    PropertySet here = live(l);
    ensure(l->cursor.dead || !(here & set) || !(here & ~set));
    return here & set;
}

static const Expr *question(Lower *l, PropertySet set) {
    Variable **v = &l->front->questions[set];
    if (!*v) {
        *v = program_global(l->program, "asked", sort_bool(l->pool), NULL);
        (*v)->true_for = set;
        (*v)->temporary = true;
        l->front->has_questions = true;
    }
    return variable_expr(l->program, *v);
}

const Expr *asked(Lower *l, PropertySet set) {
    PropertySet here = live(l), some = here & set;
    return !some || some == here ? expr_bool(l->pool, some) : question(l, set);
}

bool is_question(const Expr *e) {
    const Variable *v = expr_variable(e);
    return v && v->true_for;
}

typedef struct Answers {
    Lower *lower;
    PropertySet here;
} Answers;

static const Expr *answer(void *context, const Expr *e) {
    const Answers *a = context;
    const Variable *v = expr_variable(e);
    if (!v || !v->true_for || (a->here & v->true_for && a->here & ~v->true_for)) return NULL;
    return expr_bool(a->lower->pool, a->here & v->true_for);
}

const Expr *answer_questions(Lower *l, PropertySet set, const Expr *e) {
    Answers a = {.lower = l, .here = set};
    return l->front->has_questions ? expr_substitute(l->pool, e, answer, &a) : e;
}

/* For a single property, each question has a known answer. */
bool has_question(Lower *l, const Expr *e) { return answer_questions(l, FOR_ASSERTIONS, e) != e; }

const Expr *answer_questions_here(Lower *l, const Expr *e) { return answer_questions(l, live(l), e); }

/* ---- forks ---- */

Fork fork_by(Lower *l, PropertySet set) {
    Fork f = {.all = l->asked};
    PropertySet here = live(l), parts[] = {here & (PropertySet)~set, here & set};
    bool whole = l->cursor.dead || !parts[0] || !parts[1];
    if (whole) f.parts[f.n++] = l->asked;
    for (unsigned i = 0; i < 2 && !whole; i++) f.parts[f.n++] = parts[i];
    if (!whole && l->cursor.action != NONE) emit_within(l, emit_location(l, LOCATION_PLAIN), l->asked);
    f.start = l->cursor;
    return f;
}

/* True if no part added any code. */
static bool is_idle(const Fork *f) {
    for (unsigned i = 0; i < f->n; i++) {
        const Cursor *c = &f->ends[i];
        if (c->dead || c->action != NONE || c->location != f->start.location || c->depth != f->start.depth) return false;
    }
    return true;
}

/* Takes over what the step of these properties has done. */
static void take_state(Cursor *c, const Cursor *from, PropertySet set) {
    c->gone |= from->gone & set;
    c->done |= from->done & set;
    c->section |= from->section & set;
    c->began |= from->began & set;
    c->atomic |= from->atomic & set;
    c->changed |= from->changed & set;
    c->noted |= from->noted & set;
    c->chosen |= from->chosen & set;
}

static void meet(Lower *l, Fork *f) {
    bool idle = is_idle(f);
    Cursor met = {.location = f->start.location, .action = NONE, .depth = f->start.depth, .dead = true};
    for (unsigned i = 0; i < f->n; i++) {
        if (f->ends[i].dead) {
            met.gone |= f->parts[i];
            continue;
        }
        l->cursor = f->ends[i];
        l->asked = f->parts[i];
        if (met.dead && !idle) {
            met.location = emit_location(l, LOCATION_PLAIN);
            met.depth = l->cursor.depth;
        }
        if (l->cursor.depth != met.depth) {
            emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_CALL_SECTION);
            met.gone |= f->parts[i];
            continue;
        }
        met.dead = false;
        if (!idle) emit_within(l, met.location, f->parts[i]);
        take_state(&met, &l->cursor, f->parts[i]);
    }
    met.gone |= f->start.gone;
    l->asked = f->all;
    l->cursor = met;
}

bool fork_next(Lower *l, Fork *f) {
    if (f->next) f->ends[f->next - 1] = l->cursor;
    if (f->next < f->n) {
        l->asked = f->parts[f->next++];
        l->cursor = f->start;
        return true;
    }
    l->asked = f->all;
    if (f->n > 1) meet(l, f);
    return false;
}

/* ---- values ---- */

void fork_value(Lower *l, const Expr **all, const Expr *here) {
    if (l->cursor.dead) return;
    *all = *all && *all != here ? expr_ite(l->pool, question(l, live(l)), here, *all) : here;
}

void fork_leaves(Lower *l, const Expr ***all, const Expr *const *here, unsigned n) {
    if (l->cursor.dead || !here) return;
    const Expr **values = arena_array(l->front->scratch, const Expr *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        values[i] = *all ? (*all)[i] : NULL;
        fork_value(l, &values[i], here[i]);
    }
    *all = values;
}
