// expect: SAFE assuming that bump has no effect
// flags: --undefined pure
/* … unless the user says that no such function has an effect. */
#include <assert.h>
#include <pthread.h>

int n;
void bump(void);

static void *work(void *a) {
    bump();
    return a;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 0);
    return 0;
}
