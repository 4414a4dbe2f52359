/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a program, and how an execution can answer it badly. */
#ifndef HEDDLE_RESULT_QUESTION_H
#define HEDDLE_RESULT_QUESTION_H
#include "expr/expr.h"

typedef enum Property {
    PROPERTY_UNREACH_CALL,
    PROPERTY_NO_DATA_RACE,
    PROPERTY_NO_DEADLOCK,
    PROPERTY_VALID_MEMSAFETY,
    PROPERTY_NO_OVERFLOW,
    PROPERTY_TERMINATION
} Property;
enum { NPROPERTIES = PROPERTY_TERMINATION + 1 };

/* A set of faults: bit f is Fault f. */
typedef uint32_t Faults;
/* Undefined behaviour of any kind; not the limits of the interpreter. */
Faults faults_all(void);
/* Which faults violate the property; parts: of valid-memsafety, these (ir/program.h); 0: the usual ones. */
Faults property_faults(Property, unsigned parts);
/* The part of valid-memsafety that a fault violates; 0: none of them alone. */
unsigned fault_part(Fault);
/* It is asked as whether an error is reachable, of the program or of one made from it. */
static inline bool property_is_reachability(Property p) { return p != PROPERTY_TERMINATION; }
static inline bool faults_have(Faults set, Fault f) { return f != FAULT_NONE && (set >> f & 1); }

#endif
