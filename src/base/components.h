/* SPDX-License-Identifier: Apache-2.0 */
/* Strongly connected components of a graph. */
#pragma once
#include "base/vec.h"

/* By node (a vec, the caller's to free): the number of its component. A component's number is greater than those of the components it leads
   to; there is none between 0 and the greatest that no node has. out: by node, the nodes it leads to; vecs. */
unsigned *components_find(unsigned *const *out);
