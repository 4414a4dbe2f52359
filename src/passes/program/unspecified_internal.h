/* SPDX-License-Identifier: Apache-2.0 */
/* Between unspecified_values.c, which makes values any, and unspecified_values.c, which knows what is open. */
#pragma once
#include "analysis/pointsto.h"
#include "analysis/reused_places.h"
#include "base/map.h"

enum { SMALL = 4096 }; /* no object lies below */

/* An expression whose value is open unless `exact` holds. */
typedef struct Open {
    const Expr *value, *exact;
    const char *why;
    bool allowed;                  /* C allows every value that satisfies what is said below */
    const Expr *address;           /* NULL, or the address that is looked at as a number: it may be any … */
    uint64_t align, offset;        /* … that is so far from a multiple of this */
    int64_t above, below, residue; /* of a difference d: d - residue is at least above, or at most below, and a multiple of align */
    bool difference;
} Open;

/* Where an open value is chosen. */
typedef struct Decision {
    unsigned template_, action;
    Variable *target;
    Open open;
} Decision;

typedef struct Unspecified {
    Program *program;
    Exprs *pool;
    PointsTo *pointsto;
    Template *template_;
    Map *clean; /* expressions in which nothing is open */
    Stack *stack;
    bool reused; /* a thread may be created after another was joined, or ended by itself */
    Reuse *reuse;
    bool aligned;        /* C allows that objects lie where they do in a Program */
    Map *parts;          /* Symbol of a variable that holds a part of a pointer */
    Decision *decisions; /* a vec */
    bool *ours;          /* a vec by action of the template: it decides an open value */
    bool changed;
} Unspecified;

static inline const Expr *number(const Unspecified *o, uint64_t n) { return expr_bv(o->pool, o->program->pointer_width, n); }
static inline const Expr *no(const Unspecified *o, const Expr *e) { return expr_not(o->pool, e); }
const Expr *unspecified_multiple(const Unspecified *, const Expr *, uint64_t of);

/* Is the value of the expression open, once those of its operands are there? */
bool unspecified_is_open(Unspecified *, const Expr *, Open *);
/* Variables that are read from a part of a pointer. */
void unspecified_find_parts(Unspecified *, const Template *);
/* Can the id of a thread be that of another that has ended? */
bool unspecified_reuses_ids(const Program *);
/* Do objects lie at multiples of what they are aligned to? */
bool unspecified_aligned(const Program *);
