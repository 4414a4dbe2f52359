/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the programs that the engines of a plan work on: one for engines that know what violates the property, and one in which
   violations are errors. Both are chains from the same program; the chains bring traces back to it. */
#pragma once
#include "passes/passes.h"
#include "result/verdict.h"

/* Chains are made when they are first wanted. */
typedef struct RouteEnd {
    Chain chain, common; /* common: what systems of the chain's program have in common (prepare.h) */
    bool there, refused; /* refused: memory cannot be brought into this form, or the property not be asked as errors: chain.why says why */
    bool has_common;
} RouteEnd;

typedef struct Route {
    const Program *program; /* that the question is about */
    const Question *question;
    PassSettings settings; /* of weak memory; its depth is that of `plain` */
    RouteEnd plain, asked;
} Route;

/* The program, question and settings must outlive the route. */
Route route_new(const Program *, const Question *, PassSettings weak);
bool route_valid(const Route *); /* there is a chain where one was refused */
void route_free(Route *);
/* Returns the chain whose program the engine gets; errors: violations are to be errors there. NULL: there is none, route_refusal says why. */
Chain *route_chain(Route *, bool errors);
/* Makes in this process, if it was not done before, what systems of the program have in common: processes that are forked later have it. */
void route_prepare(Route *, bool errors, double until);
/* Returns that, which the caller may take (prepare.h). */
Chain *route_common(Route *, bool errors);
/* UNKNOWN, with the reason why there is no chain. */
Verdict *route_refusal(const Route *);
