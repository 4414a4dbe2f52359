/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of verification, as the Competition on Software Verification writes them: .yml files that name programs, properties and what is expected, .set
   files that list them, and folders that have them. */
#pragma once
#include "base/buf.h"
#include "result/question.h"

typedef enum Expected { EXPECTED_NOTHING, EXPECTED_TRUE, EXPECTED_FALSE } Expected;

typedef struct Task {
    char *file;    /* the .yml file */
    char **inputs; /* a vec: paths */
    Property property;
    unsigned parts; /* of valid-memsafety (ir/program.h); 0: the usual ones */
    Expected expected;
    const char *data_model; /* LP64 or ILP32; NULL: it does not say */
} Task;                     /* all malloced */

/* Adds the tasks of a .yml file, a .set file or a folder to the vec; properties that Heddle does not know are left out. False: *error says why not. */
bool tasks_add(Task **, const char *path, Buf *error);
void tasks_free(Task *);
const char *task_property(const Task *);
