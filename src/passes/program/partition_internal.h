/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of partition share: partition.c says what it is all about. In order: partition_cells.c looks at all
   accesses and cuts memory into cells; partition_compare.c refuses programs that could tell that addresses are others
   here; partition_variables.c makes a variable of each cell; partition_places.c says which cells an address means;
   partition.c rewrites the instructions; partition_start.c says what threads begin with. */
#pragma once
#include "analysis/pointsto.h"
#include "result/translation.h"

enum { MAX_TARGETS = 8, MAX_BYTES = 16 };

typedef struct Cell {
    uint64_t residue, size; /* bytes from its stride's start */
    Variable *variable;     /* scalar, or array by element number */
    Variable **own;         /* a vec by template: of thread-local storage, each thread's own */
    bool mutex;             /* words that are locked one at a time, at a place only known when it happens */
} Cell;

typedef struct Piece {
    uint64_t residue, size;
} Piece;

typedef struct Region {
    bool used;
    uint64_t stride; /* M; 0: scalars */
    Piece *pieces;   /* a vec: accessed at once; they may overlap */
    Cell *cells;     /* a vec, by residue, none overlaps another or ends behind the stride: every piece is some of them in a row */
    bool written;    /* by anything but its initialiser */
    Variable *count; /* of a site that allocates many: how many so far */
    /* Where somebody asks what is valid (partition_valid.c): */
    bool asked, freed, dies, sized; /* some INVALID may mean it; some FREE; there is DEAD; there is ALLOC */
    const Expr *fixed;              /* of a site: the size that all its objects have; or NULL, and */
    Variable *size;                 /* … the size; */
    Variable *live;                 /* does it live? NULL: whenever something points to it. Of many objects size and live are arrays */
    Variable *lives;                /* of a site that allocates many: how many live */
} Region;

typedef struct Partition {
    Program *program;
    PointsTo *pointsto;
    Region *partition; /* by object index */
    Buf *why;
    Position *where;
    bool failed;
    bool frees;              /* memory is freed somewhere */
    bool watched, asks_lost; /* there are INVALID or LOST; LOST */
    size_t nglobals;         /* of the program as it was */
    bool *foreign;           /* by object index: a local object that another template reaches */
    const Instr *at;
    unsigned template_; /* at work */
} Partition;

/* The first refusal counts. */
void region_fail(Partition *, const char *text, const Object *);
static inline uint64_t region_bytes(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 0; }

/* ---- partition_cells.c ---- */
/* Congruences, pieces, cells and mutexes of all partition, by the accesses of the program; refuses what does not fit. */
void partition_cut(Partition *);
/* Can an access of that size be there? Outside of the object it is undefined. */
bool region_may_have(const Target *, uint64_t size);
unsigned region_count_objects(const Targets *);
uint64_t region_residue(const Region *, const Target *);
Cell *region_cell(Region *, uint64_t residue);
unsigned region_count_cells(const Region *, const Cell *first, uint64_t size);

/* ---- partition_compare.c ---- */
void partition_check_comparisons(Partition *);

/* ---- partition_variables.c ---- */
void partition_make_variables(Partition *);
/* Objects must not grow into each other: what a site allocates has to fit. */
void region_check_room(Partition *, const Object *site, uint64_t room);
/* Room for what a site allocates: allocation sites follow one another behind everything else. */
static inline uint64_t region_site_room(const Program *p) { return pointsto_stride(p) * 256; }
/* Of the present template. */
static inline Variable *region_variable(const Partition *r, const Cell *c) { return c->own ? c->own[r->template_] : c->variable; }

/* ---- partition_valid.c ---- */
/* Before and after variables are made for cells. */
void partition_note_asked(Partition *);
void partition_make_ghosts(Partition *);
/* What INVALID and LOST assume. */
const Expr *region_invalid(Partition *, const Instr *);
const Expr *region_lost(Partition *);
/* What else ALLOC (of that number, of many), FREE, ALIVE, DEAD and the end of a thread do; the size of an object. */
void region_allocated(Partition *, const Instr *, const Expr *number, Instr **out);
void region_freed(Partition *, const Instr *, Instr **out);
void region_lives(Partition *, const Instr *, bool alive, Instr **out);
void region_ends(Partition *, const Template *, Position, Instr **out);

/* ---- partition_start.c ---- */
void partition_start(Program *, Translation *);

/* ---- partition_places.c ---- */
/* A place in a region: the cells, lowest first, and for arrays which element. */
typedef struct Place {
    Cell *cells;
    unsigned ncells;
    const Expr *element; /* NULL: a scalar */
    const Expr *here;    /* the condition that the address means this place */
} Place;
/* The places an address can mean, as a vec. */
Place *region_places(Partition *, const Expr *address, uint64_t size);
