/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the programs for the engines of a plan: one for engines that know what violates the property, and one in which violations are
   errors. Each is a chain from the same program, and translates traces back to it. */
#pragma once
#include "passes/passes.h"
#include "result/verdict.h"

/* One of the two chains. A chain is made when it is first needed. */
typedef struct RouteEnd {
    Chain chain, common;   /* common: the result of prepare_common for the chain */
    bool is_made, refused; /* refused: a pass refused, for the reason in chain.why */
    bool has_common;
} RouteEnd;

typedef struct Route {
    const Program *program; /* the program of the question */
    const Question *question;
    PassSettings settings; /* the form of weak memory */
    RouteEnd plain, errors;
} Route;

/* Returns a route without chains. The route keeps the pointers, so they must outlive it. */
Route route_new(const Program *, const Question *, PassSettings weak);
bool route_valid(const Route *); /* true if only chains that were made are refused */
void route_free(Route *);
/* Returns the chain whose program the engine gets, or NULL if a pass refused (route_refusal has the reason). errors: true for the chain in
   which violations are errors. */
Chain *route_chain(Route *, bool errors);
/* Returns what the passes of the chain left out: a vec of the chain. The vec is empty if the chain was not made. */
const Omission *route_omissions(Route *, bool errors);
/* Runs prepare_common for the chain, unless this process did so before. Processes that are forked afterwards share the result. */
void route_prepare(Route *, bool errors, double until);
/* Returns the result of route_prepare, which the caller may pass to `prepare`. The result has no program if route_prepare was not called or
   failed. */
Chain *route_common(Route *, bool errors);
/* Returns UNKNOWN with the reason why a pass refused. Some chain must have been refused. */
Verdict *route_refusal(const Route *);
