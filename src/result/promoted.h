/* SPDX-License-Identifier: Apache-2.0 */
/* Describes how the pass `promote` replaced an object, for the check of its omission. */
#pragma once
#include "ir/program.h"

/* Replaces bytes of an object by a variable. In an object that no code can write, it replaces them by a constant, and the variable is NULL. */
typedef struct PromotedCell {
    const Object *object;
    uint64_t offset, size;
    Variable *variable;
} PromotedCell;
