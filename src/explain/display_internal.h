/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the data and functions that display.c and display_names.c share. */
#pragma once
#include "expr/normal.h"
#include "ir/layout.h"
#include "explain/display.h"

struct Display {
    const Proof *proof;
    const System *system;
    Exprs *exprs;
    Layout *layout;
    Normaliser *normaliser;
    const char **threads;   /* a vec by thread: the displayed name */
    const Expr **variables; /* a vec by variable: the symbol that is printed; NULL if the variable is not displayed */
    bool *handle, *mutex;   /* vecs by variable: it holds a thread's number; it holds the owner of a mutex */
    bool *matters;          /* a vec by variable: the result of system_relevant */
    bool several_files;     /* a position needs its file's name */
};

void display_name_threads(Display *);
/* Fills `variables`. Requires `handle` and `matters`. */
void display_name_variables(Display *);
void display_find_handles(Display *);
void display_find_mutexes(Display *);
/* Returns the variable's name without the parts of a library's type: "lock" for lock.__data.__lock. */
const char *display_own_name(const System *, unsigned variable);
/* Returns a symbol with the text as its name. The same text and sort give the same symbol. */
const Expr *display_text(Exprs *, const char *text, const Sort *);
