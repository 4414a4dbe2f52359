/* SPDX-License-Identifier: Apache-2.0 */
/* Records violations that were reported, by their places in the source, so that engines search for other ones. Two violations at the same places
   count as one. */
#pragma once
#include "result/question.h"

enum { MOST_KNOWN = 32 };

typedef struct KnownViolation {
    Position *places; /* a vec: the instructions and actions that take part in the violation */
    Position error;   /* the place of a failed assertion; no file: another violation */
    Position lost;    /* the place of the allocation whose memory leaks; no file: another violation */
} KnownViolation;

struct Known {
    KnownViolation *list; /* a vec, at most MOST_KNOWN */
    Arena *arena;         /* owns the names of files, since programs are freed; NULL: the list is empty */
};

bool known_valid(const Known *); /* each entry has a bit of known_at's sets, and at most one of `error` and `lost` */
void known_free(Known *);        /* frees the contents, but not the struct */
/* Returns the violations that the place takes part in: bit n is the n-th. known may be NULL. */
uint32_t known_at(const Known *, Position);
/* Tells whether the assertion at the place is known to fail. */
bool known_error(const Known *, Position);
/* Tells whether memory that is allocated at the place is known to leak. */
bool known_lost(const Known *, Position);
