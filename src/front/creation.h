/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_FRONT_CREATION_H
#define HEDDLE_FRONT_CREATION_H
#include "ir/program.h"

/* Set Template.count of every template: how many threads of it there can be; see creation.c. */
void creation_count(Program *);

#endif
