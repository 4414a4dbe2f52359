// Two threads count a shared number down. RIGHT: under a mutex; otherwise one may step over zero and go on for ever.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char left = 3;

static void *work(void *none) {
#ifdef RIGHT
    pthread_mutex_lock(&lock);
    while (left) left--;
    pthread_mutex_unlock(&lock);
#else
    while (left != 255) left = (unsigned char)(left % 2);
#endif
    return none;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
}
