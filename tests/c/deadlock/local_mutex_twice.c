// SPDX-License-Identifier: Apache-2.0
// flags: -p no-deadlock
// expect: UNSAFE which it holds itself
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    if (__VERIFIER_nondet_int() == 7) pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    return 0;
}
