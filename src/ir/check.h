/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the checker share: check.c looks at declarations and control, check_instr.c at actions. */
#pragma once
#include "ir/program.h"

typedef struct Checker {
    const Program *program;
    Buf *complaint;
    /* where we are; NULL outside */
    const Template *template_;
    const Location *location;
    const Action *action;
    const Instr *instr;
    /* expressions seen in this template, by id: the template's index + 1 */
    unsigned *seen;
    const Expr **work; /* a vec */
} Checker;

/* Say what is wrong: the rule's name in doc/ir.md, where, and how. Always false. */
bool check_fail(Checker *, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool check_variable(Checker *, const Variable *); /* one that the current template may use */
bool check_object(Checker *, const Object *);     /* likewise */
bool check_expr(Checker *, const Expr *);         /* symbols only: sorts hold by construction */
bool check_action(Checker *, const Action *);
