// expect: UNSAFE
// flags: --property valid-memsafety
// The thread is joined twice through a pointer to pthread_join.
#include <pthread.h>

static int (*join)(pthread_t, void **) = pthread_join;

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    join(t, NULL);
    join(t, NULL);
    return 0;
}
