// expect: UNSAFE whose bytes were written at told_no_mutex_bytes.c:16 by main
// flags: -p valid-memsafety
// The answer says who wrote the bytes, here in an earlier step.
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m;

static void *work(void *x) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return x;
}

int main(void) {
    pthread_t t;
    memset(&m, 0xff, sizeof m);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
