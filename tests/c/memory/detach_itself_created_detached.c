// expect: UNSAFE
// flags: --property valid-memsafety
// The thread detaches itself, although it was created detached.
#include <pthread.h>

static void *work(void *unused) {
    pthread_detach(pthread_self());
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &a, work, NULL);
    return 0;
}
