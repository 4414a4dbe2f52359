// expect: UNSAFE use of a mutex that is a copy, or was never initialised
// flags: -p valid-memsafety
#include <pthread.h>
struct box { pthread_mutex_t m; int n; };
int main(void) {
    struct box a = {PTHREAD_MUTEX_INITIALIZER, 1}, b;
    pthread_mutex_lock(&a.m);
    b = a;
    pthread_mutex_unlock(&a.m);
    pthread_mutex_lock(&b.m);
}
