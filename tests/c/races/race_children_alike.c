// expect: UNSAFE data race
// flags: -p no-data-race
// Two threads of one function each create a thread, and these two race.
#include <pthread.h>

static int x;

static void *child(void *unused) {
    x++;
    return unused;
}

static void *parent(void *unused) {
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    return unused;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, parent, NULL);
    pthread_create(&u, NULL, parent, NULL);
    return 0;
}
