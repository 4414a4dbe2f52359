/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

double clock_seconds(void);   /* monotonic */
double clock_processor(void); /* seconds of the processor that this process has had */

#endif
