// expect: UNSAFE use after free
// flags: -p valid-memsafety
#include <pthread.h>
#include <stdlib.h>
int *a;
void *f(void *p) {
    free(a);
    return p;
}
int main(void) {
    pthread_t t;
    a = malloc(sizeof *a);
    *a = 1;
    pthread_create(&t, 0, f, 0);
    *a = 2;
    pthread_join(t, 0);
    return 0;
}
