// expect: UNSAFE a weaker atomic access is at told_weak_access.c:18
// flags: -p no-data-race
// The hint names the access that is too weak, and not the first weak one of the program.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, counter;
static int data;

static void *producer(void *x) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return x;
}

static void *consumer(void *x) {
    int got = 0;
    if (atomic_load_explicit(&flag, memory_order_relaxed)) got = data;
    return got ? x : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
