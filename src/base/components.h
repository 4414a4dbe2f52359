/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the strongly connected components of a graph. */
#pragma once
#include "base/vec.h"

/* Returns the component of each node, a vec that the caller frees. A component has a greater number than the components that its edges lead
   to. Components are numbered from 0 without gaps. out[i] is the vec of the nodes that edges from node i lead to. */
unsigned *components_find(unsigned *const *out);
