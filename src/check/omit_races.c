/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that each pair of accesses which may race was instrumented.

   The check begins with the facts of the static race proof. Then the program after the pass must have two actions for each pair of accesses that
   the facts do not order. The first action sets the claim to a number. The second action reaches an error where the claim has this number. */
#include "base/map.h"
#include "check/messages.h"
#include "check/omission_checks.h"
#include "check/proof.h"
#include "result/race_instrumented.h"

typedef struct Check {
    const OmissionView *view;
    const RaceClaim *claim;
    Omission *omission;
    const Variable *variable; /* the claim; NULL: no access claims */
    Map *claims;              /* number of a claim → 1 + index of its action in claim->added */
    Map *pairs;               /* key of a pair of actions → 1 */
} Check;

static void refuse(Check *c, Position at, const char *why) { omission_refuse(c->omission, at, "%s", why); }

static const Action *added_action(const Check *c, const RaceAdded *a) {
    return &c->view->after->templates[a->template_]->actions[a->action];
}

static const Action *original_of(const Check *c, const RaceAdded *a) {
    return &c->view->before->templates[a->template_]->actions[a->original];
}

static uint64_t action_key(unsigned template_, unsigned action) { return hash_word((uint64_t)template_ << 32 | action); }
static uint64_t pair_key(uint64_t a, uint64_t b) { return hash_word((a < b ? a : b) ^ hash_word(a < b ? b : a)); }
static uint64_t key_of(const RaceAdded *a) { return action_key(a->template_, a->original); }

/* Returns whether the added action can be taken wherever the original action can begin. */
static bool is_sound(const Check *c, const RaceAdded *a) {
    const Program *p = c->view->before, *q = c->view->after;
    if (a->template_ >= vec_len(p->templates) || a->template_ >= vec_len(q->templates)) return false;
    size_t old = vec_len(p->templates[a->template_]->actions);
    if (a->original >= old || a->action < old || a->action >= vec_len(q->templates[a->template_]->actions)) return false;
    return added_action(c, a)->source == original_of(c, a)->source && added_action(c, a)->guard == original_of(c, a)->guard;
}

/* ---- the instrumented pairs ---- */

static bool is_error(const Check *c, const RaceAdded *a) {
    return c->view->after->templates[a->template_]->locations[added_action(c, a)->target].kind == LOCATION_ERROR;
}

static void find_claim(Check *c, size_t n) {
    const RaceAdded *a = &c->claim->added[n];
    vec_each_at(const Instr, i, added_action(c, a)->instrs) {
        if (i->kind != INSTR_ASSIGN || i->target != c->variable || !expr_is_const(i->value)) continue;
        if (map_get(c->claims, (uint64_t)i->value->value, NULL)) refuse(c, i->position, MSG_CHECK_RACES_NUMBER);
        map_put(c->claims, (uint64_t)i->value->value, n + 1);
    }
}

/* Finds the numbers to which the condition compares the claim, in the operands of its conjunctions and disjunctions. */
static void find_seen(Check *c, const RaceAdded *a, const Expr *e) {
    for (unsigned i = 0; i < e->nargs && (e->op == OP_OR || e->op == OP_AND); i++) find_seen(c, a, e->args[i]);
    for (unsigned i = 0; i < 2 && e->op == OP_EQ; i++) {
        uint64_t n;
        if (expr_variable(e->args[i]) != c->variable || !expr_is_const(e->args[1 - i])) continue;
        if (map_get(c->claims, (uint64_t)e->args[1 - i]->value, &n))
            map_put(c->pairs, pair_key(key_of(a), key_of(&c->claim->added[n - 1])), 1);
    }
}

static void find_pairs(Check *c) {
    vec_each(const Variable *, v, c->view->after->globals)
        if (!vec_has(c->view->before->globals, (Variable *)(uintptr_t)v) && !c->variable) c->variable = v; /* the first new global */
    vec_each_at(const RaceAdded, a, c->claim->added)
        if (!is_sound(c, a)) refuse(c, (Position){0}, MSG_CHECK_RACES_ACTION);
    for (size_t n = 0; n < vec_len(c->claim->added) && !c->omission->refused; n++) find_claim(c, n);
    vec_each_at(const RaceAdded, a, c->claim->added) {
        if (c->omission->refused || !is_error(c, a)) continue;
        vec_each_at(const Instr, i, added_action(c, a)->instrs)
            if (i->kind == INSTR_ASSUME) find_seen(c, a, i->value);
    }
}

/* ---- the pairs that may race ---- */

static uint64_t access_key(const Check *c, const RaceAccess *x) {
    const RaceThread *t = &c->claim->proof->threads[x->thread];
    return action_key(t->template_, t->steps[x->step].action);
}

static Position access_place(const Check *c, const RaceAccess *x) {
    const RaceThread *t = &c->claim->proof->threads[x->thread];
    return c->view->before->templates[t->template_]->actions[t->steps[x->step].action].position;
}

/* Two accesses in sections, or two that are not the first of their steps, are never next in one state. */
static void note_pair(void *context, const RaceAccess *one, const RaceAccess *other) {
    Check *c = context;
    bool apart = (one->section && other->section) || !(one->first || other->first) || one->allocates || other->allocates;
    if (apart || map_get(c->pairs, pair_key(access_key(c, one), access_key(c, other)), NULL)) return;
    refuse(c, access_place(c, one), MSG_CHECK_RACES_PAIR);
}

/* The actions of the program come first, and are the same. */
static void check_kept(Check *c) {
    const Program *p = c->view->before, *q = c->view->after;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            const Action *x = &p->templates[t]->actions[a], *y = &q->templates[t]->actions[a];
            bool same =
                x->source == y->source && x->target == y->target && x->guard == y->guard && vec_len(x->instrs) == vec_len(y->instrs);
            if (!same) refuse(c, x->position, MSG_CHECK_RACES_ACTION);
        }
}

void omit_race_pairs(const OmissionView *v, Omission *o) {
    Check c = {.view = v, .claim = v->claim, .omission = o, .claims = map_new(), .pairs = map_new()};
    Buf why = {0};
    check_kept(&c);
    if (!o->refused && c.claim && c.claim->proof && !(v->question && v->question->known)) {
        find_pairs(&c);
        if (!o->refused && !race_facts_check(c.claim->proof, note_pair, &c, &why))
            omission_refuse(o, (Position){0}, "%s", buf_string(&why));
        o->count = (unsigned)vec_len(c.claim->proof->accesses);
    }
    buf_free(&why);
    map_free(c.claims);
    map_free(c.pairs);
}
