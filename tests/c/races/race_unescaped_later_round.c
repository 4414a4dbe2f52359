// expect: UNSAFE data race
// flags: --property no-data-race
// r gets the address at the end of the first round, and gives it away in the second.
#include <pthread.h>
#include <stdlib.h>

static int *global;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    int *r = NULL, *p = malloc(sizeof *p);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        global = r;
        pthread_mutex_unlock(&m);
        r = p;
    }
    *p = 2;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&m);
    int *s = global;
    pthread_mutex_unlock(&m);
    if (s) *s = 3;
    pthread_join(t, NULL);
    return 0;
}
