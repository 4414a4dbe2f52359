/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers violations that were reported, by their places in the source: engines look for others. Two violations at the same places are one. */
#pragma once
#include "result/question.h"

enum { MOST_KNOWN = 32 };

typedef struct KnownViolation {
    Position *places; /* a vec: of the instructions and actions that take part */
    Position error;   /* of an assertion that fails; no file: none does */
    Position lost;    /* of the allocation whose memory is lost; no file: none is */
} KnownViolation;

struct Known {
    KnownViolation *list; /* a vec, at most MOST_KNOWN */
    Arena *arena;         /* has the names of files: programs come and go; NULL: nothing is known yet */
};

bool known_valid(const Known *); /* each has a bit, and an end at one place at most */
void known_free(Known *);        /* what it holds; not the struct */
/* Returns the violations that the place takes part in: bit n is the n-th. known may be NULL. */
uint32_t known_at(const Known *, Position);
/* Tells whether the assertion at the place is known to fail. */
bool known_error(const Known *, Position);
/* Tells whether memory that is allocated at the place is known to be lost. */
bool known_lost(const Known *, Position);
