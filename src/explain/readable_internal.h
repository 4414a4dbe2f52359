/* SPDX-License-Identifier: Apache-2.0 */
/* Between readable.c and readable_names.c. */
#pragma once
#include "expr/normal.h"
#include "ir/layout.h"
#include "explain/readable.h"

struct People {
    const Proof *proof;
    const System *system;
    Exprs *exprs;
    Layout *layout;
    Normaliser *normaliser;
    const char **threads;   /* vecs: by thread */
    const Expr **variables; /* by variable: the symbol that is shown; NULL: it is not for people */
    bool *handle, *mutex;   /* by variable: it holds a thread's number; who locked it */
    bool *matters;          /* by variable: system_relevant */
    bool several_files;     /* lines alone do not tell where */
};

void people_name_threads(People *);
/* After the handles and mutexes are found. */
void people_name_variables(People *);
void people_find_handles(People *);
void people_find_mutexes(People *);
/* Of a part of a variable of the library's own type: that variable's name. */
const char *people_own_name(const System *, unsigned variable);
/* A symbol that reads so. The same text is the same symbol. */
const Expr *people_text(Exprs *, const char *text, const Sort *);
