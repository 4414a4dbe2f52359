// expect: UNSAFE memory leak
// flags: -p valid-memsafety
/* What a thread returns, nobody takes. */
#include <pthread.h>
#include <stdlib.h>
void *f(void *p) {
    (void)p;
    return malloc(4);
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return 0;
}
