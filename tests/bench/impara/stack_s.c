// expect: SAFE
/* A bounded stack: one thread pushes as often as there is room, another takes what it finds. */
#include <assert.h>
#include <pthread.h>

enum { SIZE = 5 };

extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);

static unsigned stack[SIZE];
static int top;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int push(unsigned value) {
    if (top == SIZE) return -1;
    stack[top] = value;
    top++;
    return 0;
}

static int pop(unsigned *value) {
    if (top == 0) return -1;
    top--;
    *value = stack[top];
    return 0;
}

static void *producer(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        unsigned value = __VERIFIER_nondet_uint();
        if (value >= SIZE) abort();
        int done = push(value);
        assert(done == 0);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        if (top > 0) {
            unsigned value;
            int done = pop(&value);
            assert(done == 0);
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
