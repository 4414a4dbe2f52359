/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what unspecified_values.c, which changes the program, unspecified_find.c and unspecified_parts.c, which find unspecified values, share. */
#pragma once
#include "analysis/pointsto.h"
#include "analysis/reused_places.h"
#include "base/map.h"

enum { SMALL = 4096 }; /* no object lies below this address */

/* An open expression: C leaves its value unspecified unless `exact` holds. */
typedef struct OpenValue {
    const Expr *value, *exact;
    const char *why;               /* the text of the approximation */
    bool allowed;                  /* C allows every value that satisfies the constraints in the following members */
    const Expr *address;           /* NULL, or the address that is used as a number: it may be … */
    uint64_t align, offset;        /* … any multiple of align plus offset */
    bool difference;               /* the value is a difference d of addresses: d - residue is a multiple of align, and … */
    int64_t above, below, residue; /* … at least above, or at most below */
    const Expr *whole;             /* NULL, or the address of which the value is a part from byte `offset` on, if `exact` does not hold */
} OpenValue;

/* Describes an action of the changed program that chooses an open value. */
typedef struct Decision {
    unsigned template_, action;
    Variable *target;
    OpenValue open;
} Decision;

/* Inside describes bytes of an object, as vecs (unspecified_parts.c). */
typedef struct Inside {
    Bytes *parts;   /* may hold parts of addresses */
    Bytes *mixed;   /* hold addresses of which a STORE at a known place replaces a half */
    Bytes *fine;    /* are written by instructions that may write less than a half of an address */
    Bytes *guarded; /* are read; the program stops where an address or a part is stored over them (unspecified_stops.c) */
    bool halved;    /* some LOAD depends on which halves of addresses small numbers have replaced */
    bool copied;    /* a COPY may move addresses or parts to places that are not known */
} Inside;

typedef struct Unspecified {
    Program *program;
    Exprs *pool;
    PointsTo *pointsto;
    Template *template_;
    Map *clean; /* expressions without an open part */
    StackLives *stack;
    bool reused; /* a thread may be created after another was joined, or was detached and has ended: ids may be reused */
    ReusedPlaces *reuse;
    bool aligned;        /* unspecified_aligned */
    Map *loads;          /* the symbol of a variable that was loaded from parts of addresses → Open */
    Map *parts, *used;   /* of unspecified_parts.c: the symbols of variables that hold parts, or that operators use */
    Inside *inside;      /* … by object index */
    bool grows;          /* … a set has grown */
    Decision *decisions; /* a vec */
    Map *meanings;       /* the symbol of a variable that this pass added → the expression whose value it has */
    size_t *decided;     /* a vec, by action of the template: its first instructions have no open values */
    bool changed;
} Unspecified;

static inline const Expr *number(const Unspecified *o, uint64_t n) { return expr_bv(o->pool, o->program->pointer_width, n); }
static inline const Expr *no(const Unspecified *o, const Expr *e) { return expr_not(o->pool, e); }
/* Returns the condition that the expression is a multiple of a power of two. */
const Expr *unspecified_multiple(const Unspecified *, const Expr *, uint64_t of);

/* Returns the condition that x can be an address, or that both are in one granule; the number of bytes from the start of the granule to x. */
const Expr *unspecified_in_space(const Unspecified *, const Expr *x);
const Expr *unspecified_same_granule(const Unspecified *, const Expr *x, const Expr *y);
const Expr *unspecified_offset(const Unspecified *, const Expr *x);
/* Returns a number of which the address of each instance of the object is a multiple in Heddle, and in a C library's usual implementation. */
uint64_t unspecified_alignment(const Unspecified *, const Object *);
/* True if the operator only moves its operands, and does not depend on their values. */
bool unspecified_moves(Op);

/* True if the operator of the expression gives an open value even if the values of its operands are known; describes it in *out. */
bool unspecified_is_open(Unspecified *, const Expr *, OpenValue *);
/* Makes loads of parts of addresses open, if an operator uses the value. */
void unspecified_open_parts(Unspecified *);
void unspecified_free_parts(Unspecified *);
/* True if the value is a part of an address, or joined from parts. */
bool unspecified_is_part(const Unspecified *, const Expr *);
/* True if an access of these bytes may be a part of an address at those bytes, or replace such a part. */
bool unspecified_guards(const Unspecified *, const Object *, Bytes read, Bytes stored);
/* Returns the condition that a half of a word is not a half of an address. */
const Expr *unspecified_is_small(const Unspecified *, const Expr *half);
/* Returns the condition that `size` bytes from the address x on do not meet these bytes of the object of x. */
const Expr *unspecified_apart(const Unspecified *, const Expr *x, uint64_t size, Bytes);
/* If the k-th instruction of an action may store an address or a part over guarded bytes, lets the program stop before that. Returns true if the
   action was split. */
bool unspecified_stop_before(Unspecified *, unsigned action, size_t k);
/* Notes that the first n instructions of an action have no open values. */
void unspecified_set_decided(Unspecified *, unsigned action, size_t n);
/* Adds a location with the position and function of another. */
unsigned unspecified_location(Unspecified *, unsigned like, bool atomic);
/* True if a new thread may get the id of a thread that has ended. */
bool unspecified_reuses_ids(const Program *);
/* True if the address of each object in a Program is a multiple of the object's alignment, so C allows that the object lies there. */
bool unspecified_aligned(const Program *);
