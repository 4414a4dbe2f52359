// expect: UNSAFE thread 3 (user) frees p#1 at unordered_free.c:13, and neither happens before the other
// flags: -p no-data-race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int *p;

static void *user(void *unused) {
    (void)unused;
    int seen = *p;
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed) == 1) free(p);
    return (void *)(long)seen;
}

int main(void) {
    pthread_t a, b;
    p = malloc(sizeof *p);
    *p = 0;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
