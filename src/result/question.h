/* SPDX-License-Identifier: Apache-2.0 */
/* Defines questions about a program: a property, its parts and fairness, bounds, and known violations. */
#pragma once
#include "ir/step.h"

typedef enum Property {
    PROPERTY_UNREACH_CALL,
    PROPERTY_NO_DATA_RACE,
    PROPERTY_NO_DEADLOCK,
    PROPERTY_VALID_MEMSAFETY,
    PROPERTY_NO_OVERFLOW,
    PROPERTY_TERMINATION
} Property;
enum { NPROPERTIES = PROPERTY_TERMINATION + 1 };

/* The schedulers under which executions must end: any, or weakly fair ones, under which a thread that stays enabled eventually runs. */
typedef enum Fairness { FAIR_NO, FAIR_WEAK } Fairness;

typedef struct Known Known;

/* Passed as `const Question *` to loading, passes, engines, checks and reports. Zero asks for unreach-call in all executions. */
typedef struct Question {
    Property property;
    unsigned parts;         /* parts of valid-memsafety (ir/step.h); 0: the usual ones */
    Fairness fair;          /* termination: the allowed schedulers */
    bool unwinds;           /* loops run for at most `unwind` rounds */
    bool has_context_bound; /* executions have at most `context_bound` context switches */
    unsigned unwind, context_bound;
    bool no_static_race_check; /* no-data-race: the engines decide every pair of accesses */
    bool certificate;          /* a proof with obligations is preferred to a visit of all states */
    unsigned others;           /* the other properties of the run: bit p is property p */
    const Known *known;        /* known violations, which do not count; may be NULL */
} Question;

/* A set of faults: bit f is Fault f. */
typedef uint32_t Faults;
/* Returns the faults that are undefined behaviour of any kind; limits of the interpreter are not among them. */
Faults faults_all(void);
/* Returns the faults that violate the property. `parts`: the requested parts of valid-memsafety. */
Faults property_faults(Property, unsigned parts);
/* Returns the part of valid-memsafety that a fault violates; 0 if it violates no single part. */
unsigned fault_part(Fault);
/* Tells whether the property is decided as reachability of an error, in the program or in an instrumented program. */
static inline bool property_is_reachability(Property p) { return p != PROPERTY_TERMINATION; }
static inline bool faults_have(Faults set, Fault f) { return f != FAULT_NONE && (set >> f & 1); }

/* Tells whether the question includes these parts of valid-memsafety. */
static inline bool question_has_parts(const Question *q, unsigned some) { return parts_have(q->parts, some); }
/* Tells whether misuse of mutexes and threads (by POSIX) is a violation: this belongs to valid-memsafety with all of its usual parts. */
bool question_forbids_misuse(const Question *);
/* Returns the rules by which an interpreter of the program finds violations. */
MachineRules question_rules(const Question *);
/* Tells whether all members are in their ranges. */
bool question_valid(const Question *);
/* Tells whether another question of this run has the property. */
static inline bool question_asks_elsewhere(const Question *q, Property p) { return q->others >> p & 1; }
