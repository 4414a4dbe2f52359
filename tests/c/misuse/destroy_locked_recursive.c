// expect: UNSAFE destruction or new initialisation of a lock that a thread holds
// flags: -p valid-memsafety
#include <pthread.h>
int main(void) {
    pthread_mutex_t m;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
}
