// expect: SAFE
// flags: -p unreach-call
// A lock and a test keep each index within the array, so no address is stored over the members behind it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct stack {
    int *items[4];
    unsigned used, tries;
} s;
static int g;

static void *push(void *unused) {
    pthread_mutex_lock(&m);
    s.tries = 1;
    if (s.used < 4) s.items[s.used++] = &g;
    assert(s.used <= 4 && s.tries == 1);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[5];
    for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, push, 0);
    for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
    return 0;
}
