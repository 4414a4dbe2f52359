// expect: SAFE
/* Destructors: none for NULL; one that sets its value anew is called again, by pthread_exit as well; main's return calls none. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t first, second;
static int calls, others;

static void destroy(void *value) {
    assert(pthread_getspecific(first) == NULL);
    calls++;
    if ((long)value > 1) pthread_setspecific(first, (void *)((long)value - 1));
}

static void destroy_other(void *value) {
    assert(value != NULL);
    others++;
}

static void *worker(void *argument) {
    pthread_setspecific(first, argument);
    pthread_setspecific(second, NULL);
    pthread_exit(argument);
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_key_create(&first, destroy);
    pthread_key_create(&second, destroy_other);
    pthread_create(&t, NULL, worker, (void *)3);
    pthread_setspecific(second, (void *)1);
    pthread_join(t, &result);
    assert(calls == 3 && others == 0 && result == (void *)3);
    return 0;
}
