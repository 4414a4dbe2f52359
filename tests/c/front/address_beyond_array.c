// expect: UNKNOWN an address may be stored where
// flags: -p unreach-call
// The last index leads from the array to the member behind it.
#include <assert.h>
#include <pthread.h>

static struct stack {
    int *items[2];
    unsigned used, lost;
} s;
static int g;

static void *push(void *unused) {
    s.items[s.used++] = &g;
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, 0, push, 0);
        pthread_join(t, 0);
    }
    assert(s.lost < 4096);
    return 0;
}
