// expect: UNSAFE a loop that never ends
// flags: --memory-model tso -p termination
// Stores arrive before the loop, and in it.
#include <pthread.h>

int x, y;

void *spin(void *p) {
    y = 1;
    while (y) {
        x = 1;
        x = 0;
    }
    return p;
}

int main(void) {
    pthread_t s;
    x = 2;
    y = 2;
    pthread_create(&s, 0, spin, 0);
    pthread_join(s, 0);
    return x;
}
