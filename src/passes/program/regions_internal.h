/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of regions share: regions.c says what it is all about. In order: regions_cells.c looks at all
   accesses and cuts memory into cells; regions_compare.c refuses programs that could tell that addresses are others
   here; regions_variables.c makes a variable of each cell; regions_places.c says which cells an address means;
   regions.c rewrites the instructions; regions_start.c says what threads begin with. */
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
    /* Where somebody asks what is valid (regions_valid.c): */
    bool asked, freed, dies, sized; /* some INVALID may mean it; some FREE; there is DEAD; there is ALLOC */
    const Expr *fixed;              /* of a site: the size that all its objects have; or NULL, and */
    Variable *size;                 /* … the size; */
    Variable *live;                 /* does it live? NULL: whenever something points to it. Of many objects size and live are arrays */
    Variable *lives;                /* of a site that allocates many: how many live */
} Region;

typedef struct Regions {
    Program *program;
    PointsTo *pointsto;
    Region *regions; /* by object index */
    Buf *why;
    Position *where;
    bool failed;
    bool frees;              /* memory is freed somewhere */
    bool watched, asks_lost; /* there are INVALID or LOST; LOST */
    size_t nglobals;         /* of the program as it was */
    bool *foreign;           /* by object index: a local object that another template reaches */
    const Instr *at;
    unsigned template_; /* at work */
} Regions;

/* The first refusal counts. */
void region_fail(Regions *, const char *text, const Object *);
static inline uint64_t region_bytes(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 0; }

/* ---- regions_cells.c ---- */
/* Strides, pieces, cells and mutexes of all regions, by the accesses of the program; refuses what does not fit. */
void regions_cut(Regions *);
/* Can an access of that size be there? Outside of the object it is undefined. */
bool region_may_have(const Target *, uint64_t size);
unsigned region_count_objects(const Targets *);
uint64_t region_residue(const Region *, const Target *);
Cell *region_cell(Region *, uint64_t residue);
unsigned region_count_cells(const Region *, const Cell *first, uint64_t size);

/* ---- regions_compare.c ---- */
void regions_check_comparisons(Regions *);

/* ---- regions_variables.c ---- */
void regions_make_variables(Regions *);
/* Objects must not grow into each other: what a site allocates has to fit. */
void region_check_room(Regions *, const Object *site, uint64_t room);
/* Room for what a site allocates: allocation sites follow one another behind everything else. */
static inline uint64_t region_site_room(const Program *p) { return pointsto_stride(p) * 256; }
/* Of the present template. */
static inline Variable *region_variable(const Regions *r, const Cell *c) { return c->own ? c->own[r->template_] : c->variable; }

/* ---- regions_valid.c ---- */
/* Before and after variables are made for cells. */
void regions_note_asked(Regions *);
void regions_make_ghosts(Regions *);
/* What INVALID and LOST assume. */
const Expr *region_invalid(Regions *, const Instr *);
const Expr *region_lost(Regions *);
/* What else ALLOC (of that number, of many), FREE, ALIVE, DEAD and the end of a thread do; the size of an object. */
void region_allocated(Regions *, const Instr *, const Expr *number, Instr **out);
void region_freed(Regions *, const Instr *, Instr **out);
void region_lives(Regions *, const Instr *, bool alive, Instr **out);
void region_ends(Regions *, const Template *, Position, Instr **out);

/* ---- regions_start.c ---- */
void regions_start(Program *, Translation *);

/* ---- regions_places.c ---- */
/* A place in a region: the cells, lowest first, and for arrays which element. */
typedef struct Place {
    Cell *cells;
    unsigned ncells;
    const Expr *element; /* NULL: a scalar */
    const Expr *here;    /* the condition that the address means this place */
} Place;
/* The places an address can mean, as a vec. */
Place *region_places(Regions *, const Expr *address, uint64_t size);
