// expect: SAFE
/* Structs passed and returned by value, small and large, nested and with arrays. */
#include <assert.h>
#include <pthread.h>

typedef struct Pair {
    short a;
    long b;
} Pair;
typedef struct Big {
    Pair pairs[2];
    char tag;
} Big;

static Pair swap(Pair p) { return (Pair){(short)p.b, p.a}; }
static Big rotate(Big big) {
    Big result = big;
    result.pairs[0] = swap(big.pairs[1]);
    result.pairs[1] = swap(big.pairs[0]);
    result.tag++;
    return result;
}

static void *worker(void *argument) {
    Big *big = argument;
    *big = rotate(*big);
    return NULL;
}

int main(void) {
    Big bigs[2] = {{{{1, 2}, {3, 4}}, 'a'}, {{{-1, -2}, {-3, -4}}, 'x'}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &bigs[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(bigs[0].pairs[0].a == 4 && bigs[0].pairs[0].b == 3 && bigs[0].tag == 'b');
    assert(bigs[1].pairs[1].a == -2 && bigs[1].pairs[1].b == -1 && bigs[1].tag == 'y');
    return 0;
}
