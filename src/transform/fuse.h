/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_FUSE_H
#define HEDDLE_TRANSFORM_FUSE_H
#include "verdict/system.h"

/* Atomic sections become single transitions; see fuse.c. */
void fuse_atomic_sections(System *);

#endif
