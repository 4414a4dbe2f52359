/* SPDX-License-Identifier: Apache-2.0 */
/* Joins each update of a ghost variable with a step of its statement. The update and the statement's first access that other threads may
   observe become one step. So an update at a lock happens when the lock is taken, and a statement with several accesses stays several
   steps. The update remains a step of its own where the statement has no such access, and before a loop or an inserted assertion.
   An update is only joined with a single step of the program. Thus each step of the program is still one step. */
#include "witness/instrument.h"
#include <string.h>

enum { MOST_STEPS = 16, MOST_PATHS = 64 };

typedef struct Join {
    Program *program;
    Template *template_;
    const Inserted *list, *update; /* a vec; its entry for the present update */
    const bool *shared;
    Action *made; /* a vec: the paths that replace the update */
} Join;

static bool is_behind(const Position *p, unsigned line, unsigned column) {
    return p->line > line || (p->line == line && p->column >= column);
}

/* Returns whether the position, or a call that leads to it, is in the statement of the update. */
static bool is_in_statement(const Inserted *u, Position p) {
    for (; p.file; p = p.in->from) {
        if (inserted_same_file(u, &p) && is_behind(&p, u->line, u->column + u->length) && !is_behind(&p, u->last_line, u->last_column))
            return true;
        if (!p.in) return false;
    }
    return false;
}

static Position position_of(const Action *a, const Instr *i) { return i->position.file ? i->position : a->position; }

/* Returns whether all that the action does for other threads to see is in inserted updates. */
static bool is_update(const Join *j, const Action *a) {
    bool any = false;
    vec_each_at(const Instr, i, a->instrs) {
        const Inserted *piece = inserted_at(j->list, position_of(a, i));
        if (piece && piece->last_line) any = true;
        else if (piece || instr_is_visible(i, j->shared)) return false;
    }
    return any && !expr_reads_global(a->guard);
}

/* Returns whether the action belongs to the statement, and no inserted assertion does. */
static bool is_of_statement(const Join *j, const Action *a) {
    bool within = is_in_statement(j->update, a->position);
    if (inserted_at(j->list, a->position)) return false;
    vec_each_at(const Instr, i, a->instrs) {
        if (inserted_at(j->list, position_of(a, i))) return false;
        within |= is_in_statement(j->update, position_of(a, i));
    }
    return within;
}

/* Returns whether the path goes on: each way from its end belongs to the statement, or is another update. */
static bool goes_on(const Join *j, const Action *path) {
    const Location *at = &j->template_->locations[path->target];
    bool good = at->kind == LOCATION_PLAIN && !at->loop_head && !at->atomic && vec_len(at->out) && vec_len(j->made) < MOST_PATHS;
    for (size_t i = 0; i < vec_len(at->out) && good; i++) {
        const Action *a = &j->template_->actions[at->out[i]];
        good = is_update(j, a) || is_of_statement(j, a);
        if (a->approximation != NO_APPROXIMATION && path->approximation != NO_APPROXIMATION) good = false;
    }
    return good;
}

static Action longer(const Join *j, const Action *path, const Action *next) {
    Action a = *path;
    a.instrs = vec_copy(path->instrs);
    a.target = next->target;
    a.section = path->section && next->section;
    if (next->approximation != NO_APPROXIMATION) a.approximation = next->approximation;
    if (!is_update(j, next)) a.position = next->position;
    if (!expr_is_true(next->guard)) action_instr(&a, INSTR_ASSUME, next->position)->value = next->guard;
    for (size_t i = 0; i < vec_len(next->instrs); i++) {
        vec_push(a.instrs, next->instrs[i]);
        vec_last(a.instrs).position = position_of(next, &next->instrs[i]);
    }
    return a;
}

static void extend(Join *j, const Action *path, unsigned steps) {
    if (steps == MOST_STEPS || !goes_on(j, path)) {
        Action done = *path;
        done.instrs = vec_copy(path->instrs);
        vec_push(j->made, done);
        return;
    }
    const unsigned *out = j->template_->locations[path->target].out;
    for (size_t i = 0; i < vec_len(out); i++) {
        const Action *next = &j->template_->actions[out[i]];
        Action a = longer(j, path, next);
        if (is_update(j, next) || !action_is_visible(next, j->shared)) extend(j, &a, steps + 1);
        else vec_push(j->made, a), a.instrs = NULL;
        vec_free(a.instrs);
    }
}

/* Replaces the update by the paths. */
static void replace(Join *j, unsigned update) {
    for (size_t i = 0; i < vec_len(j->made); i++) {
        Action *m = &j->made[i], *a = &j->template_->actions[update];
        if (i) a = template_action(j->program, j->template_, m->source, m->target, m->guard, m->position);
        m->index = a->index;
        vec_free(a->instrs);
        *a = *m;
    }
    vec_free(j->made);
    j->made = NULL;
}

static void join(Join *j, unsigned update) {
    const Action *a = &j->template_->actions[update];
    const Location *from = &j->template_->locations[a->source];
    if (from->atomic || !is_update(j, a)) return;
    vec_each_at(const Instr, i, a->instrs) {
        const Inserted *piece = inserted_at(j->list, position_of(a, i));
        if (piece) j->update = piece;
    }
    extend(j, a, 0);
    replace(j, update);
}

void ghosts_join(Program *p, const Inserted *list) {
    bool *shared = program_shared_objects(p);
    Join j = {.program = p, .list = list, .shared = shared};
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        j.template_ = p->templates[t];
        size_t n = vec_len(j.template_->actions);
        for (unsigned a = 0; a < n; a++) join(&j, a);
    }
    vec_free(shared);
}
