// expect: UNKNOWN it is not known whether the thread holds the mutex that it unlocks here [H0702]
// flags: -p valid-memsafety -e redcomp
// The mutex that is made anew may be the one that the thread holds.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t *a = calloc(2, sizeof *a);
    unsigned i = (unsigned)rand() % 2;
    pthread_mutex_lock(&a[0]);
    a[i].__data.__lock = 0;
    pthread_mutex_unlock(&a[0]);
    free(a);
}
