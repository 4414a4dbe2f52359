/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses in terms of variables that have not changed since: what was copied or computed from others is written out, so that two addresses that are
   certainly the same are the same expression. */
#pragma once
#include "ir/program.h"

/* By global: no thread but main ever sees it change: main assigns it before it creates any. A vec. */
bool *frozen_globals(const Program *);

typedef struct Terms Terms;
Terms *terms_new(Program *, const Template *, const bool *frozen);
void terms_free(Terms *);
/* The value of an expression when the action's instructions before this one are done. */
const Expr *terms_at(Terms *, const Action *, unsigned instr, const Expr *);

/* An address is rest + offset; of the form object + scale * index + offset it is said what these are. */
typedef struct Place {
    const Expr *rest; /* without a constant summand */
    uint64_t offset;
    const Object *object; /* NULL: not of this form */
    const Expr *index;
    uint64_t scale;
} Place;
Place place_of(Program *, const Expr *address);
