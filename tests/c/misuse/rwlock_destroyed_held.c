// expect: UNSAFE destruction or new initialisation of a lock that a thread holds
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_rwlock_t l;
int main(void) {
    pthread_rwlock_init(&l, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
}
