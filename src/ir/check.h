/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that programs are well-formed. check.c has declarations and control, check_instr.c actions; this header has what they share. */
#pragma once
#include "ir/program.h"

typedef struct Checker {
    const Program *program;
    Buf *complaint;
    /* the place that is being checked; NULL outside */
    const Template *template_;
    const Location *location;
    const Action *action;
    const Instr *instr;
    /* by id of an expression: the index + 1 of the last template in which it was checked */
    unsigned *seen;
    const Expr **work; /* a vec */
} Checker;

const char *body_word(const Template *); /* "thread" or "procedure" */

/* Reports the violation of a rule of doc/ir.md: its name, the place and the message. Returns false. */
bool check_fail(Checker *, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool check_variable(Checker *, const Variable *); /* the current template may use it */
bool check_object(Checker *, const Object *);     /* likewise */
bool check_expr(Checker *, const Expr *);         /* its symbols only: sorts hold by construction */
bool check_action(Checker *, const Action *);
