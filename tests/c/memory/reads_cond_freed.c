// expect: UNSAFE use after free
// flags: -p valid-memsafety
// A condition variable must exist to be signalled, though nobody waits.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_cond_t *c = malloc(sizeof *c);
    if (!c) return 0;
    pthread_cond_init(c, NULL);
    pthread_cond_signal(c);
    pthread_cond_destroy(c);
    free(c);
    pthread_cond_broadcast(c);
    return 0;
}
