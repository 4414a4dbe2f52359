#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, data;
static void *worker(void *p) {
    pthread_mutex_lock(&m);
    inside = inside + 1;
    data = __VERIFIER_nondet_int();
    assert(inside == 1);
    inside = inside - 1;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t id;
    while (__VERIFIER_nondet_int()) pthread_create(&id, NULL, worker, NULL);
    return 0;
}
