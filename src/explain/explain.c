/* SPDX-License-Identifier: Apache-2.0 */
/* Assumptions come from the program's approximations. Advice depends on the reason of UNKNOWN. */
#include "explain/explain.h"
#include "explain/messages.h"
#include "ir/asserts.h"

/* ---- functions without a body ---- */

/* True if some location stops with this approximation, so that an execution may reach it. */
static bool is_in_use(const Program *p, unsigned approximation) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t l = 0; l < vec_len(p->templates[t]->locations); l++)
            if (p->templates[t]->locations[l].kind == LOCATION_STOP && p->templates[t]->locations[l].approximation == approximation)
                return true;
    return false;
}

static bool has_function(const Approximation *const *list, const char *function) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i]->function == function) return true;
    return false;
}

/* Returns the approximations of the kind that name a function, one for each function, as a vec. */
static const Approximation **functions_of(const Program *p, ApproximationKind kind) {
    const Approximation **list = NULL;
    for (unsigned i = 0; i < vec_len(p->approximations); i++) {
        const Approximation *a = &p->approximations[i];
        if (a->kind != kind || !a->function || has_function(list, a->function)) continue;
        if (kind == APPROX_ASSUMED || is_in_use(p, i)) vec_push(list, a);
    }
    return list;
}

static void put_names(Buf *out, const Approximation *const *list, const char *between, bool places) {
    for (size_t i = 0; i < vec_len(list); i++) {
        Position at = list[i]->position;
        buf_printf(out, "%s%s", i ? between : "", list[i]->function);
        if (places && at.file) buf_printf(out, " (%s:%u:%u)", at.file, at.line, at.column);
    }
}

void explain_assumed(Buf *out, const Program *p) {
    const Approximation **list = functions_of(p, APPROX_ASSUMED);
    if (vec_len(list)) {
        buf_printf(out, MSG_EXPLAIN_ASSUMING, out->length ? ", " : "");
        put_names(out, list, ", ", false);
        buf_text(out, vec_len(list) == 1 ? MSG_EXPLAIN_HAS_NO_EFFECT : MSG_EXPLAIN_HAVE_NO_EFFECT);
    }
    vec_free(list);
}

/* Lists functions without a body. Returns false if the program has no such function. */
static bool note_functions(Verdict *v, const Program *p) {
    const Approximation **list = functions_of(p, APPROX_UNSUPPORTED);
    Buf places = {0}, names = {0};
    bool one = vec_len(list) == 1;
    put_names(&places, list, ", ", true);
    put_names(&names, list, ",", false);
    if (vec_len(list)) {
        verdict_note(v, MSG_EXPLAIN_NO_BODY, one ? "this function" : "these functions", buf_string(&places));
        verdict_note(v, MSG_EXPLAIN_ADD_FILE, one ? "it" : "them", one ? "a stub" : "stubs", one ? "it has" : "they have",
                     buf_string(&names));
    }
    bool some = vec_len(list);
    vec_free(list);
    buf_free(&places);
    buf_free(&names);
    return some;
}

bool explain_lists(const Program *p, const Verdict *v) {
    for (size_t i = 0; i < vec_len(p->approximations) && v->cause == REASON_OMITTED; i++) {
        const Approximation *a = &p->approximations[i];
        Position at = a->position;
        if (a->kind == APPROX_UNSUPPORTED && a->function && at.file == v->position.file && at.line == v->position.line &&
            at.column == v->position.column)
            return true;
    }
    return false;
}

/* ---- all ---- */

static void warn_of_rest(Verdict *v, const Program *p) {
    vec_each_at(const Approximation, a, p->approximations) {
        if (a->kind != APPROX_ASSUMED || a->function) continue;
        if (a->position.file) verdict_warn(v, MSG_EXPLAIN_ASSUMPTION_AT, a->position.file, a->position.line, a->position.column, a->text);
        else verdict_warn(v, MSG_EXPLAIN_ASSUMPTION, a->text);
    }
}

/* Warns that calls of functions without a body were assumed to terminate. */
static void warn_of_returns(Verdict *v, const Program *p) {
    const Approximation **list = NULL;
    Buf names = {0};
    vec_each_at(const Approximation, a, p->approximations)
        if (a->function && (a->kind == APPROX_OVER || a->kind == APPROX_ASSUMED) && !has_function(list, a->function)) vec_push(list, a);
    put_names(&names, list, ", ", false);
    if (vec_len(list)) verdict_warn(v, MSG_EXPLAIN_RETURNS, buf_string(&names));
    buf_free(&names);
    vec_free(list);
}

/* Adds advice on how the user may get an answer. */
static void note_what_to_try(Verdict *v, bool all_engines) {
    switch (v->cause) {
    case REASON_LIMIT: verdict_note(v, MSG_EXPLAIN_TRY_LIMIT); break;
    case REASON_THREADS: verdict_note(v, MSG_EXPLAIN_TRY_THREADS); break;
    case REASON_INPUTS: verdict_note(v, MSG_EXPLAIN_TRY_INPUTS); break;
    case REASON_REFUSED: verdict_note(v, MSG_EXPLAIN_TRY_FORM, all_engines ? "" : MSG_EXPLAIN_TRY_FORM_ENGINES); break;
    case REASON_WEAK: verdict_note(v, MSG_EXPLAIN_TRY_ORDER); break;
    case REASON_BUFFER_BOUND: verdict_note(v, MSG_EXPLAIN_TRY_FENCE); break;
    case REASON_OMITTED: verdict_note(v, MSG_EXPLAIN_TRY_STUB); break;
    case REASON_ASSUMED: verdict_note(v, MSG_EXPLAIN_TRY_ASSUMPTION); break;
    case REASON_OTHER: verdict_note(v, MSG_EXPLAIN_TRY_TIME, all_engines ? "" : MSG_EXPLAIN_TRY_ALL_ENGINES); break;
    }
}

void explain_fairness(Verdict *v, bool fair, VerdictKind weak) {
    if (v->kind == VERDICT_SAFE && fair) verdict_warn(v, MSG_EXPLAIN_FAIR_ONLY);
    if (v->kind != VERDICT_UNSAFE || fair) return;
    if (weak == VERDICT_SAFE) verdict_note(v, MSG_EXPLAIN_ENDS_IF_FAIR);
    else if (weak == VERDICT_UNSAFE) verdict_note(v, MSG_EXPLAIN_ENDLESS_IF_FAIR);
    else verdict_note(v, MSG_EXPLAIN_ANY_SCHEDULER);
}

void explain(Verdict *v, const Program *p, bool asserts, Property property, bool all_engines) {
    bool unknown = v->kind == VERDICT_UNKNOWN, listed = unknown && note_functions(v, p);
    if (unknown && !(listed && v->cause == REASON_OMITTED)) note_what_to_try(v, all_engines);
    if (v->kind != VERDICT_SAFE) return;
    if (property == PROPERTY_UNREACH_CALL && !program_has(p, LOCATION_ERROR))
        verdict_warn(v, asserts ? MSG_EXPLAIN_NO_ASSERTION_LEFT : MSG_EXPLAIN_NO_ASSERTION);
    if (property == PROPERTY_TERMINATION) warn_of_returns(v, p);
    warn_of_rest(v, p);
}
