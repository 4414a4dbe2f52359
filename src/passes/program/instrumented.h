/* SPDX-License-Identifier: Apache-2.0 */
/* A property asked as whether an error is reachable, in a program made from the one that is meant: its first locations and actions are those of that program,
   with their numbers. */
#pragma once
#include "ir/program.h"
#include "result/known.h"
#include "result/race_proof.h"
#include "result/trace.h"

enum { NO_ACTION = ~0u };
/* An action that is none of the program's, and the one that it stands for; NO_ACTION: for none. */
typedef struct AddedAction {
    unsigned template_, action, original;
    bool in_place; /* … where it is taken. Otherwise at the end */
    TraceEnd end;  /* how a trace violates the property that takes it */
} AddedAction;

/* Where it is asked, and what an error says that is there. */
typedef struct InstrumentedPlaces {
    bool (*has)(const void *context, Position);
    const void *context;
    const char *text;
} InstrumentedPlaces;

typedef struct Instrumented {
    Program *program;
    const Question *question; /* its known violations are not asked again */
    AddedAction *extra;       /* a vec */
    TraceEnd end;             /* how its traces violate the property of the program that is meant */
    const char *refused;      /* a literal: why it cannot be asked; NULL: it can */
    Position where;
    bool idle;                      /* nothing was added */
    RaceProof *apart;               /* of races: why what was not asked cannot be one; NULL: nothing was left out */
    bool whole;                     /* … and there is nothing that is not modelled */
    Program *threads;               /* what that speaks of */
    const InstrumentedPlaces *only; /* NULL: everywhere */
} Instrumented;

/* The program is changed. exclude: what locks, creation and joins keep apart is not asked. */
Instrumented instrument_races(Program *, const Question *, bool exclude); /* see instrument_races.c */
Instrumented instrument_faults(Program *, const Question *);              /* of arithmetic; see instrument_faults.c */
Instrumented instrument_memory(Program *, const Question *);              /* see instrument_memory.c */
enum { DESTROYED_MUTEX = 0xf0000000u };                                   /* kind 15 */
Instrumented instrument_waits(Program *);                                 /* see instrument_waits.c */
/* Undefined arithmetic and invalid accesses at these places become errors of the program. */
void ask_undefined(Program *, const InstrumentedPlaces *);
void ask_faults_of(Instrumented *); /* parts of this */
void ask_accesses_of(Instrumented *);
void instrument_mutexes(Instrumented *); /* part of instrument_memory; see instrument_mutexes.c */
/* From traces to an error to those of the program that is meant. */
WayBack instrumented_way_back(Instrumented *);
enum { BEFORE_GUARD = ~0u };
/* There is an error (or a stop: it cannot be said whether there is one) at this action of the template, after `before` of its instructions and where
   `asks`, if it is not NULL, lets it go on. BEFORE_GUARD: its guard need not hold. */
void instrumented_add(Instrumented *, Template *, unsigned action, unsigned before, LocationKind, const char *text, const Instr *asks,
                      TraceEnd);
void instrumented_note(Instrumented *, unsigned template_, unsigned action, unsigned original);
