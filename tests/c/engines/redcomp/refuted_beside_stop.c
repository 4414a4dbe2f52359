// expect: UNSAFE
// flags: -e redcomp --rule modular
/* Main is called with any number of arguments. More than Heddle models are a STOP, so the clauses have a refutation that is no execution to an
   error. The engine then searches for another execution, and the words of the arguments are no wide numbers. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int threads = 2, first, second;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *write_both(void *unused) {
    pthread_mutex_lock(&m);
    first = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    second = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *read_both(void *unused) {
    pthread_mutex_lock(&m);
    assert(first == second);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(int argc, char **argv) {
    pthread_t id;
    if (argc == 3) sscanf(argv[1], "%d", &threads);
    for (int i = 0; i < threads; i++) pthread_create(&id, 0, write_both, 0);
    pthread_create(&id, 0, read_both, 0);
    return 0;
}
