// expect: UNSAFE
// flags: -e redcomp --rule modular
/* One of two increments of each thread is outside of the lock. The solver refutes the clauses, and the steps of its refutation have an order that
   is an execution. */
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    x++;
    return unused;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, add, 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
    assert(x == 4);
    return 0;
}
