// expect: UNSAFE was joined already
// flags: -p valid-memsafety
#include <pthread.h>
static void *worker(void *unused) { return unused; }
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i / 2], 0);
}
