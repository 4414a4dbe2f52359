/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the parts of the pass partition-memory; the head of partition.c describes the pass. The files run in this order.
   - partition_compare.c refuses programs whose behaviour depends on the numbers that addresses have.
   - partition_cells.c cuts memory into cells by the accesses of the program.
   - partition_variables.c makes a variable of each cell.
   - partition_valid.c makes variables for the sizes and lives of objects, if the program has INVALID or LOST.
   - partition.c rewrites the instructions. partition_places.c finds the cells that an address may denote.
   - partition_start.c initialises the variables of each thread. */
#pragma once
#include "analysis/pointsto.h"
#include "result/translation.h"

enum { MAX_TARGETS = 8, MAX_BYTES = 16 };

typedef struct Cell {
    uint64_t residue, size; /* in bytes; the residue is the offset from the start of the stride, or of the object */
    Variable *variable;     /* a scalar, or an array by element number */
    Variable **own;         /* a vec, by template: the variables of a cell of thread-local storage; NULL: other storage */
    bool mutex;             /* some LOCK or UNLOCK may denote this cell or another place, and which place is only known at run time */
} Cell;

/* Piece is a range of bytes that some instruction accesses. */
typedef struct Piece {
    uint64_t residue, size; /* as of a Cell */
} Piece;

/* Region is the memory of one object, or of all objects of an allocation site. */
typedef struct Region {
    bool used;
    uint64_t stride; /* M of partition.c; 0: the cells are scalars */
    Piece *pieces;   /* a vec: the accessed pieces, which may overlap */
    Cell *cells;     /* a vec, by residue. Cells do not overlap, no cell ends after the stride, and a piece is a sequence of cells */
    bool written;    /* by an instruction, not only by the initialiser */
    Variable *count; /* the number of objects so far, if the site allocates many; otherwise NULL */
    /* for INVALID and LOST (partition_valid.c): */
    bool checked, freed, dies, sized; /* the object may occur in: INVALID, FREE or SIZE; FREE; DEAD; ALLOC */
    const Expr *fixed;                /* the constant size of all objects of the site, or NULL */
    Variable *size;                   /* the size of the object, if it is not fixed; an array by object number if the site allocates many */
    Variable *live;  /* the object lives; an array if the site allocates many. NULL: it lives whenever a pointer leads to it */
    Variable *lives; /* the number of objects that live, if the site allocates many */
} Region;

typedef struct Partition {
    Program *program;
    PointsTo *pointsto;
    Region *regions; /* by object index */
    Buf *why;
    Position *where;
    bool failed;
    bool frees;                 /* the program has a FREE */
    bool has_checks, asks_lost; /* the program has INVALID or LOST; it has LOST */
    size_t nglobals;            /* the number of globals before the pass */
    bool *foreign;              /* by object index: the object is a local that another template accesses */
    const Instr *at;            /* the present instruction, for positions in messages */
    unsigned template_;         /* the present template */
} Partition;

/* Refuses the program, for the given reason and perhaps because of an object (or NULL). Only the first call has an effect. */
void partition_refuse(Partition *, const char *text, const Object *);
static inline uint64_t region_bytes(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 0; }

/* ---- partition_cells.c ---- */
/* Computes the strides, pieces, cells and mutexes of all regions from the accesses of the program. Refuses accesses that are not modelled. */
void partition_cut(Partition *);
/* True if an access of this size at the target may be inside the object. An access outside is undefined. */
bool region_may_contain(const Target *, uint64_t size);
unsigned region_count_objects(const Targets *);
uint64_t region_residue(const Region *, const Target *);
Cell *region_cell(Region *, uint64_t residue);
unsigned region_count_cells(const Region *, const Cell *first, uint64_t size);

/* ---- partition_compare.c ---- */
/* Refuses the program if it compares addresses that could be different numbers in another execution. */
void partition_check_comparisons(Partition *);

/* ---- partition_variables.c ---- */
/* Adds a variable for each cell. */
void partition_make_variables(Partition *);
/* Refuses the program if an allocation of the site may need `room` bytes or more, since objects must not overlap. */
void region_check_room(Partition *, const Object *site, uint64_t room);
/* Returns the number of addresses of an allocation site. The sites follow one another after all other objects. */
static inline uint64_t region_site_room(const Program *p) { return pointsto_stride(p) * 256; }
/* Returns the variable of the cell in the present template. */
static inline Variable *region_variable(const Partition *r, const Cell *c) { return c->own ? c->own[r->template_] : c->variable; }

/* ---- partition_valid.c ---- */
/* Finds the objects of INVALID, FREE and SIZE, before partition_make_variables. */
void partition_find_checked(Partition *);
/* Adds the variables for sizes and lives, after partition_make_variables. */
void partition_make_size_variables(Partition *);
/* Returns the condition that replaces INVALID, or LOST. */
const Expr *region_invalid(Partition *, const Instr *);
const Expr *region_lost(Partition *);
/* Append the assignments to these variables for ALLOC, FREE, ALIVE, DEAD and the end of a thread. The number of a new object is NULL if its site
   allocates once. */
void region_allocated(Partition *, const Instr *, const Expr *number, Instr **out);
void region_freed(Partition *, const Instr *, Instr **out);
void region_set_alive(Partition *, const Instr *, bool alive, Instr **out);
void region_end_of_thread(Partition *, const Template *, Position, Instr **out);

/* ---- partition_start.c ---- */
/* Adds assignments of the initial values of locals to the first step of each thread. */
void partition_start(Program *, Translation *);

/* ---- partition_places.c ---- */
/* Place is a sequence of cells of a region, in one element of their arrays. */
typedef struct Place {
    Cell *cells; /* lowest first */
    unsigned ncells;
    const Expr *element; /* the number of the element; NULL: the cells are scalars */
    const Expr *here;    /* the condition that the address denotes this place */
} Place;
/* Returns the places that an address may denote, as a vec. In an execution that does not fault, `here` holds for exactly one. */
Place *region_places(Partition *, const Expr *address, uint64_t size);
