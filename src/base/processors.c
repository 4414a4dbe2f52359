/* SPDX-License-Identifier: Apache-2.0 */
/* The number follows from the affinity mask and from the quota of control groups. Version 2 has a quota for the process's own group and for
   each group above it. For version 1, we read only the group that is mounted as the root, as in a container. */
#include "base/processors.h"
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned processors_of_quota(const char *quota, double period) {
    char *end;
    double q = strtod(quota, &end);
    if (end == quota || q <= 0) return 0; /* the quota is "max" or -1: there is no limit */
    if (*end == ' ') period = strtod(end, NULL);
    return period > 0 ? (unsigned)fmax(1, fmin(1e6, floor(q / period + 0.5))) : 0;
}

static bool first_line(const char *path, char *line, int size) {
    FILE *f = fopen(path, "r");
    bool ok = f && fgets(line, size, f);
    if (f) fclose(f);
    return ok;
}

static unsigned fewer(unsigned a, unsigned b) { return b && b < a ? b : a; }

/* Returns n, limited by the quotas of the group and of all groups above it. Overwrites `group`. */
static unsigned limited_by_groups(unsigned n, char *group) {
    char path[1200], line[80];
    for (;;) {
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        if (first_line(path, line, sizeof line)) n = fewer(n, processors_of_quota(line, 100000));
        char *last = strrchr(group, '/');
        if (!last) return n;
        *last = 0;
    }
}

static unsigned limited_by_root(unsigned n) {
    char quota[80], period[80];
    if (!first_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, sizeof quota)) return n;
    if (!first_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof period)) return n;
    return fewer(n, processors_of_quota(quota, strtod(period, NULL)));
}

unsigned processors_available(void) {
    cpu_set_t set;
    unsigned n = sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
    char line[1024];
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "0::/", 4)) n = limited_by_groups(n, line + 3);
    }
    if (f) fclose(f);
    n = limited_by_root(n);
    return n ? n : 1;
}
