// expect: SAFE
/* Dekker's mutual exclusion for two threads, once each. */
#include <assert.h>
#include <pthread.h>

static int wants_a, wants_b, favoured, owner;

static void *run_a(void *unused) {
    wants_a = 1;
    while (wants_b) {
        if (favoured == 2) {
            wants_a = 0;
            while (favoured == 2) {
            }
            wants_a = 1;
        }
    }
    owner = 1;
    assert(owner == 1);
    favoured = 2;
    wants_a = 0;
    return unused;
}

static void *run_b(void *unused) {
    wants_b = 1;
    while (wants_a) {
        if (favoured == 1) {
            wants_b = 0;
            while (favoured == 1) {
            }
            wants_b = 1;
        }
    }
    owner = 2;
    assert(owner == 2);
    favoured = 1;
    wants_b = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    favoured = 1;
    pthread_create(&a, NULL, run_a, NULL);
    pthread_create(&b, NULL, run_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
