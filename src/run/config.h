/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the variable HEDDLE_RUN, by which `heddle run` asks a program to search its schedules: words NAME=VALUE with blanks between them.
   A blank in a value is %20, and % is %25. */
#pragma once
#include "run/base.h"

#define CONFIG_VARIABLE "HEDDLE_RUN"

typedef struct Config {
    char results[1024]; /* the folder for the results; "" prints them on stderr */
    char replay[1024];  /* a file with a schedule to run again; "" searches */
    char strategy[16];
    char property[32]; /* only violations of this property count, and the first ends the search; "" means all of them */
    uint64_t seed, runs, jobs, shard, shards, events;
    double timeout, run_timeout; /* seconds */
    bool all;                    /* report each distinct violation, not only the first of each property */
    bool spurious;
    bool output; /* the program's output is shown */
} Config;

/* Reads the words. Ends the process if one is wrong. */
void config_read(Config *, const char *text);
