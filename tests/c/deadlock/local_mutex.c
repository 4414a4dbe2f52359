// SPDX-License-Identifier: Apache-2.0
// flags: -p no-deadlock -e redcomp
// expect: SAFE
// A mutex may be a local variable of main, or of each of many threads.
#include <pthread.h>
int x;
void *thread(void *argument) {
    pthread_mutex_t own;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own);
    x++;
    pthread_mutex_unlock(&own);
    return argument;
}
int main(void) {
    pthread_t t;
    pthread_mutex_t own;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own);
    pthread_create(&t, 0, thread, 0);
    pthread_mutex_unlock(&own);
    pthread_join(t, 0);
    return 0;
}
