// expect: SAFE
// flags: -p valid-memsafety
/* The thread may have ended, but it was not joined yet. */
#include <pthread.h>
static void *worker(void *a) { return a; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(u, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
}
