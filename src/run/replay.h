/* SPDX-License-Identifier: Apache-2.0 */
/* Files with a schedule, to run it again. */
#pragma once
#include "run/run.h"

typedef struct Replay {
    Run run;
    Config config;
    uint64_t hash; /* of the trace */
    char strategy[16];
    Finding until; /* the race at which the run ends */
} Replay;

/* Writes a violation's schedule with all that it depends on. Returns false if that is impossible. */
bool replay_write(const char *path, const Program *, const Config *, const Violation *);
/* Reads such a file. Ends the process if it is wrong, or about another program. */
void replay_read(const char *path, Replay *);
