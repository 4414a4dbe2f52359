// expect: UNSAFE
// flags: -p unreach-call --engine threader
/* One round too many: all of them, before the other thread takes anything. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int top;

static void *push(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        assert(top != 3);
        top++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *pop(void *unused) {
    for (int i = 0; i < 4; i++) {
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
