/* SPDX-License-Identifier: Apache-2.0 */
/* Translates C, LLVM code and Weaver's input language to the program IR. Only this folder knows LLVM. Its files form a shared object,
   except load.c, load_program.c and the folder wvr. */
#pragma once
#include "ir/loaded.h"

typedef struct FrontOptions {
    const char *const *files; /* .c .i .ll .bc */
    unsigned nfiles;
    const char *const *clang_flags; /* flags for all files; then, after each "--", a file and the flags for it alone */
    unsigned nflags;
    bool ilp32;
    const char *model_dir;    /* folder of model-LP64.bc and model-ILP32.bc; front_load sets it */
    unsigned recursion_bound; /* followed nesting depth of activations of one function; 0: the default */
    bool may_fail;            /* malloc and the thread functions may fail */
    bool undefined_pure;      /* functions without a body have no effect */
    const char *pure;         /* names of functions without effect, separated by commas; NULL: none */
    bool zero_memory;         /* uninitialised memory is zero */
    MemoryModel memory;       /* memory model of the program */
    bool memory_given;        /* `memory` overrides the model in a program's text */
    bool weak;                /* memory orders and fences matter */
    bool c11;                 /* memory orders are those of C11: what fails to synchronise orders nothing */
    bool no_spurious_wakeups; /* condition variables wake up only when they are signalled */
    const char *args;         /* arguments of main, as a shell reads them; NULL: any arguments */
    bool native;              /* a native run is asked for, in case there is a violation to show */
    const char *show;         /* only make clang print the declarations of this function, as JSON; NULL: load the program */
} FrontOptions;

/* Compiles, links and lowers the files. Returns false if the input has a fault. *error has the message for the user: file:line:column,
   and the source line with a caret where it is known. */
bool front_load(const FrontOptions *, Loaded *, Buf *error);

/* Loads the files, inside the shared object; only front_load calls it. */
typedef struct Clang Clang; /* clang, already started on the first file; NULL if that file is not for clang */
typedef bool FrontC(const FrontOptions *, Clang *, Loaded *, Buf *error);
extern FrontC *const front_c;

/* Parses the text of a .wvr file. The program is correct iff no execution reaches its end, which is the error location. If the input has
   a fault, returns NULL and a message in *error. */
Program *front_wvr(const char *file, const char *text, Buf *error);
