/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/question.h"

#define BIT(fault) (1u << FAULT_##fault)

Faults faults_all(void) { return ((1u << FAULT_COUNT) - 1) & ~(BIT(NONE) | BIT(RANGE) | BIT(RESOURCE)); }

Faults property_faults(Property p) {
    switch (p) {
    case PROPERTY_NO_OVERFLOW: return BIT(OVERFLOW) | BIT(DIVISION) | BIT(SHIFT);
    case PROPERTY_VALID_MEMSAFETY:
        return BIT(NULL) | BIT(BOUNDS) | BIT(FREED) | BIT(SCOPE) | BIT(FREE) | BIT(READONLY) | BIT(CALL) | BIT(THREAD) | BIT(UNLOCK) |
               BIT(MUTEX) | BIT(DESTROYED);
    default: return 0;
    }
}
