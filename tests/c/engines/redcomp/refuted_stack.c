// expect: UNSAFE
// flags: -e redcomp --rule modular
/* The popping thread trusts a flag that nobody lowers. The steps of the refutation have an order that is an execution. */
#include <assert.h>
#include <pthread.h>

enum { SIZE = 5 };
extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static unsigned elements[SIZE];
static int height;
static int filled;

static void push(unsigned value) {
    assert(height < SIZE);
    elements[height] = value;
    height++;
}

static unsigned pop(void) {
    assert(height > 0);
    height--;
    return elements[height];
}

static void *producer(void *unused) {
    (void)unused;
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&guard);
        push(__VERIFIER_nondet_uint() % SIZE);
        filled = 1;
        pthread_mutex_unlock(&guard);
    }
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&guard);
        if (filled) pop();
        pthread_mutex_unlock(&guard);
    }
    return NULL;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, producer, NULL);
    pthread_create(&id[1], NULL, consumer, NULL);
    pthread_join(id[0], NULL);
    pthread_join(id[1], NULL);
    return 0;
}
