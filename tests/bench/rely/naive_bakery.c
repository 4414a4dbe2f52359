// expect: SAFE
/* The bakery without choosing, where drawing a number is one step. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int number_a, number_b, inside;

static void *run_a(void *unused) {
    (void)unused;
    __VERIFIER_atomic_begin();
    number_a = number_b + 1;
    __VERIFIER_atomic_end();
    while (number_b != 0 && number_b <= number_a) {
    }
    inside = 1;
    assert(inside == 1);
    number_a = 0;
    return NULL;
}

static void *run_b(void *unused) {
    (void)unused;
    __VERIFIER_atomic_begin();
    number_b = number_a + 1;
    __VERIFIER_atomic_end();
    while (number_a != 0 && number_a < number_b) {
    }
    inside = 2;
    assert(inside == 2);
    number_b = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run_a, NULL);
    pthread_create(&b, NULL, run_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
