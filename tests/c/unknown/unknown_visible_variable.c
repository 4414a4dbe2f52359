// expect: UNKNOWN call of the unknown function bump, which may change n
/* The file that defines bump is missing: it may change what other files can name. */
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
