/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the passes over systems, in the order of the table in passes.c. The head of each file states what the pass requires, ensures and
   breaks. tidy.h has simplifications that several passes use. */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* Removes all transitions if no thread has errors, otherwise only steps that lead nowhere. More cannot be removed here, since traces are
   read off this system, as it was built. */
void cut_all(System *);
/* Returns the system composed into few large transitions. The result owns the given system as its `fine`. */
System *merge_transitions(System *fine, Smt *);
/* Does the same for atomic sections only: outside of them, each action remains a transition. */
System *merge_sections(System *fine, Smt *);
void exclude_errors(System *, Smt *);
void cut_tails(System *);
void orders_by_type(System *);
void prophecy_indices(System *);
bool weaken_guards(System *, Smt *); /* returns true if it weakened some guard */
void find_locks(System *, Smt *);

/* ---- parts of merge_transitions ---- */
/* Replaces the loop at the location by one transition, if the loop fills fresh memory with inputs. False if there is no such loop. No other
   thread may affect or observe the loop. */
bool fill_loop(System *, SystemThread *, unsigned location);
/* Gives the second instance (`second`) the transitions of the thread, in its own variables and inputs. The system must have a fine system. */
void mirror_instance(System *, unsigned thread, unsigned second);
/* Splits a location where a thread only tests a condition on its own locals, and needs one of these locals for nothing else. There is
   one location for each outcome afterwards: `c = x < y; … if (c)` tests x < y directly, and c is not needed. The second location is the
   thread's last. False if the location is not split. */
bool split_location(const System *, SystemThread *, unsigned location);
