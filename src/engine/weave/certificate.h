/* SPDX-License-Identifier: Apache-2.0 */
/* From a proof check that succeeded to a proof by the rule reduced. */
#pragma once
#include "engine/weave/cover.h"
#include "result/proof.h"

/* Adds letters and nodes to the proof. */
void certificate_add(Proof *, Space *, const Check *);
