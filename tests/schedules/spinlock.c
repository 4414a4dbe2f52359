// broken: no-data-race
#include <pthread.h>

static pthread_spinlock_t lock;
static int n;

static void *add(void *a) {
#ifdef BROKEN
    n++;
#endif
    pthread_spin_lock(&lock);
    n++;
    pthread_spin_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t[2];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
