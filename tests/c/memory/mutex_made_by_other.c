// expect: UNKNOWN it is not known whether the thread holds the mutex that it unlocks here
// flags: -p valid-memsafety -e redcomp
// The other thread makes the mutex anew while main holds it: then main no longer holds it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *maker(void *unused) {
    pthread_mutex_init(&m, 0);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, maker, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
