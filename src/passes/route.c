/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/route.h"
#include "base/vec.h"
#include "passes/prepare.h"

Route route_new(const Program *p, const Question *q, PassSettings weak) {
    weak.question = q;
    return (Route){.program = p, .question = q, .settings = weak};
}

void route_free(Route *r) {
    if (r->has_plain) prepared_release(&r->plain);
    if (r->has_asked) prepared_release(&r->asked);
    *r = (Route){0};
}

static bool make(const Route *r, Prepared *chain, bool errors) {
    *chain = prepared_copy(r->program, r->settings);
    return passes_run(chain, &passes_weak, NULL) && (!errors || passes_run(chain, &passes_asking, NULL));
}

Prepared *route_chain(Route *r, bool errors) {
    Prepared *chain = errors ? &r->asked : &r->plain;
    bool *there = errors ? &r->has_asked : &r->has_plain, *refused = errors ? &r->asked_refused : &r->plain_refused;
    if (!*there) *refused = !make(r, chain, errors);
    *there = true;
    return *refused ? NULL : chain;
}

Verdict *route_refusal(const Route *r) {
    const Prepared *chain = r->plain_refused ? &r->plain : &r->asked;
    return verdict_unknown(prepared_position(r->program, chain->where), "%s", buf_string(&chain->why));
}
