/* SPDX-License-Identifier: Apache-2.0 */
/* What the user asked of a run, as far as engines and processes need it. It is read once and never changes. */
#pragma once
#include "engine/engine.h"

typedef struct Config {
    const Engine *engine;    /* the only one that takes part; NULL: all that support the question */
    const char *engine_name; /* as the user gave it */
    EngineOptions engines;
    double timeout;  /* seconds for the whole run */
    bool several;    /* the run has several questions, which share its time */
    uint64_t memory; /* bytes for all engines together, and for each other process */
    uint64_t seed;
    unsigned jobs;       /* processors that engines may use */
    unsigned processors; /* that there are */
    bool second_solver;  /* cvc5 answers the obligations, too */
    bool verbose;        /* nothing is left out of proofs */
    bool view_proofs;    /* somebody wants proofs by places in the source … */
    bool view_relies;    /* … or those by the rule rely at least */
} Config;

/* When a question was begun, and when it must be answered (base/clock.h). */
typedef struct TimeSlot {
    double start, deadline;
} TimeSlot;

/* The slot of what begins now and has this share of the time that is left, and at most so many seconds. */
TimeSlot slot_share(TimeSlot, double share, double most);
double slot_left(TimeSlot);
/* Tells whether there is something to run on: time, memory, processors; and an engine only by its name. */
bool config_valid(const Config *);
/* Says that the time of the slot is over: the run's, or what the question had of it. */
void config_put_time_limit(const Config *, TimeSlot, Buf *);
