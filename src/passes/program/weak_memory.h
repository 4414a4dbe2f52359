/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the passes from weak memory models to sequential consistency (the table passes_weak of passes.c), with their ways back. */
#pragma once
#include "passes/passes.h"

PassResult run_fence(Chain *);         /* adds a fence after each store of settings.fences */
PassResult run_plain_atomics(Chain *); /* makes weak atomic accesses of C11 seq_cst */
PassResult run_as_sc(Chain *);         /* lets each store arrive immediately: an under-approximation */
PassResult run_store_buffers(Chain *); /* adds store buffers of limited depth */
PassResult run_robustness_monitor(Chain *);
