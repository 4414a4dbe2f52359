// expect: UNKNOWN another thread may have created the thread that is joined [H1074]
// flags: -p no-deadlock -e order
#include <pthread.h>

static pthread_t t, u;

static void *one(void *unused) {
    (void)unused;
    pthread_join(u, NULL);
    return NULL;
}

static void *two(void *unused) {
    (void)unused;
    pthread_join(t, NULL);
    return NULL;
}

int main(void) {
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_exit(NULL);
    return 0;
}
