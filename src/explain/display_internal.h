/* SPDX-License-Identifier: Apache-2.0 */
/* Between readable.c and readable_names.c. */
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
    const char **threads;   /* vecs: by thread */
    const Expr **variables; /* by variable: the symbol that is shown; NULL: it is not for display */
    bool *handle, *mutex;   /* by variable: it holds a thread's number; who locked it */
    bool *matters;          /* by variable: system_relevant */
    bool several_files;     /* lines alone do not tell where */
};

void display_name_threads(Display *);
/* After the handles and mutexes are found. */
void display_name_variables(Display *);
void display_find_handles(Display *);
void display_find_mutexes(Display *);
/* Of a part of a variable of the library's own type: that variable's name. */
const char *display_own_name(const System *, unsigned variable);
/* A symbol that reads so. The same text is the same symbol. */
const Expr *display_text(Exprs *, const char *text, const Sort *);
