/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses in terms of variables that have not changed since: what was copied or computed from others is written out, so that two addresses that are
   certainly the same are the same expression. */
#pragma once
#include "analysis/pointsto.h"
#include "base/map.h"
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

/* Which thread a JOIN waits for, where a thread is that of a template, or of a CREATE. */
typedef struct Ids Ids;
/* threads: Instr of a CREATE → number of the thread that it creates, + 1, where it is not that of the template. */
Ids *ids_new(const Program *, const Map *threads);
void ids_free(Ids *);
/* The thread, if the number can be no other's; ~0u: not known. */
unsigned ids_joined(Ids *, const Template *, const Action *, unsigned instr);

/* Which objects' addresses may get from a thread to another by an atomic access that orders nothing. What the first did to such an object before need not
   happen before what the other does to it. */
bool *published_relaxed(const Program *, PointsTo *); /* a vec, by object */
