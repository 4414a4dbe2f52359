// expect: UNSAFE
/* A timed wait may time out; its result is ignored here. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int answer;

static void *server(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    answer = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    struct timespec deadline = {0, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    pthread_mutex_lock(&mutex);
    while (answer == 0)
        if (pthread_cond_timedwait(&changed, &mutex, &deadline) != 0) break;
    assert(answer == 1);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
