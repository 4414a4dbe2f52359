/* SPDX-License-Identifier: Apache-2.0 */
/* Instruments a program so that each violation of a property reaches an error location. The first locations and actions of the instrumented program
   are those of the original program, with the same numbers. */
#pragma once
#include "ir/program.h"
#include "result/known.h"
#include "result/race_proof.h"
#include "result/trace.h"

enum { NO_ACTION = ~0u };
/* AddedAction is an action that the instrumentation added. */
typedef struct AddedAction {
    unsigned template_, action;
    unsigned original; /* the action of the program that it stands for; NO_ACTION: it stands for no action */
    bool in_place;     /* in a trace, the original action keeps this step's place; otherwise it comes last */
    TraceEnd end;      /* how a trace with this action violates the property */
} AddedAction;

/* InstrumentedPlaces are the positions where violations become errors, and the text of these errors. */
typedef struct InstrumentedPlaces {
    bool (*has)(const void *context, Position);
    const void *context;
    const char *text;
} InstrumentedPlaces;

typedef struct Instrumented {
    Program *program;
    const Question *question; /* its known violations are not instrumented again */
    AddedAction *added;       /* a vec */
    TraceEnd end;             /* how its traces violate the property of the original program, unless an added action has its own `end` */
    const char *refused;      /* a literal: why the program cannot be instrumented; NULL: it was instrumented */
    Position where;           /* the position that `refused` describes */
    bool nothing_added;       /* nothing was added */
    RaceProof *race_proof;    /* why pairs of accesses that were not instrumented cannot race; NULL: all pairs were instrumented */
    bool models_all_code;     /* the race proof covers all code: no location is a STOP */
    Program *race_program;    /* the program that the race proof describes */
    const InstrumentedPlaces *only; /* NULL: everywhere */
} Instrumented;

/* These functions change the program. exclude: accesses that locks, creation and joins order are not instrumented. */
Instrumented instrument_races(Program *, const Question *, bool exclude); /* see instrument_races.c */
Instrumented instrument_faults(Program *, const Question *);              /* undefined arithmetic; see instrument_faults.c */
Instrumented instrument_memory(Program *, const Question *);              /* see instrument_memory.c */
enum { DESTROYED_MUTEX = 0xf0000000u };                                   /* the word of a destroyed mutex: kind 15 */
Instrumented instrument_waits(Program *);                                 /* see instrument_waits.c */
/* Turns undefined arithmetic and invalid accesses at these places into errors. */
void instrument_undefined(Program *, const InstrumentedPlaces *);
void add_fault_errors(Instrumented *);   /* the part of instrument_undefined for arithmetic */
void add_access_errors(Instrumented *);  /* the part of instrument_undefined for accesses */
void instrument_mutexes(Instrumented *); /* part of instrument_memory; see instrument_mutexes.c */
/* Returns the translation of traces to an error into traces of the original program. The Instrumented must outlive it. */
WayBack instrumented_way_back(Instrumented *);
enum { BEFORE_GUARD = ~0u };
/* Adds an action to a new location of the kind LOCATION_ERROR or LOCATION_STOP. The new action starts where the given action starts. It executes the
   first `before` instructions of the given action, and then `asks` (may be NULL), which may block it. BEFORE_GUARD: it executes no instruction, and
   the guard need not hold. text: the violation; for a STOP, the reason why it is not known whether there is a violation. */
void instrumented_add(Instrumented *, Template *, unsigned action, unsigned before, LocationKind, const char *text, const Instr *asks,
                      TraceEnd);
/* Records that an action was added, and the original action that it stands for (NO_ACTION: it stands for no action). */
void instrumented_record(Instrumented *, unsigned template_, unsigned action, unsigned original);
