/* SPDX-License-Identifier: Apache-2.0 */
#include "result/question.h"
#include "ir/program.h"
#include "result/known.h"

#define BIT(fault) (1u << FAULT_##fault)
#define DEREF (BIT(NULL) | BIT(BOUNDS) | BIT(FREED) | BIT(SCOPE) | BIT(READONLY) | BIT(CALL))
#define MISUSES                                                                                                                \
    (BIT(THREAD) | BIT(UNLOCK) | BIT(MUTEX) | BIT(DESTROYED) | BIT(HELD) | BIT(AGAIN) | BIT(AWAITED) | BIT(GONE) | BIT(COPY) | \
     BIT(RWLOCK) | BIT(SELF) | BIT(LIFE))
#define FREES (BIT(FREE) | BIT(TWICE))

Faults faults_all(void) { return ((1u << FAULT_COUNT) - 1) & ~(BIT(NONE) | BIT(RANGE) | BIT(RESOURCE)); }

unsigned fault_part(Fault f) { return faults_have(DEREF, f) ? PART_DEREF : faults_have(FREES, f) ? PART_FREE : 0; }

static Faults memory_faults(unsigned parts) {
    if (!parts || (parts & PARTS_USUAL) == PARTS_USUAL) return DEREF | FREES | MISUSES;
    return (parts & PART_DEREF ? DEREF : 0) | (parts & PART_FREE ? FREES : 0);
}

Faults property_faults(Property p, unsigned parts) {
    switch (p) {
    case PROPERTY_NO_OVERFLOW: return BIT(OVERFLOW) | BIT(DIVISION) | BIT(SHIFT);
    case PROPERTY_VALID_MEMSAFETY: return memory_faults(parts);
    default: return 0;
    }
}

bool question_forbids_misuse(const Question *q) {
    return q->property == PROPERTY_VALID_MEMSAFETY && (!q->parts || (q->parts & PARTS_USUAL) == PARTS_USUAL);
}

bool question_valid(const Question *q) {
    return (int)q->property < NPROPERTIES && !(q->others >> NPROPERTIES) && q->fair <= FAIR_WEAK && (!q->known || known_valid(q->known));
}

MachineRules question_rules(const Question *q) { return (MachineRules){question_forbids_misuse(q), q->parts}; }
