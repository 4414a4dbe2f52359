/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `race-free` answers the static race check. The pass that instruments races (passes/program/instrument_races.c) leaves out accesses that
   locks, creation and joins order, and records the reason as a RaceProof. If no access remains, this reason proves that there are no data races;
   check/race_free.c checks it. Otherwise the engine answers UNKNOWN. */
#include "engine/engine.h"
#include "engine/messages.h"

static Verdict *run(const EngineTask *task) {
    const Instrumented *a = task->instrumented;
    if (!a || task->question->known || a->refused || !a->nothing_added || !a->race_proof || !a->models_all_code)
        return verdict_unknown((Position){0}, MSG_ENGINE_RACE_FREE_NOT);
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
