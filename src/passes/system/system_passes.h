/* SPDX-License-Identifier: Apache-2.0 */
/* The passes over systems, in the order of the table (passes.c). The head of each one's file says what it requires, ensures and breaks.
   (What several of them tidy: tidy.h.) */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* If there is no error at all, nobody moves. Otherwise only steps go that lead nowhere: traces are read off the system as it was built. */
void cut_all(System *);
/* The same system in few, large transitions. It owns the given one, as its `fine`. */
System *merge_transitions(System *fine, Smt *);
/* Only atomic sections are fused: otherwise a transition for each action. */
System *merge_sections(System *fine, Smt *);
void exclude_errors(System *, Smt *);
void cut_tails(System *);
void orders_by_type(System *);
void prophecy_indices(System *);
bool weaken_guards(System *, Smt *); /* true if some guard is weaker than it was */
void find_locks(System *, Smt *);

/* ---- parts of merge_transitions ---- */
/* A loop that fills memory with any values, which hold any value already, is gone. No other thread may notice it. */
bool fill_loop(System *, SystemThread *, unsigned location);
/* A thread's twin gets the thread's transitions, in its own variables and inputs, whatever it had. The system has a fine one. */
void mirror(System *, unsigned thread, unsigned twin);
/* A location where a thread only asks how its own locals are, one of which it needs for nothing else, becomes one
   location for each answer: `c = x < y; … if (c)` asks at once, and c is not needed. The second location is the
   thread's last. False: it is none such. */
bool split_location(const System *, SystemThread *, unsigned location);
