// expect: SAFE
// flags: --memory-model tso
// Peterson's lock: a fence behind the stores is enough.
#include <assert.h>
#include <pthread.h>

int f1, f2, turn, inside;

void *first(void *p) {
    while (1) {
        f1 = 1;
        turn = 2;
        __sync_synchronize();
        while (f2 && turn == 2) {}
        inside = 1;
        assert(inside == 1);
        f1 = 0;
    }
}
void *second(void *p) {
    while (1) {
        f2 = 1;
        turn = 1;
        __sync_synchronize();
        while (f1 && turn == 1) {}
        inside = 2;
        assert(inside == 2);
        f2 = 0;
    }
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
