/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a sequentially consistent program of one whose memory is weak: the passes of that table (passes.c), with their ways back. */
#pragma once
#include "passes/passes.h"

PassResult run_fence(Chain *);         /* in front of each place of settings.fences */
PassResult run_plain_atomics(Chain *); /* of C11 */
PassResult run_as_sc(Chain *);
PassResult run_buffers(Chain *);
PassResult run_robustness_monitor(Chain *);
