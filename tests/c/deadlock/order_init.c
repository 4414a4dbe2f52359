// expect: SAFE locks are always waited for in this order
// flags: -p no-deadlock -e order
#include <pthread.h>

static pthread_mutex_t a, b;

static void *one(void *unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_mutex_init(&a, NULL);
    pthread_mutex_init(&b, NULL);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, one, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&a);
    pthread_mutex_destroy(&b);
    return 0;
}
