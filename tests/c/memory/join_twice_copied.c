// expect: UNSAFE was joined already
// flags: -p valid-memsafety
#include <pthread.h>
static void *worker(void *unused) { return unused; }
static void join_all(pthread_t *t, int n) {
    for (int i = 0; i < n; i++) pthread_join(t[i], 0);
}
int main(void) {
    pthread_t t[2], copy;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    copy = t[1];
    join_all(t, 2);
    pthread_join(copy, 0);
}
