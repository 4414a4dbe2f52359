/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/horn/clauses.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/messages.h"

enum { CLAUSE_MS = 2000, MAX_CONSTANTS = 12 };

void clauses_start(Clauses *c, Smt *smt) { *c = (Clauses){.horn = horn_new(smt), .smt = smt}; }

static void forget_facts(Clauses *c) {
    for (size_t i = 0; i < vec_len(c->facts); i++) {
        vec_free(c->facts[i].arguments);
        vec_free(c->facts[i].facts);
    }
    vec_free(c->facts);
}

void clauses_free(Clauses *c) {
    forget_facts(c);
    for (size_t i = 0; i < vec_len(c->steps); i++) vec_free(c->steps[i].transitions);
    vec_free(c->steps);
    zones_free(c->zones);
    split_free(c->split);
    horn_free(c->horn);
}

void clauses_add_step(Clauses *c, HornClause k, unsigned thread, size_t n, const unsigned *transitions) {
    size_t index = horn_clauses(c->horn);
    horn_clause(c->horn, k.name, k.constraint, (unsigned)vec_len(k.body), k.body, k.head);
    vec_free(k.body);
    if (horn_clauses(c->horn) == index) return; /* its constraint is false */
    vec_resize(c->steps, index + 1);
    c->steps[index].thread = thread;
    for (size_t i = 0; i < n; i++) vec_push(c->steps[index].transitions, transitions[i]);
}

static double remaining(const ClausesPlan *p) { return p->deadline - clock_seconds(); }

static void progress(const ClausesPlan *p, const char *line) {
    if (p->progress) p->progress(p->context, line);
}

/* Returns the clauses that the methods work on. */
static Horn *active(const Clauses *c) { return c->split ? split_horn(c->split) : c->horn; }

/* ---- differences ---- */

static bool find_zones(Clauses *c, const ClausesPlan *p) {
    zones_free(c->zones);
    c->zones = zones_new(active(c), remaining(p) / 8, &c->solved_without_solver);
    return c->solved_without_solver;
}

bool clauses_simplify(Clauses *c, const ClausesPlan *p) {
    progress(p, "redcomp: differences of integers");
    if (find_zones(c, p)) return true;
    if (p->split) c->split = split_new(c->horn, c->smt, p->split, clock_seconds() + remaining(p) / 8);
    if (c->split && find_zones(c, p)) return true;
    if (c->zones) zones_strengthen(c->zones, active(c));
    return false;
}

/* ---- simple facts ---- */

static void collect_constants(const Expr ***list, const Expr *e) {
    if (expr_is_const(e) && (e->sort->kind == SORT_INT || e->sort->kind == SORT_BV)) {
        if (vec_has(*list, e)) return;
        if (vec_len(*list) < MAX_CONSTANTS) vec_push(*list, e);
    }
    for (unsigned i = 0; i < e->nargs && vec_len(*list) < MAX_CONSTANTS; i++) collect_constants(list, e->args[i]);
}

/* Collects up to MAX_CONSTANTS constants: first initial values, then constants that variables are set to, then those of constraints. */
static const Expr **constants_of(const Horn *h) {
    const Expr **list = NULL;
    for (size_t i = 0; i < horn_clauses(h); i++)
        if (!vec_len(horn_get(h, i)->body)) collect_constants(&list, horn_get(h, i)->constraint);
    for (size_t i = 0; i < horn_clauses(h); i++) {
        const Expr *head = horn_get(h, i)->head;
        for (unsigned k = 0; head && k < head->nargs; k++)
            if (expr_is_const(head->args[k])) collect_constants(&list, head->args[k]);
    }
    for (size_t i = 0; i < horn_clauses(h); i++) collect_constants(&list, horn_get(h, i)->constraint);
    return list;
}

/* Adds candidates for each predicate, over the arguments of its first atom in a body that has only symbols as arguments. */
static void find_candidates(Clauses *c) {
    const Horn *h = active(c);
    const Expr **constants = constants_of(h);
    Map *seen = map_new();
    for (size_t i = 0; i < horn_clauses(h); i++)
        vec_each(const Expr *, atom, horn_get(h, i)->body) {
            HoudiniFacts f = {.predicate = atom->symbol};
            if (map_find(seen, atom->symbol)) continue;
            for (unsigned k = 0; k < atom->nargs && atom->args[k]->op == OP_SYMBOL; k++) vec_push(f.arguments, atom->args[k]->symbol);
            if (vec_len(f.arguments) < atom->nargs) {
                vec_free(f.arguments);
                continue;
            }
            map_set(seen, atom->symbol, atom);
            houdini_candidates(horn_exprs(c->horn), &f, constants);
            vec_push(c->facts, f);
        }
    map_free(seen);
    vec_free(constants);
}

