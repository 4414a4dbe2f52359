/* SPDX-License-Identifier: Apache-2.0 */
/* The passes, in order, from what the front end makes to a system with its locks, movers and blocks: five tables,
   one driver.

   A pass says what it requires, ensures and breaks (facts.def). The driver refuses an order in which something is
   missing, and looks after every pass, in every build, whether the program (ir/check.h) or system (system/check.h)
   is well-formed, and whether the facts hold that can be looked at. What is not so is an internal error: there is no
   verdict then. */
#pragma once
#include "analysis/delays.h"
#include "passes/reduce/blocks.h"
#include "system/arithmetic.h"
#include "passes/program/instrumented.h"
#include "result/known.h"
#include "result/translation.h"

typedef enum FactBit {
#define FACT(name, text, holds) BIT_##name,
#include "passes/facts.def"
#undef FACT
    FACTS
} FactBit;

typedef enum Fact {
#define FACT(name, text, holds) FACT_##name = 1 << BIT_##name,
#include "passes/facts.def"
#undef FACT
} Fact;

/* How a program whose memory is weak becomes one whose memory is sequentially consistent. */
typedef enum MemoryForm {
    MEMORY_AS_IS,    /* it stays as it is */
    MEMORY_AS_SC,    /* no store is late: an under-approximation */
    MEMORY_PLAIN_SC, /* the same, and atomic accesses that are not seq_cst are plain ones (C11) */
    MEMORY_BUFFERED, /* store buffers become variables, `buffers` stores deep */
    MEMORY_MONITORED /* an error is where another thread can notice that a store is late (TSO) */
} MemoryForm;

/* A place for a seq_cst fence: behind the store of this action. */
typedef struct FencePlace {
    unsigned template_, store;
} FencePlace;

/* What is wanted; zero is what engines mostly want, but for the arithmetic. */
typedef struct PassSettings {
    bool c;                   /* the program was C, and is as the front end made it */
    const Question *question; /* NULL: unreach-call in all executions */
    Arithmetic arithmetic;    /* not ARITHMETIC_AUTO, where a system is made */
#define FLAG(field, word) bool field;
#define NUMBER(field, word) unsigned field;
#include "passes/settings.def"
#undef FLAG
#undef NUMBER
    MemoryForm memory;
    const StoreDelays *delays; /* of the given program; NULL: passes that need them find them */
    const FencePlace *fences;  /* a vec */
} PassSettings;

/* The arithmetic, and what settings.def has, in words: `integers loops`. Reading ends before the first word that is none of these; false: an
   error, which the lexer has. */
typedef struct Lexer Lexer;
void settings_print(Buf *, const PassSettings *);
bool settings_parse(Lexer *, PassSettings *);

/* A program on its way. */
typedef struct Chain Chain;
typedef struct Pass Pass;
typedef struct PassTable PassTable;

struct Chain {
    PassSettings settings;
    unsigned facts; /* that hold now */
    Program *program;
    Translation *translation;
    WayBack *back;      /* a vec: of the passes that change traces, in order */
    Instrumented asked; /* how the property became errors */
    bool full;          /* more stores may wait than there is room for in the buffers */
    System *system;
    Smt *smt;
    Movers *movers;
    Blocks *blocks;
    bool opened;    /* values that C leaves open became any */
    unsigned again; /* how often the system was made anew */
    bool weaker;    /* an error of the system need not be one of the program */
    bool taken;     /* a proof owns program and system */
    Buf why;        /* what stands in the way, if a pass refuses … */
    Position where;
    const PassTable *table; /* in which passes_run stopped, … */
    unsigned next;          /* … and where it goes on */
    double until;           /* no pass begins afterwards (clock_seconds); 0: there is no limit */
    /* Called after each pass; NULL: nobody is. */
    void (*after)(void *context, const Pass *, const Chain *);
    void *context;
};

typedef enum PassResult {
    PASS_DONE,
    PASS_REFUSED, /* Chain.why says why; nothing comes after it */
    PASS_AGAIN    /* back to the pass that it names */
} PassResult;

/* What a pass may change, and so is looked at afterwards. */
typedef enum PassOver { OVER_PROGRAM, OVER_SYSTEM, OVER_BLOCKS } PassOver;

struct Pass {
    const char *name, *summary;
    PassOver over;
    unsigned requires, ensures, breaks; /* Facts */
    PassResult (*run)(Chain *);
    bool (*applies)(const PassSettings *); /* NULL: always */
    const char *when;                      /* it applies, said as an option; NULL: always */
    const char *back;                      /* where PASS_AGAIN leads */
};

struct PassTable {
    const char *title;
    const Pass *list;
    unsigned n;
    unsigned given; /* facts that hold at its beginning */
};

/* From what the front end makes (or a text) to the program as loaded, in place; stores that may be late become a sequentially consistent program; violations of a property become errors,
   on a copy; from there to a system, on a copy; locks, movers and blocks. */
extern const PassTable passes_loading, passes_weak, passes_property, passes_building, passes_reducing;

/* The last pass of passes_building that does the same whatever is wanted, but for `count` and `rounds`. */
extern const char last_common_pass[];

const Pass *pass_named(const PassTable *, const char *name); /* NULL: it is none of these */
bool pass_applies(const Pass *, const PassSettings *);
const char *fact_text(FactBit);
/* Is the order right, for these settings? Otherwise *why says which pass lacks what. */
bool passes_in_order(const PassTable *, const PassSettings *, unsigned facts, Buf *why);

/* Turns a trace of the chain's program into one of the program that it was made from. (From a schedule of the system to a trace of the
   program: passes/schedule_trace.h.) */
void chain_trace_back(const Chain *, Trace *);
/* A copy of the program, before the first pass. */
Chain chain_new(const Program *, PassSettings);
/* Runs all passes of the table that apply, or stops when the one named is done for the first time; goes on where it stopped in this table.
   False: one refused, or it is late. */
bool passes_run(Chain *, const PassTable *, const char *last);
void chain_free(Chain *);
/* Tells whether each thing is there that another one is about: a program, its system, movers of that, blocks of those. */
bool chain_valid(const Chain *);
