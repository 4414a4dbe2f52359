// SPDX-License-Identifier: Apache-2.0
// flags: -p no-overflow
// expect: SAFE assuming that clocks show less than 2^40 seconds before or after their beginning
// A time-out is the present time and some seconds.
#include <sys/time.h>
#include <time.h>
int main(void) {
    struct timespec until;
    struct timeval now;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    gettimeofday(&now, 0);
    now.tv_sec += 10;
    return time(0) + 10 > 0 && until.tv_sec > now.tv_sec;
}
