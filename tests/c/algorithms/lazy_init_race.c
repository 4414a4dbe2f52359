// expect: UNSAFE
/* Initialisation on first use without a lock: both threads may do it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *table;
static int allocations;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int *get_table(void) {
    if (table == NULL) {
        int *made = malloc(2 * sizeof *made);
        made[0] = made[1] = 7;
        pthread_mutex_lock(&mutex);
        allocations++;
        pthread_mutex_unlock(&mutex);
        table = made;
    }
    return table;
}

static void *worker(void *unused) {
    (void)unused;
    get_table();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(allocations == 1);
    free(table);
    return 0;
}
