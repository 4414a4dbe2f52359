// expect: SAFE
// Handlers that are left when a thread ends run, the last one first, each with its argument; then come destructors of keys.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int a = 1, b = 2, steps;

static void note(void *argument) {
    int *p = argument;
    steps = 10 * steps + *p;
}
static void popped(void *argument) {
    (void)argument;
    steps = 9;
}
static void leave(int how) {
    if (how) pthread_exit(&steps);
}
static void *work(void *argument) {
    static int last = 3;
    pthread_setspecific(key, &last);
    pthread_cleanup_push(note, &a);
    pthread_cleanup_push(note, &b);
    pthread_cleanup_push(popped, 0);
    pthread_cleanup_pop(0);
    leave(1);
    steps = 8;
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_key_create(&key, note);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    assert(steps == 213);
    assert(result == &steps);
    return 0;
}
