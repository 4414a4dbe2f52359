/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* How many processors this process may use: those it may run on, and no more than its control group has time for. At least 1. */
unsigned processors_available(void);
/* Of the line in cpu.max, or of quota and period: how many processors that is, at least 1; 0: as many as there are. */
unsigned processors_of_quota(const char *quota, double period);
