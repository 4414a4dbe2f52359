/* SPDX-License-Identifier: Apache-2.0 */
/* Counts processors. */
#pragma once

/* Returns how many processors this process may use, at least 1: those of its affinity mask, limited by the quota of its control group. */
unsigned processors_available(void);
/* Returns how many processors a quota allows, at least 1, or 0 if there is no limit. The quota is a line of cpu.max, "QUOTA PERIOD", or the
   quota alone, with its period. */
unsigned processors_of_quota(const char *quota, double period);
