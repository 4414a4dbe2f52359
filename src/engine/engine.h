/* SPDX-License-Identifier: Apache-2.0 */
/* An engine: program in, verdict with witness out. Engines never print, never read options from the command line,
   never include each other. */
#ifndef HEDDLE_ENGINE_ENGINE_H
#define HEDDLE_ENGINE_ENGINE_H
#include "base/stats.h"
#include "passes/passes.h"
#include "verdict/verdict.h"

typedef enum Property {
    PROPERTY_UNREACH_CALL,
    PROPERTY_NO_DATA_RACE,
    PROPERTY_NO_DEADLOCK,
    PROPERTY_VALID_MEMSAFETY,
    PROPERTY_NO_OVERFLOW,
    PROPERTY_TERMINATION
} Property;

typedef struct Budget {
    double seconds;  /* wall clock, from the engine's start */
    uint64_t memory; /* bytes */
    const volatile double *more; /* seconds that others leave to it while it runs; NULL: none */
} Budget;

/* Which letters the engine weave lets commute: in one direction, given the assertions that hold. */
typedef enum Commutations { COMMUTE_BOTH, COMMUTE_NONE, COMMUTE_SEMI, COMMUTE_IN_CONTEXT } Commutations;

typedef enum ImpactPor { IMPACT_POR_SLEEP, IMPACT_POR_NONE, IMPACT_POR_STATIC, IMPACT_POR_MONOTONIC } ImpactPor;

/* Of the engine impact; zero is what is best. */
typedef struct ImpactOptions {
    ImpactPor por;
    bool no_force_cover;
    bool no_constants; /* vectors have none, but who runs */
    bool few_switches; /* unfold nodes with few switches of threads first, rather than the newest */
} ImpactOptions;

typedef struct EngineTask {
    const Program *program;
    Property property;
    Budget budget;
    uint64_t seed;
    Arithmetic arithmetic; /* ARITHMETIC_AUTO, INTEGERS (of the kind the engine likes) or BITVECTORS */
    bool no_reduction; /* other threads may run everywhere: for comparison */
    bool fine_steps;   /* no two actions are one transition beforehand: for tests */
    Commutations commutation;
    const char *order; /* of the engine weave; NULL: auto */
    ImpactOptions impact;
    bool glance;       /* explicit: only until an assertion is reached (Stats.judged); there is a proof already */
    bool bounded;      /* engine explicit: only executions of so many context switches */
    unsigned switches;
    bool obligations;  /* a proof that has none to be checked is not enough, if there can be another */
    const char *rule;  /* engine redcomp: the proof rule's name; NULL: those that are quick, in turn */
    /* Called a few times a second with one short line; NULL when nobody watches. */
    void (*progress)(void *context, const char *line);
    void *context;
    Stats *stats;
} EngineTask;

typedef struct Engine {
    const char *name, *summary;
    bool (*supports)(Property);
    Verdict *(*run)(const EngineTask *);
    PassSettings (*settings)(const EngineTask *); /* with which it first prepares programs */
} Engine;

extern const Engine engine_explicit, engine_redcomp, engine_impact, engine_weave;

#endif
