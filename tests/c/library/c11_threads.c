// expect: SAFE
/* C11 threads: mutex, results, call_once, thread-specific storage. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int counter;

static void make_key(void) { assert(tss_create(&key, NULL) == thrd_success); }

static int worker(void *argument) {
    call_once(&once, make_key);
    tss_set(key, argument);
    assert(mtx_lock(&mutex) == thrd_success);
    counter++;
    assert(mtx_unlock(&mutex) == thrd_success);
    return -*(int *)tss_get(key);
}

int main(void) {
    int values[2] = {3, 4};
    int results[2];
    thrd_t threads[2];
    assert(mtx_init(&mutex, mtx_plain) == thrd_success);
    for (int i = 0; i < 2; i++) assert(thrd_create(&threads[i], worker, &values[i]) == thrd_success);
    for (int i = 0; i < 2; i++) assert(thrd_join(threads[i], &results[i]) == thrd_success);
    assert(counter == 2);
    assert(results[0] == -3 && results[1] == -4);
    mtx_destroy(&mutex);
    return 0;
}
