// expect: SAFE
// flags: --memory-model tso
// Latches as in PostgreSQL, for ever: how many stores may wait is no bound of the program's, but follows from what it does.
#include <assert.h>
#include <pthread.h>

int l1 = 1, l2, f1 = 1, f2;

void *first(void *p) {
    while (1) {
        while (!l1) {
        }
        assert(!l1 || f1);
        l1 = 0;
        if (f1) {
            f1 = 0;
            f2 = 1;
            l2 = 1;
        }
    }
}
void *second(void *p) {
    while (1) {
        while (!l2) {
        }
        assert(!l2 || f2);
        l2 = 0;
        if (f2) {
            f2 = 0;
            f1 = 1;
            l1 = 1;
        }
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
