/* SPDX-License-Identifier: Apache-2.0 */
/* From C, or from Weaver's input language, to the program IR. This folder is the only one that knows LLVM: its files are a shared
   object, but for load.c, clang.c and the folder wvr. */
#pragma once
#include "ir/loaded.h"

typedef struct FrontOptions {
    const char *const *files; /* .c .i .ll .bc */
    unsigned nfiles;
    const char *const *clang_flags; /* for all files; then "--", a file and flags for it alone, and so on */
    unsigned nflags;
    bool ilp32;
    const char *model_dir;    /* has model-LP64.bc and model-ILP32.bc; front_load finds it */
    unsigned recursion_bound; /* nested activations of one function that are followed; 0: the default */
    bool may_fail;            /* malloc and the thread functions may fail */
    bool undefined_pure;      /* functions without a body have no effect */
    const char *pure;         /* names of such that have none, separated by commas; NULL: none */
    bool zero_memory;         /* what is not initialised is zero */
    MemoryModel memory;       /* of the program */
    bool memory_given;        /* … whatever a program in text form says */
    bool weak;                /* memory orders matter, and fences */
    bool c11;                 /* … as C11 has them: what fails to synchronise orders nothing */
    bool no_spurious_wakeups; /* condition variables wake up only when they are signalled */
    const char *args;         /* what main is called with, as a shell would read it; NULL: anything */
    bool native;              /* a native run is asked for, in case there is something to show */
    const char *show;         /* of clang alone: print the declarations of this function, as JSON; NULL: nothing of the kind */
} FrontOptions;

/* Compile, link, lower. On a fault of the input false, and *error is a message for the user: file:line:column, the
   source line and a caret where there is one. */
bool front_load(const FrontOptions *, Loaded *, Buf *error);

/* What does it, in the shared object; for front_load alone. */
typedef struct Clang Clang; /* at work on the first file; NULL: that is none for it */
typedef bool FrontC(const FrontOptions *, Clang *, Loaded *, Buf *error);
extern FrontC *const front_c;

/* The text of a .wvr file. The program is right iff no execution of it comes to its end: that is the error. On a fault of the
   input NULL and a message, as above. */
Program *front_wvr(const char *file, const char *text, Buf *error);
