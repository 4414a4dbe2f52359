// expect: UNKNOWN this access races with line 12: under C11, the behaviour is undefined [H0891]
// flags: --memory-model c11
// Relaxed accesses order nothing: this is a data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data, got = 1;

void *first(void *p) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return p;
}
void *second(void *p) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) got = data;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(got == 1);
    return 0;
}
