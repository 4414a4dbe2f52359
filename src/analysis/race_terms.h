/* SPDX-License-Identifier: Apache-2.0 */
/* Expresses addresses in variables that have not changed since, and finds the threads that joins wait for. Copies and computed values are
   substituted, so two addresses that are certainly equal become the same expression. */
#pragma once
#include "analysis/pointsto.h"
#include "base/map.h"
#include "ir/program.h"

/* Returns, by global, whether only main changes it, and only before it creates threads. The vec belongs to the caller. */
bool *frozen_globals(const Program *);

typedef struct DefinedTerms DefinedTerms;
/* frozen: the result of frozen_globals, which must outlive the terms. */
DefinedTerms *terms_new(Program *, const Template *, const bool *frozen);
void terms_free(DefinedTerms *);
/* Returns the value of an expression before instruction `instr` of the action, with definitions substituted. */
const Expr *terms_at(DefinedTerms *, const Action *, unsigned instr, const Expr *);

/* An address rest + offset, possibly of the form object + scale * index + offset. */
typedef struct Place {
    const Expr *rest; /* has no constant summand */
    uint64_t offset;
    const Object *object; /* NULL if the address does not have the form */
    const Expr *index;
    uint64_t scale;
} Place;
Place place_of(Program *, const Expr *address);

/* Finds the thread that a JOIN waits for: the thread of a template, or of a CREATE. */
typedef struct ThreadIds ThreadIds;
/* threads: Instr of a CREATE → number of the thread that it creates, + 1, if that is not the number of the template. Must outlive the
   result. */
ThreadIds *thread_ids_new(const Program *, const Map *threads);
void thread_ids_free(ThreadIds *);
/* Returns the thread that the JOIN certainly waits for, or ~0u. */
unsigned ids_joined(ThreadIds *, const Template *, const Action *, unsigned instr);

/* Returns, by object, whether an atomic access without order may pass its address to another thread. Earlier accesses to such an object by
   the first thread need not happen before those of the other thread. The vec belongs to the caller. */
bool *published_relaxed(const Program *, PointsTo *);
