/* SPDX-License-Identifier: Apache-2.0 */
/* Makes random numbers and the number of processors the same in every run and on every machine. */
#include "run/access.h"
#include "run/scheduler.h"
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PROCESSORS = 4 };

EXPORTED ssize_t getrandom(void *to, size_t n, unsigned flags) {
    static uint64_t state = 1;
    if (!scheduler_on) return syscall(SYS_getrandom, to, n, flags);
    access_observe((Address)to, n, true, CALLER);
    for (size_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        ((unsigned char *)to)[i] = (unsigned char)(state >> 56);
    }
    return (ssize_t)n;
}
EXPORTED int getentropy(void *to, size_t n) { return getrandom(to, n, 0) == (ssize_t)n ? 0 : -1; }

EXPORTED int get_nprocs(void) { return PROCESSORS; }
EXPORTED int get_nprocs_conf(void) { return PROCESSORS; }
EXPORTED long sysconf(int name) {
    if (scheduler_on && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return PROCESSORS;
    return REAL(sysconf)(name);
}
