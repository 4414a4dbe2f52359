/* SPDX-License-Identifier: Apache-2.0 */
/* Turns recursive and error-checking mutexes into normal ones. Branches implement the table in doc/ir.md ("Mutex words") for a LOCK by the owner and
   an UNLOCK by another thread.

   requires  a program without memory (partition-memory)
   ensures   a word of one of these kinds becomes the word of a normal mutex. The word must get its kind before its first use, and keep this kind.
             All its other uses must lock or unlock it. A recursive mutex has a second variable, which counts how often its owner has locked it again
   breaks    actions with such a mutex have copies, one for each branch (the translation has their origin); choices are the same

   All other words stay unchanged. build_system refuses those that are not normal. */
#include "passes/program/program_passes.h"
#include "analysis/mutex_set.h"
#include "base/map.h"
#include "ir/fields.h"
#include <string.h>

enum { NORMAL, RECURSIVE, CHECKED, KIND_SHIFT = 28, MOST_COUNT = 4095, EPERM = 1, EAGAIN = 11, EBUSY = 16, EDEADLK = 35 };

typedef struct Kinds {
    Program *program;
    Map *counts;  /* the word of such a mutex → its counter, or the word itself if the mutex is not recursive */
    Instr **ways; /* by branch of the present action: its instructions so far … */
    Instr **more; /* … and with the next instruction */
    const Template *template_;
} Kinds;

/* ---- words ---- */

/* Returns false if the value initialises a mutex of the kind *kind, recursive or error-checking. If *kind is 0 (not known yet), both kinds fit, and
   *kind is set. */
static bool another_kind(const Expr *value, uint64_t *kind) {
    if (!expr_is_const(value)) return true;
    uint64_t k = (uint64_t)value->value >> KIND_SHIFT;
    if ((uint64_t)value->value != k << KIND_SHIFT || (k != RECURSIVE && k != CHECKED) || (*kind && *kind != k)) return true;
    *kind = k;
    return false;
}

static bool mentions(const Instr *i, const Symbol *s) {
    const Expr *parts[] = {i->address, i->value, i->size};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k] && expr_mentions(parts[k], s)) return true;
    return false;
}

/* Returns the kind that a word has at each use. NORMAL: the kind is normal or not known. */
static uint64_t kind_of(const Program *p, const Variable *word) {
    uint64_t kind = NORMAL;
    bool raw = !word->init || (expr_is_const(word->init) && !word->init->value);
    if (!raw && another_kind(word->init, &kind)) return NORMAL;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        vec_each_at(const Action, action, p->templates[t]->actions) {
            if (action->guard && expr_mentions(action->guard, word->symbol)) return NORMAL;
            vec_each_at(const Instr, i, action->instrs) {
                if (mentions(i, word->symbol)) return NORMAL;
                if (i->target != word) continue;
                if (i->kind == INSTR_HAVOC ? t != 0 : i->kind != INSTR_ASSIGN || another_kind(i->value, &kind)) return NORMAL;
                raw |= i->kind == INSTR_HAVOC;
            }
        }
    return kind == NORMAL || (raw && !mutex_set_in_time(p, word, raw)) ? NORMAL : kind;
}

static void note_word(Kinds *x, Variable *word, Map *seen) {
    Program *p = x->program;
    if (!word->global || map_find(seen, word)) return;
    map_set(seen, word, word);
    uint64_t kind = kind_of(p, word);
    if (kind == NORMAL) return;
    Variable *count = word;
    if (kind == RECURSIVE) {
        count = program_global(p, arena_printf(p->arena, "again.%s", word->symbol->name), sort_bv(p->exprs, 32), expr_bv(p->exprs, 32, 0));
        const char *inside = strstr(word->name, ".__"); /* drop the members of the library's model */
        int length = inside ? (int)(inside - word->name) : (int)strlen(word->name);
        count->name = arena_printf(p->arena, "(how often %.*s is locked again)", length, word->name);
        count->position = word->position;
    }
    map_set(x->counts, word, count);
}

static void find_words(Kinds *x) {
    Map *seen = map_new();
    program_each_instr(const Instr, i, x->program)
        if (i->cell) note_word(x, i->cell, seen);
    map_free(seen);
}

/* ---- branches ---- */

static const Expr *number(const Kinds *x, uint64_t n) { return expr_bv(x->program->exprs, 32, n); }

static Instr assign(const Instr *like, Variable *target, const Expr *value) {
    return (Instr){.kind = INSTR_ASSIGN, .target = target, .value = value, .position = like->position};
}

