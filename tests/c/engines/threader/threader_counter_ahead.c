// expect: SAFE
// flags: -p unreach-call --engine threader
/* What was taken is never more than the rounds, however many there are: one counter is compared with another, not with each of its values. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int top;

static void *push(void *unused) {
    for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&m);
        assert(top != 300);
        top++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *pop(void *unused) {
    for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&m);
        if (top > 0) top--;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, push, NULL);
    pthread_create(&id[1], NULL, pop, NULL);
    return 0;
}
