// expect: UNSAFE was joined already
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_t a;
static void *worker(void *unused) { return unused; }
static void *joiner(void *unused) {
    pthread_join(a, 0);
    return unused;
}
int main(void) {
    pthread_t b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, joiner, 0);
    pthread_join(b, 0);
    pthread_detach(a);
}
