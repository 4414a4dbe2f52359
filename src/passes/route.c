/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/route.h"
#include "passes/prepare.h"

Route route_new(const Program *p, const Question *q, PassSettings weak) {
    weak.question = q;
    return (Route){.program = p, .question = q, .settings = weak};
}

bool route_valid(const Route *r) {
    bool made = (r->has_plain || !r->plain_refused) && (r->has_asked || !r->asked_refused);
    return r->program && question_valid(r->question) && r->settings.question == r->question && made;
}

void route_free(Route *r) {
    if (r->has_plain) chain_free(&r->plain);
    if (r->has_asked) chain_free(&r->asked);
    *r = (Route){0};
}

static bool make(const Route *r, Chain *chain, bool errors) {
    *chain = chain_new(r->program, r->settings);
    return passes_run(chain, &passes_weak, NULL) && (!errors || passes_run(chain, &passes_asking, NULL));
}

Chain *route_chain(Route *r, bool errors) {
    ensure(route_valid(r));
    Chain *chain = errors ? &r->asked : &r->plain;
    bool *there = errors ? &r->has_asked : &r->has_plain, *refused = errors ? &r->asked_refused : &r->plain_refused;
    if (!*there) *refused = !make(r, chain, errors);
    *there = true;
    return *refused ? NULL : chain;
}

Verdict *route_refusal(const Route *r) {
    ensure(route_valid(r) && (r->plain_refused || r->asked_refused));
    const Chain *chain = r->plain_refused ? &r->plain : &r->asked;
    return verdict_unknown(chain_position(r->program, chain->where), "%s", buf_string(&chain->why));
}
