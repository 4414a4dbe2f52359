/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the programs that the engines of a plan work on: one for engines that know what violates the property, and one in which
   violations are errors. Both are chains from the same program; the chains bring traces back to it. */
#pragma once
#include "passes/passes.h"
#include "result/verdict.h"

typedef struct Route {
    const Program *program; /* that the question is about */
    const Question *question;
    PassSettings settings; /* of weak memory; its depth is that of `plain` */
    Chain plain, asked;
    bool has_plain, has_asked; /* they are made when they are first wanted */
    bool plain_refused;        /* memory cannot be brought into this form: plain.why says why */
    bool asked_refused;        /* the property cannot be asked as errors: asked.why says why */
} Route;

/* The program, question and settings must outlive the route. */
Route route_new(const Program *, const Question *, PassSettings weak);
bool route_valid(const Route *); /* there is a chain where one was refused */
void route_free(Route *);
/* Returns the chain whose program the engine gets; errors: violations are to be errors there. NULL: there is none, route_refusal says why. */
Chain *route_chain(Route *, bool errors);
/* UNKNOWN, with the reason why there is no chain. */
Verdict *route_refusal(const Route *);
