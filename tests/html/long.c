// SPDX-License-Identifier: Apache-2.0
/* An execution of more than 2,000 steps, for the page of --html: its keys have to be quick all the same. */
#include <assert.h>
#include <pthread.h>

int sum, rounds;

static void *add(void *unused) {
    (void)unused;
    for (int i = 0; i < 600; i++) {
        sum++;
        rounds = i;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    for (int i = 0; i < 600; i++) {
        sum += 2;
        rounds = i;
    }
    pthread_join(thread, NULL);
    assert(sum < 0);
    return 0;
}
