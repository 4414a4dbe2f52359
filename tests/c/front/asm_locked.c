// expect: SAFE
/* Counting with a lock prefix; a spin lock by an exchange. */
#include <assert.h>
#include <pthread.h>

static int counter, lock, inside;

static int exchange(int *p, int v) {
    __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

static void *worker(void *unused) {
    __asm__ volatile("lock; incl %0" : "+m"(counter) : : "memory", "cc");
    while (exchange(&lock, 1)) __asm__ volatile("rep; nop" : : : "memory");
    inside++;
    assert(inside == 1);
    inside--;
    __asm__ volatile("movl %1, %0" : "=m"(lock) : "ir"(0) : "memory");
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
