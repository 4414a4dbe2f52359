// expect: UNSAFE
// flags: --memory-model pso
// Stores to different places do not arrive in order.
#include <assert.h>
#include <pthread.h>

int flag;
int data, got = 1;

void *first(void *p) {
    data = 1;
    flag = 1;
    return p;
}
void *second(void *p) {
    if (flag) got = data;
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
