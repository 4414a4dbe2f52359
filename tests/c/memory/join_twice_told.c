// expect: UNSAFE was joined already
// flags: -p valid-memsafety
#include <pthread.h>
static void *worker(void *unused) { return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(t, 0);
}
