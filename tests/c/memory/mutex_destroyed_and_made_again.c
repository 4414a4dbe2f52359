// expect: SAFE
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_mutex_t m;
int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&m, 0);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        pthread_mutex_destroy(&m);
    }
}