/* Extends each branch so far: assumes `when`, executes `first` unless it is NULL, and assigns the result. */
static void add_branch(Kinds *x, const Instr *i, const Expr *when, const Instr *first, uint64_t result) {
    for (size_t w = 0; w < vec_len(x->ways); w++) {
        Instr *instrs = NULL;
        for (size_t k = 0; k < vec_len(x->ways[w]); k++) vec_push(instrs, x->ways[w][k]);
        vec_push(instrs, ((Instr){.kind = INSTR_ASSUME, .value = when, .position = i->position}));
        if (first) vec_push(instrs, *first);
        if (i->target) vec_push(instrs, assign(i, i->target, number(x, result)));
        vec_push(x->more, instrs);
    }
}

static void branch(Kinds *x, const Instr *i, Variable *count) {
    Exprs *e = x->program->exprs;
    bool recursive = count != i->cell, locks = i->kind != INSTR_UNLOCK, tries = i->kind == INSTR_TRYLOCK;
    const Expr *word = variable_expr(x->program, i->cell), *again = variable_expr(x->program, count), *one = number(x, 1);
    const Expr *self = variable_expr(x->program, x->template_->self);
    const Expr *free = expr_eq(e, word, number(x, 0)), *own = expr_eq(e, word, self);
    const Expr *at_end = expr_eq(e, again, number(x, locks ? MOST_COUNT : 0));
    Instr plain = {.kind = locks ? INSTR_LOCK : INSTR_UNLOCK, .cell = i->cell, .position = i->position};
    Instr counted = assign(i, count, expr_2(e, locks ? OP_ADD : OP_SUB, again, one));
    if (locks) add_branch(x, i, free, &plain, 0);
    else add_branch(x, i, recursive ? expr_and(e, own, at_end) : own, &plain, 0);
    if (recursive) add_branch(x, i, expr_and(e, own, expr_not(e, at_end)), &counted, 0);
    if (recursive && locks) add_branch(x, i, expr_and(e, own, at_end), NULL, EAGAIN);
    if (!recursive && locks && !tries) add_branch(x, i, own, NULL, EDEADLK);
    if (tries) add_branch(x, i, expr_not(e, recursive ? expr_or(e, free, own) : free), NULL, EBUSY);
    if (!locks) add_branch(x, i, expr_not(e, own), NULL, EPERM);
}

/* ---- actions ---- */

static Variable *count_of(const Kinds *x, const Variable *word) { return word ? map_find(x->counts, word) : NULL; }

static void add(Kinds *x, Instr i) {
    for (size_t w = 0; w < vec_len(x->ways); w++) vec_push(x->ways[w], i);
}

static void set_up(Kinds *x, const Instr *i, Variable *count) {
    add(x, assign(i, i->target, number(x, 0)));
    if (count != i->target) add(x, assign(i, count, number(x, 0)));
}

static void follow(Kinds *x, const Instr *i) {
    Variable *set = i->kind == INSTR_ASSIGN ? count_of(x, i->target) : NULL, *locked = count_of(x, i->cell);
    if (set) {
        set_up(x, i, set);
    } else if (locked) {
        branch(x, i, locked);
        vec_free_rows(x->ways);
        x->ways = x->more;
        x->more = NULL;
    } else {
        add(x, *i);
    }
}

static bool concerns(const Kinds *x, const Action *a) {
    for (size_t k = 0; k < vec_len(a->instrs); k++)
        if (count_of(x, a->instrs[k].cell) || count_of(x, a->instrs[k].target)) return true;
    return false;
}

/* Replaces the action by its branches. The action itself becomes the first branch. A copy of the action becomes each other branch. */
static void rewrite(Kinds *x, Template *t, unsigned at, unsigned **origins) {
    const Action from = t->actions[at];
    vec_push(x->ways, NULL);
    for (size_t k = 0; k < vec_len(from.instrs); k++) follow(x, &from.instrs[k]);
    vec_free(t->actions[at].instrs);
    t->actions[at].instrs = x->ways[0];
    for (size_t w = 1; w < vec_len(x->ways); w++) {
        Action *a = template_action(x->program, t, from.source, from.target, from.guard, from.position);
        fields_copy(action_fields, a, &from);
        a->instrs = x->ways[w];
        vec_push(*origins, (*origins)[at]);
    }
    vec_free(x->ways);
    x->ways = NULL;
}

void mutex_kinds(Program *p, Translation *translation) {
    ensure(translation_valid(translation, p));
    Kinds x = {.program = p, .counts = map_new()};
    find_words(&x);
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        x.template_ = p->templates[t];
        for (unsigned a = 0, n = (unsigned)vec_len(x.template_->actions); a < n; a++)
            if (concerns(&x, &x.template_->actions[a])) rewrite(&x, p->templates[t], a, &translation->actions[t]);
    }
    for (size_t g = 0; g < vec_len(p->globals); g++)
        if (p->globals[g]->init && count_of(&x, p->globals[g])) p->globals[g]->init = expr_bv(p->exprs, 32, 0);
    map_free(x.counts);
}
