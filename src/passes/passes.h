/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the tables of passes and their driver. Five tables lead from the program of the front end to a system with its locks, movers and
   blocks.

   A pass requires, ensures and breaks facts (facts.def). The driver refuses a table in which a pass lacks a fact that it requires. After
   every pass, in every build, the driver checks that the program (ir/check.h) or system (system_check) is well-formed. It also checks the
   ensured facts that a program or system shows. A failure is an internal error, and then there is no verdict. */
#pragma once
#include "analysis/delays.h"
#include "passes/reduce/blocks.h"
#include "system/arithmetic.h"
#include "passes/program/instrumented.h"
#include "result/known.h"
#include "result/omission.h"
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

/* The form in which a program with weak memory becomes a sequentially consistent program */
typedef enum MemoryForm {
    MEMORY_AS_IS,    /* the memory model is unchanged */
    MEMORY_AS_SC,    /* no store is delayed: an under-approximation */
    MEMORY_PLAIN_SC, /* no store is delayed, and atomic accesses weaker than seq_cst become plain accesses (C11) */
    MEMORY_BUFFERED, /* store buffers become variables, with a capacity of `buffers` stores */
    MEMORY_MONITORED /* an error is reached where another thread can observe that a store is delayed (TSO) */
} MemoryForm;

/* A place for a seq_cst fence, behind the store of this action */
typedef struct FencePlace {
    unsigned template_, store;
} FencePlace;

/* The settings of a chain. Zero is the usual value of each member except `arithmetic`. */
typedef struct PassSettings {
    unsigned recursion;       /* the bound of recursion for the pass inline; 0: the usual one */
    bool c;                   /* the program is from C and has not been changed since the front end made it */
    const Question *question; /* NULL: unreach-call in all executions */
    Arithmetic arithmetic;    /* not ARITHMETIC_AUTO if a system is made */
#define FLAG(field, word) bool field;
#define NUMBER(field, word) unsigned field;
#include "passes/settings.def"
#undef FLAG
#undef NUMBER
    MemoryForm memory;
    const StoreDelays *delays; /* the delays in the given program; NULL lets the passes that need them compute them */
    const FencePlace *fences;  /* a vec */
    bool discharge;            /* the claims of omissions are checked after each pass, since a SAFE may come from this chain */
} PassSettings;

/* settings_print writes the arithmetic and the members of settings.def as words: `integers loops`. settings_parse reads such words, up to
   the first other word. It returns false after an error, which the lexer reports. */
typedef struct Lexer Lexer;
void settings_print(Buf *, const PassSettings *);
bool settings_parse(Lexer *, PassSettings *);

/* A program, the passes that it went through, and their results so far */
typedef struct Chain Chain;
typedef struct Pass Pass;
typedef struct PassTable PassTable;

struct Chain {
    PassSettings settings;
    unsigned facts; /* the facts that hold now (Fact) */
    Program *program;
    Translation *translation;
    WayBack *ways_back;        /* a vec: the ways back of the passes that change traces, in order */
    Instrumented instrumented; /* the instrumented program; empty before passes_property */
    bool buffers_overflow;     /* an execution may have more delayed stores than the store buffers can hold */
    System *system;
    Smt *smt;
    Movers *movers;
    Blocks *blocks;
    bool has_unspecified;     /* the pass unspecified-values changed the program */
    unsigned rebuilds;        /* the number of times that the system was made anew (PASS_AGAIN) */
    bool has_spurious_errors; /* an error of the system need not be one of the program */
    bool owned_by_proof;      /* a proof owns program and system */
    Omission *omissions;      /* a vec: what the passes left out, if settings.discharge */
    void *claim;              /* what the present pass gives to the check of its omission; NULL: nothing */
    void (*free_claim)(void *);
    Buf why;                /* the reason, if a pass refused */
    Position where;         /* the place of the reason */
    const PassTable *table; /* the table in which passes_run stopped */
    unsigned next;          /* the index of the pass with which it continues */
    double until;           /* no pass begins after this time (clock_seconds); 0 for no limit */
    /* Called with `context` after each pass that is done; may be NULL. */
    void (*after)(void *context, const Pass *, const Chain *);
    void *context;
};

typedef enum PassResult {
    PASS_DONE,
    PASS_REFUSED, /* no further pass runs; Chain.why has the reason */
    PASS_AGAIN    /* continue with the pass Pass.back */
} PassResult;

/* The part of the chain that a pass may change, and that the driver checks afterwards */
typedef enum PassOver { OVER_PROGRAM, OVER_SYSTEM, OVER_BLOCKS } PassOver;

struct Pass {
    const char *name, *summary;
    PassOver over;
    unsigned
        requires,
    ensures, breaks; /* sets of Fact */
    PassResult (*run)(Chain *);
    bool (*applies)(const PassSettings *); /* NULL: always */
    const char *when;                      /* the condition of `applies` for the user, in terms of options; NULL for always */
    const char *back;                      /* the name of the pass to which PASS_AGAIN leads */
};

struct PassTable {
    const char *title;
    const Pass *list;
    unsigned n;
    unsigned given; /* facts that hold before the first pass */
};

/* The tables run in this order. The table loading makes the loaded program from the program of the front end, or of a text, in place. The
   table weak makes a sequentially consistent program from one with weak memory, on a copy. The table property turns violations of the
   property into errors, on the same copy. The table building makes a system, on another copy. The table reducing adds locks, movers and
   blocks to the system. */
extern const PassTable passes_loading, passes_weak, passes_property, passes_building, passes_reducing;

/* The name of the last pass of passes_building up to which only the settings `count` and `rounds` make a difference */
extern const char last_common_pass[];

const Pass *pass_named(const PassTable *, const char *name); /* returns the pass with this name, or a former name; or NULL */
bool pass_applies(const Pass *, const PassSettings *);
const char *fact_text(FactBit);
/* True if each pass that applies has the facts that it requires. Otherwise *why is set to the pass and the fact that it lacks. `facts` is
   the set of facts that hold before the first pass. */
bool passes_in_order(const PassTable *, const PassSettings *, unsigned facts, Buf *why);

/* Translates a trace of the chain's program into a trace of the program that the chain began with. (schedule_trace.h makes a trace of the
   program from a schedule of the system.) */
void chain_trace_back(const Chain *, Trace *);
/* Returns a chain that begins with a copy of the program. */
Chain chain_new(const Program *, PassSettings);
/* Runs the passes of the table that apply, up to the pass named `last` (NULL for all). A later call runs the remaining passes of this
   table. Returns false if a pass refused, or if the time is over. */
bool passes_run(Chain *, const PassTable *, const char *last);
void chain_free(Chain *);
/* True if the chain has a program; a system comes with its solver, movers with a system, blocks with movers. */
bool chain_valid(const Chain *);
