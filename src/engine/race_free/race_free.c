/* SPDX-License-Identifier: Apache-2.0 */
/* The static proof of race freedom. When races are made errors (passes/program/instrument_races.c), accesses that locks, creation and joins keep apart
   are left out, with the reason. If nothing is left to ask, that reason is the proof: check/race_free.c decides whether it is one. */
#include "engine/engine.h"

static Verdict *run(const EngineTask *task) {
    const Instrumented *a = task->asked;
    if (!a || task->question->known || a->refused || !a->idle || !a->apart || !a->whole)
        return verdict_unknown((Position){0}, "locks, creation and joins do not keep all accesses apart");
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_RACE_FREE;
    return v;
}

static bool supports(Property p) { return p == PROPERTY_NO_DATA_RACE; }

const Engine engine_race_free = {
    .name = "race-free",
    .summary = "orders accesses by locks, creation and joins; proves that there are no data races",
    .supports = supports,
    .errors = ERRORS_RACES,
    .run = run,
};
