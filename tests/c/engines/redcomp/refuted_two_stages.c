// expect: UNSAFE
// flags: -e redcomp --rule redsafety
/* A thread reads between the two stages of a writer. The steps of the refutation have an order that is an execution. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { WRITERS = 2 };
static pthread_mutex_t *first_guard, *second_guard;
static int first, second;

static pthread_mutex_t *new_mutex(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    if (!m || pthread_mutex_init(m, NULL)) exit(1);
    return m;
}

static void *writer(void *unused) {
    (void)unused;
    pthread_mutex_lock(first_guard);
    first = 1;
    pthread_mutex_unlock(first_guard);
    pthread_mutex_lock(second_guard);
    second = first + 1;
    pthread_mutex_unlock(second_guard);
    return NULL;
}

static void *reader(void *unused) {
    int one, two;
    (void)unused;
    pthread_mutex_lock(first_guard);
    one = first;
    pthread_mutex_unlock(first_guard);
    if (one == 0) {
        return NULL;
    }
    pthread_mutex_lock(second_guard);
    two = second;
    pthread_mutex_unlock(second_guard);
    assert(two == one + 1);
    return NULL;
}

int main(void) {
    pthread_t writers[WRITERS], id;
    first_guard = new_mutex();
    second_guard = new_mutex();
    for (int i = 0; i < WRITERS; i++) pthread_create(&writers[i], NULL, writer, NULL);
    pthread_create(&id, NULL, reader, NULL);
    for (int i = 0; i < WRITERS; i++) pthread_join(writers[i], NULL);
    pthread_join(id, NULL);
    free(first_guard);
    free(second_guard);
    return 0;
}
