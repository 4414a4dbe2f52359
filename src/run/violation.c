/* SPDX-License-Identifier: Apache-2.0 */
#include "run/violation.h"

static const struct {
    const char *property, *word;
} outcomes[] = {
#define OUTCOME(name, property, word, text) [OUTCOME_##name] = {property, word},
#include "run/outcome.def"
#undef OUTCOME
};

const char *violation_property(Outcome o) { return outcomes[o].property; }
const char *violation_word(Outcome o) { return outcomes[o].word; }

bool violation_is_same(const Finding *a, const Finding *b) {
    if (a->outcome != b->outcome) return false;
    if (a->outcome == OUTCOME_DEADLOCK) return true; /* the places are where the last thread stopped */
    if (a->outcome != OUTCOME_RACE) return a->pc == b->pc;
    return (a->pc == b->pc && a->other_pc == b->other_pc) || (a->pc == b->other_pc && a->other_pc == b->pc);
}
