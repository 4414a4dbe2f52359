// broken: no-data-race
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int table, made;

static void make(void) { table = 42; }

static void *use(void *a) {
#ifdef BROKEN
    if (!made) make(), made = 1;
#else
    pthread_once(&control, make);
#endif
    return table + made ? a : NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
