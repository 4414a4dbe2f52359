// expect: UNSAFE
// flags: -e redcomp --rule redsafety
/* One of three threads writes x without its lock. The refutation has an order that is an execution. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER, my = PTHREAD_MUTEX_INITIALIZER;
static int x = 2, y = 2;

static void *one(void *unused) {
    (void)unused;
    int a;
    pthread_mutex_lock(&mx);
    a = x;
    pthread_mutex_lock(&my);
    y = y + a;
    pthread_mutex_unlock(&my);
    a = a + 1;
    pthread_mutex_lock(&my);
    y = y + a;
    pthread_mutex_unlock(&my);
    x = 2 * x + a;
    pthread_mutex_unlock(&mx);
    return NULL;
}

static void *two(void *unused) {
    (void)unused;

    x = x + 2;

    return NULL;
}

static void *three(void *unused) {
    (void)unused;
    pthread_mutex_lock(&my);
    y = y + 2;
    pthread_mutex_unlock(&my);
    return NULL;
}

int main(void) {
    pthread_t id[3];
    pthread_create(&id[0], NULL, one, NULL);
    pthread_create(&id[1], NULL, two, NULL);
    pthread_create(&id[2], NULL, three, NULL);
    pthread_join(id[0], NULL);
    pthread_join(id[1], NULL);
    pthread_join(id[2], NULL);
    assert(x != 11);
    return 0;
}
