/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_OUTPUT_PUBLISH_H
#define HEDDLE_OUTPUT_PUBLISH_H
#include "output/deliver.h"
#include "process/job.h"

/* Tell the verdict in all the forms asked for; the exit code. */
int publish(const Job *, const Verdict *, Output *);

/* What was found after n violations were told: another one, which is told after them, or that there are no more, or perhaps some. */
void publish_more(const Job *, const Verdict *, unsigned n, Output *);
/* A note about all of that. */
void publish_note(const Job *, const char *note, Output *);

#endif
