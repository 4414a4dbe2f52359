// expect: UNSAFE initialisation of an object that is initialised already
// flags: -p valid-memsafety
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_barrier_t *b = malloc(sizeof *b);
    pthread_barrier_init(b, 0, 1);
    pthread_barrier_init(b, 0, 1);
    free(b);
}
