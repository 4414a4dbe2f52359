// SPDX-License-Identifier: Apache-2.0
// flags: -p no-overflow
// expect: UNSAFE
// The seconds may be so many that their nanoseconds do not fit.
#include <time.h>
int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long nanoseconds = now.tv_sec * 1000000000 + now.tv_nsec;
    return nanoseconds > 0;
}
