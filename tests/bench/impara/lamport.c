// expect: SAFE
/* Lamport's fast mutual exclusion for two threads, once each. */
#include <assert.h>
#include <pthread.h>

static int first, second, busy_a, busy_b, owner;

static void *run_a(void *unused) {
    for (;;) {
        busy_a = 1;
        first = 1;
        if (second) {
            busy_a = 0;
            while (second) {
            }
            continue;
        }
        second = 1;
        if (first == 1) break;
        busy_a = 0;
        while (busy_b) {
        }
        if (second == 1) break;
        while (second) {
        }
    }
    owner = 1;
    assert(owner == 1);
    second = 0;
    busy_a = 0;
    return unused;
}

static void *run_b(void *unused) {
    for (;;) {
        busy_b = 1;
        first = 2;
        if (second) {
            busy_b = 0;
            while (second) {
            }
            continue;
        }
        second = 2;
        if (first == 2) break;
        busy_b = 0;
        while (busy_a) {
        }
        if (second == 2) break;
        while (second) {
        }
    }
    owner = 2;
    assert(owner == 2);
    second = 0;
    busy_b = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run_a, NULL);
    pthread_create(&b, NULL, run_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