static const Expr *facts_of(const Clauses *c, const Expr *atom) {
    return houdini_formula(horn_exprs(c->horn), c->facts, vec_len(c->facts), atom);
}

static bool find_facts(Clauses *c, const ClausesPlan *p) {
    progress(p, "redcomp: simple inductive facts");
    Horn *h = active(c);
    find_candidates(c);
    if (!houdini(h, c->smt, c->facts, vec_len(c->facts), remaining(p) / 3, &c->solved_without_solver)) forget_facts(c);
    for (size_t i = 0; i < horn_clauses(h) && !c->solved_without_solver; i++)
        for (size_t b = 0; b < vec_len(horn_get(h, i)->body); b++) horn_strengthen(h, i, facts_of(c, horn_get(h, i)->body[b]));
    return c->solved_without_solver;
}

/* ---- the solver ---- */

/* Turns HORN_SOLVED into HORN_UNKNOWN if the solution is known to violate a clause. */
static HornAnswer checked(Clauses *c, HornAnswer a, SmtAnswer fails) {
    if (a != HORN_SOLVED || fails != SMT_SAT) return a;
    c->reason = MSG_ENGINE_HORN_WRONG;
    return HORN_UNKNOWN;
}

/* Runs the solver. Spacer defines some predicates wrongly that its preprocessing has inlined, so a solution that is not verified
   leads to a second run without preprocessing. */
static HornAnswer ask_solver(Clauses *c, const ClausesPlan *p, double seconds) {
    HornLimits limits = {.milliseconds = (unsigned)(seconds * 1000), .contexts = p->contexts};
    if (seconds < 0.01) return HORN_UNKNOWN;
    progress(p, "redcomp: solving Horn clauses");
    HornAnswer a = horn_solve(active(c), limits);
    SmtAnswer fails = a == HORN_SOLVED ? horn_check_solution(active(c), CLAUSE_MS) : SMT_UNKNOWN;
    if (a != HORN_SOLVED || fails == SMT_UNSAT || remaining(p) < 1) return checked(c, a, fails);
    progress(p, "redcomp: solving Horn clauses without preprocessing");
    limits.plain = true;
    limits.milliseconds = (unsigned)(remaining(p) * 1000);
    a = horn_solve(active(c), limits);
    return checked(c, a, a == HORN_SOLVED ? horn_check_solution(active(c), CLAUSE_MS) : SMT_UNKNOWN);
}

HornAnswer clauses_solve(Clauses *c, const ClausesPlan *p) {
    /* The solver finds most solutions within a second. Otherwise facts help, or suffice alone, as for loops with large bounds. */
    double first = remaining(p) / 8;
    c->reason = NULL;
    HornAnswer a = ask_solver(c, p, !p->use_houdini ? remaining(p) : first < 1.5 ? first : 1.5);
    if (a == HORN_UNKNOWN && p->use_houdini) a = find_facts(c, p) ? HORN_SOLVED : ask_solver(c, p, remaining(p));
    if (a == HORN_UNKNOWN && !c->reason) c->reason = horn_reason(active(c));
    return a;
}

size_t *clauses_refutation(const Clauses *c, double seconds) {
    size_t *list = seconds < 0.01 ? NULL : horn_refutation(active(c), (HornLimits){.milliseconds = (unsigned)(seconds * 1000)});
    for (size_t i = 0; i < vec_len(list) && c->split; i++) list[i] = split_origin(c->split, list[i]);
    return list;
}

/* Returns the solution for an atom of the active clauses. */
static const Expr *solution(const void *context, const Expr *atom) {
    const Clauses *c = context;
    Exprs *x = horn_exprs(c->horn);
    const Expr *e = c->zones ? zones_formula(c->zones, atom) : expr_bool(x, true);
    if (expr_is_false(e)) return e;
    e = expr_and(x, e, facts_of(c, atom));
    const Expr *rest = c->solved_without_solver ? expr_bool(x, true) : horn_solution(active(c), atom->symbol, atom->args);
    return rest ? expr_and(x, e, rest) : NULL;
}

const Expr *clauses_solution(const Clauses *c, const Expr *atom) {
    return c->split ? split_solution(c->split, atom, solution, c) : solution(c, atom);
}
