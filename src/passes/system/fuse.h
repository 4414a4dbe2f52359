/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

/* The same system in few, large transitions; see fuse.c. It owns the given one, as its `fine`. */
System *fuse(System *fine, Smt *);
/* Only atomic sections are fused: otherwise a transition for each action. */
System *fuse_sections(System *fine, Smt *);
