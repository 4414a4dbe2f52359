// expect: UNSAFE a thread joins itself
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_t t;
static void *worker(void *a) { pthread_join(t, 0); return a; }
int main(void) {
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
