/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the interface of engines. An engine gets a program with a question, and returns a verdict with its witness.

   An engine does not print, does not read the command line, and does not include another engine. */
#pragma once
#include "base/stats.h"
#include "passes/passes.h"
#include "result/question.h"
#include "result/verdict.h"

typedef struct Budget {
    double seconds;                       /* wall clock, from the engine's start */
    uint64_t memory;                      /* bytes */
    const volatile double *extra_seconds; /* further seconds, which grow while the engine runs, as other engines end early; NULL: none */
} Budget;

/* ---- options of engines (options.def); zero is the default of each ---- */

typedef enum YesNo { SETTING_YES, SETTING_NO } YesNo;

/* The reduction of interleavings. With REDUCTION_YES, other threads run only between reducible blocks; with all other values, they run
   everywhere. The engine weave then lets steps commute never (NO), in one direction (SEMI), where the present assertions imply that they
   commute (CONTEXT), or in both of these ways (BOTH). With REDUCTION_YES, weave uses both ways. */
typedef enum ReductionKind { REDUCTION_YES, REDUCTION_NO, REDUCTION_SEMI, REDUCTION_CONTEXT, REDUCTION_BOTH } ReductionKind;

typedef enum HornRule { HORN_AUTO, HORN_PRODUCT, HORN_MODULAR, HORN_PAIRS, HORN_REDSAFETY, HORN_REACHENV, HORN_ROUNDS } HornRule;
typedef enum ImpactPor { IMPACT_POR_SLEEP, IMPACT_POR_NONE, IMPACT_POR_STATIC, IMPACT_POR_MONOTONIC } ImpactPor;
typedef enum ImpactOrder { IMPACT_DEPTH, IMPACT_SWITCHES } ImpactOrder;
typedef enum ThreaderBias { BIAS_MODULAR, BIAS_NONE } ThreaderBias;
typedef enum ThreaderStart { START_FRAMES, START_EMPTY } ThreaderStart;

typedef struct EngineOptions {
#define TEXT(field, letter, argument, value, help) const char *field; /* NULL: the default */
#define CHOICE(field, type, letter, value, help, ...) type field;
#include "engine/options.def"
#undef TEXT
#undef CHOICE
} EngineOptions;

/* ---- a task ---- */

/* Sets of properties, for Engine.errors. */
enum {
    ERRORS_RACES = 1 << PROPERTY_NO_DATA_RACE,
    ERRORS_ALL = ERRORS_RACES | 1 << PROPERTY_NO_DEADLOCK | 1 << PROPERTY_VALID_MEMSAFETY | 1 << PROPERTY_NO_OVERFLOW
};

typedef struct EngineTask {
    const Program *program;
    const Instrumented *instrumented; /* how violations of the property became errors of the program; NULL if they did not */
    Chain *common_passes;             /* the passes that all systems of the program share (prepare_common), or NULL */
    const Question *question;
    Budget budget;
    EngineOptions options;
    uint64_t seed;
    bool fine_steps; /* for tests: each transition is one action */
    bool
        searches_assertion; /* engine explicit: search only until an execution reaches an assertion (Stats.judged); a proof exists already */
    bool simulates_only;    /* engine explicit: try only random executions, do not search all states */
    uint64_t
        claimed_states; /* engine explicit: check the claim of another run that it visited this number of states; 0: there is no claim */
    /* Called a few times a second with one short line; NULL: no progress is shown. */
    void (*progress)(void *context, const char *line);
    void *context;
    Stats *stats;
} EngineTask;

/* Intermediate results that an engine can print. */
typedef enum EngineView { VIEW_BLOCKS, VIEW_CLAUSES } EngineView;

typedef struct Engine {
    const char *name, *summary;
    bool (*supports)(Property);
    MemoryModel memory; /* the memory model of its programs */
    unsigned errors;    /* the properties whose violations must be error locations of its program: bit p is property p */
    Verdict *(*run)(const EngineTask *);
    PassSettings (*settings)(const EngineTask *);        /* the settings of its first system; NULL: it makes no system */
    void (*show)(const EngineTask *, EngineView, Buf *); /* prints an intermediate result; NULL: it has none */
    bool systems;                                        /* it works on a system of the program */
} Engine;

extern const Engine engine_explicit, engine_redcomp, engine_impact, engine_weave, engine_threader, engine_order, engine_rc11,
    engine_race_free, engine_unordered; /* engine_unordered is for programs with weak atomics, and only strategy/lemmas.c runs it */

/* True if proofs by invariants of the property are about the program in which its violations are errors. */
static inline bool proof_needs_errors(Property p) { return (unsigned)ERRORS_ALL >> p & 1; }
/* True if violations of the property must be error locations of the program that the engine gets. */
static inline bool engine_needs_errors(const Engine *e, Property p) { return e->errors >> p & 1; }
