// expect: SAFE
/* pthread_once: the routine runs once, and nobody goes on before it is done. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int calls, table[2];

static void initialise(void) {
    calls++;
    table[0] = 10;
    table[1] = 20;
}

static void *worker(void *unused) {
    (void)unused;
    pthread_once(&control, initialise);
    assert(table[0] + table[1] == 30);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(calls == 1);
    return 0;
}
