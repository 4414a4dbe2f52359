// expect: SAFE
// flags: -p valid-memsafety
#include <pthread.h>
static void *worker(void *unused) {
    pthread_detach(pthread_self());
    return unused;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
