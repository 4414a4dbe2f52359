/* SPDX-License-Identifier: Apache-2.0 */
/* An engine: program in, verdict with witness out. Engines never print, never read options from the command line,
   never include each other. */
#pragma once
#include "base/stats.h"
#include "passes/passes.h"
#include "result/question.h"
#include "result/verdict.h"

typedef struct Budget {
    double seconds;              /* wall clock, from the engine's start */
    uint64_t memory;             /* bytes */
    const volatile double *more; /* seconds that others leave to it while it runs; NULL: none */
} Budget;

/* ---- what engines can be asked for (options.def); zero is what is best ---- */

typedef enum YesNo { YES, NO } YesNo;

/* Do other threads run only between reducible blocks? If not, which letters does the engine weave let commute: none, or in one direction
   (SEMI), given the assertions that hold (CONTEXT), both ways? With blocks it is both. */
typedef enum Reducing { REDUCTION_YES, REDUCTION_NO, REDUCTION_SEMI, REDUCTION_CONTEXT, REDUCTION_BOTH } Reducing;

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

/* The properties whose violations become errors for an engine that looks for errors. */
enum {
    ERRORS_RACES = 1 << PROPERTY_NO_DATA_RACE,
    ERRORS_ALL = ERRORS_RACES | 1 << PROPERTY_NO_DEADLOCK | 1 << PROPERTY_VALID_MEMSAFETY | 1 << PROPERTY_NO_OVERFLOW
};

typedef struct EngineTask {
    const Program *program;
    const Instrumented *asked; /* how the property became errors of the program, if it did */
    Chain *common;             /* what systems of the program have in common (passes/prepare.h); NULL: it is not there */
    const Question *question;
    Budget budget;
    EngineOptions options;
    uint64_t seed;
    bool fine_steps;  /* no two actions are one transition beforehand: for tests */
    bool glance;      /* explicit: only until an assertion is reached (Stats.judged); there is a proof already */
    bool hunts;       /* engine explicit: only executions at random, no search of all states */
    uint64_t claimed; /* engine explicit: so many states were visited, it is said: that is checked; 0: nothing was */
    /* Called a few times a second with one short line; NULL when nobody watches. */
    void (*progress)(void *context, const char *line);
    void *context;
    Stats *stats;
} EngineTask;

/* What an engine can show of its way to a verdict. */
typedef enum EngineView { VIEW_BLOCKS, VIEW_CLAUSES } EngineView;

typedef struct Engine {
    const char *name, *summary;
    bool (*supports)(Property);
    MemoryModel memory; /* of the programs that it takes */
    unsigned errors;    /* the properties whose violations must be errors of its program: bit p is property p */
    Verdict *(*run)(const EngineTask *);
    PassSettings (*settings)(const EngineTask *);        /* with which it first prepares programs; NULL: it does not */
    void (*show)(const EngineTask *, EngineView, Buf *); /* NULL: nothing */
    bool systems;                                        /* it works on a system of the program */
} Engine;

extern const Engine engine_explicit, engine_redcomp, engine_impact, engine_weave, engine_threader, engine_order, engine_rc11,
    engine_race_free, engine_unordered; /* for programs with weak atomics, by strategy/lemmas.c alone */

/* Tells whether violations of the property must be errors of the program that the engine gets. */
static inline bool engine_needs_errors(const Engine *e, Property p) { return e->errors >> p & 1; }
