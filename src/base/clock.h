/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the clocks, in seconds. */
#pragma once

double clock_seconds(void);   /* monotonic; only differences have a meaning */
double clock_processor(void); /* the processor time that this process has used */
