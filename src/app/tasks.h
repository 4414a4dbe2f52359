/* SPDX-License-Identifier: Apache-2.0 */
/* Reads verification tasks in the format of the Competition on Software Verification: .yml files that name programs, properties and
   expected verdicts, .set files that list tasks, and folders of tasks. */
#pragma once
#include "base/buf.h"
#include "result/question.h"

typedef enum Expected { EXPECTED_NOTHING, EXPECTED_TRUE, EXPECTED_FALSE } Expected;

/* All members are malloced, except data_model, which is a literal. */
typedef struct Task {
    char *file;    /* the .yml file */
    char **inputs; /* a vec: paths */
    Property property;
    unsigned parts; /* of valid-memsafety (ir/program.h); 0: the usual ones */
    Expected expected;
    const char *data_model; /* LP64 or ILP32; NULL: not given */
} Task;

/* Adds the tasks of a .yml file, a .set file or a folder to the vec. Leaves out properties that Heddle does not know. Returns false and
   sets *error on failure. */
bool tasks_add(Task **, const char *path, Buf *error);
void tasks_free(Task *);
const char *task_property(const Task *);
