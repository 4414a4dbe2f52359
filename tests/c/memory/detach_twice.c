// expect: UNSAFE is detached
// flags: -p valid-memsafety
#include <pthread.h>
static void *worker(void *unused) { return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_detach(t);
}
