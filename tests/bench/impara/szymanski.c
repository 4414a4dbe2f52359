// expect: SAFE
/* Szymanski's mutual exclusion for two threads, once each. A state: 1 has asked, 2 waits for another, 3 is at the door, 4 is
   through it. */
#include <assert.h>
#include <pthread.h>

static int state_a, state_b, owner;

static void *run_a(void *unused) {
    state_a = 1;
    while (state_b >= 3) {
    }
    state_a = 3;
    if (state_b == 1) {
        state_a = 2;
        while (state_b != 4) {
        }
    }
    state_a = 4;
    while (state_b >= 2) {
    }
    owner = 1;
    assert(owner == 1);
    while (state_b == 2 || state_b == 3) {
    }
    state_a = 0;
    return unused;
}

static void *run_b(void *unused) {
    state_b = 1;
    while (state_a >= 3) {
    }
    state_b = 3;
    if (state_a == 1) {
        state_b = 2;
        while (state_a != 4) {
        }
    }
    state_b = 4;
    while (state_a >= 2) {
    }
    owner = 2;
    assert(owner == 2);
    while (state_a == 2 || state_a == 3) {
    }
    state_b = 0;
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
