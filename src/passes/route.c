/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the two chains of a route when they are first needed. */
#include "passes/route.h"
#include "passes/prepare.h"

Route route_new(const Program *p, const Question *q, PassSettings weak) {
    weak.question = q;
    return (Route){.program = p, .question = q, .settings = weak};
}

bool route_valid(const Route *r) {
    bool made = (r->plain.is_made || !r->plain.refused) && (r->errors.is_made || !r->errors.refused);
    return r->program && question_valid(r->question) && r->settings.question == r->question && made;
}

static RouteEnd *end_of(Route *r, bool errors) { return errors ? &r->errors : &r->plain; }

void route_free(Route *r) {
    for (int errors = 0; errors < 2; errors++) {
        chain_free(&end_of(r, errors)->common);
        chain_free(&end_of(r, errors)->chain);
    }
    *r = (Route){0};
}

static bool make_chain(const Route *r, Chain *chain, bool errors) {
    *chain = chain_new(r->program, r->settings);
    chain->settings.discharge = true;
    return passes_run(chain, &passes_weak, NULL) && (!errors || passes_run(chain, &passes_property, NULL));
}

Chain *route_chain(Route *r, bool errors) {
    ensure(route_valid(r));
    RouteEnd *end = end_of(r, errors);
    if (!end->is_made) end->refused = !make_chain(r, &end->chain, errors);
    end->is_made = true;
    return end->refused ? NULL : &end->chain;
}

void route_prepare(Route *r, bool errors, double until) {
    RouteEnd *end = end_of(r, errors);
    if (end->has_common || !route_chain(r, errors)) return;
    end->has_common = true;
    end->common = prepare_common(&end->chain, until);
}

const Omission *route_omissions(Route *r, bool errors) { return end_of(r, errors)->chain.omissions; }

Chain *route_common(Route *r, bool errors) { return &end_of(r, errors)->common; }

Verdict *route_refusal(const Route *r) {
    ensure(route_valid(r) && (r->plain.refused || r->errors.refused));
    const Chain *chain = r->plain.refused ? &r->plain.chain : &r->errors.chain;
    return verdict_unknown(chain_position(r->program, chain->where), "%s", buf_string(&chain->why));
}
