// expect: UNSAFE use of a mutex that was destroyed
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_mutex_t m;
int main(void) {
    pthread_mutex_init(&m, 0);
    pthread_mutex_destroy(&m);
    pthread_mutex_destroy(&m);
}
