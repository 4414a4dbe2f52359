/* SPDX-License-Identifier: Apache-2.0 */
/* The user's wishes, as far as engines and processes need them. A Config is read once and never changes. */
#pragma once
#include "engine/engine.h"
#include "result/certificate.h"

typedef struct Config {
    const Engine *engine;    /* the only engine that takes part; NULL: all that support the question */
    const char *engine_name; /* the name that the user gave */
    EngineOptions engines;
    double timeout;  /* seconds for the whole run */
    bool several;    /* the run has several questions, which share its time */
    uint64_t memory; /* bytes for all engines together, and for each other process */
    uint64_t seed;
    unsigned jobs;                 /* processors that engines may use */
    unsigned processors;           /* processors of the machine */
    const CertifiedAnswer *claims; /* checked in place of running engines; NULL: engines run */
    bool second_solver;            /* cvc5 must discharge the obligations, too */
    bool verbose;                  /* proofs are shown in full */
    bool view_proofs;              /* the output shows proofs by places in the source */
    bool view_relies;              /* the output shows at least proofs by the rule rely in this way */
} Config;

/* The start of work on a question, and its deadline (base/clock.h). */
typedef struct TimeSlot {
    double start, deadline;
} TimeSlot;

/* Returns the slot from now on that has this share of the remaining time, and at most `most` seconds. */
TimeSlot slot_share(TimeSlot, double share, double most);
/* Returns the seconds until the deadline of the slot. */
double slot_left(TimeSlot);
/* Returns whether time and processors are set, and an engine has its name. */
bool config_valid(const Config *);
/* Adds the message that the time of the slot is over. The slot had all of the run's time, or the question's part of it. `where` is the end
   of the sentence, or "". */
void config_put_time_limit(const Config *, TimeSlot, const char *where, Buf *);
