/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

double clock_seconds(void);   /* monotonic */
double clock_processor(void); /* seconds of the processor that this process has had */
