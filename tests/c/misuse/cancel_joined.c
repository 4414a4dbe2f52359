// expect: UNSAFE use of the number of a thread that was joined, or that was detached and has ended
// flags: -p valid-memsafety
#include <pthread.h>
static void *worker(void *a) { return a; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_cancel(t);
}
