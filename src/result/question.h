/* SPDX-License-Identifier: Apache-2.0 */
/* Defines what is asked of a program: a property, under which assumptions, and which violations are known already. */
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

/* The schedulers under which executions must end: any, or those that let a thread step that can step all the time. */
typedef enum Fairness { FAIR_NO, FAIR_WEAK } Fairness;

typedef struct Known Known;

/* Passed as `const Question *` to loading, passes, engines, checks and reports. Zero asks for unreach-call in all executions. */
typedef struct Question {
    Property property;
    unsigned parts;         /* of valid-memsafety (ir/step.h); 0: the usual ones */
    Fairness fair;          /* of termination */
    bool unwinds;           /* loops are followed for `unwind` rounds only */
    bool has_context_bound; /* executions have at most `context_bound` context switches */
    unsigned unwind, context_bound;
    bool no_static_race_check; /* of no-data-race: the engines decide every pair of accesses */
    bool certificate;          /* a proof must have obligations, if there can be one that has */
    unsigned others;           /* properties that the same run asks as well: bit p is property p */
    const Known *known;        /* violations that do not count any more; NULL: none */
} Question;

/* A set of faults: bit f is Fault f. */
typedef uint32_t Faults;
/* Returns the faults that are undefined behaviour of any kind; limits of the interpreter are not among them. */
Faults faults_all(void);
/* Returns the faults that violate the property; parts: those of valid-memsafety that are asked for. */
Faults property_faults(Property, unsigned parts);
/* Returns the part of valid-memsafety that a fault violates; 0: none of them alone. */
unsigned fault_part(Fault);
/* Tells whether the property is asked as whether an error is reachable, of the program or of one made from it. */
static inline bool property_is_reachability(Property p) { return p != PROPERTY_TERMINATION; }
static inline bool faults_have(Faults set, Fault f) { return f != FAULT_NONE && (set >> f & 1); }

/* Tells whether these parts of valid-memsafety are among those that are asked for. */
static inline bool question_has_parts(const Question *q, unsigned some) { return parts_have(q->parts, some); }
/* Tells whether mutexes and threads must be used as POSIX says: that is asked with all usual parts of valid-memsafety. */
bool question_forbids_misuse(const Question *);
/* Returns the rules by which an interpreter of the program finds violations. */
MachineRules question_rules(const Question *);
/* Properties and known violations are as many as there can be. */
bool question_valid(const Question *);
/* Tells whether another question of this run asks for the property. */
static inline bool question_asks_elsewhere(const Question *q, Property p) { return q->others >> p & 1; }
