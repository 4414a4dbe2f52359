/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the checks of omissions that result/omissions.def names, each in the file of its name. */
#pragma once
#include "check/omissions.h"

/* A check refuses the omission with the first reason that it finds, and sets its count and place. */
typedef void OmissionCheck(const OmissionView *, Omission *);

OmissionCheck omit_promoted, omit_threads, omit_race_pairs, omit_subsumed, omit_constants;
OmissionCheck omit_tails, omit_stuck_steps, omit_stutters, omit_signs; /* omit_system.c */
