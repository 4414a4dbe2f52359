// expect: SAFE
/* An integer that is passed is read at once; so is a field of a struct, wherever it lies in a register. */
#include <assert.h>
#include <pthread.h>

struct mixed {
    int a, b;
    long c;
} shared;
int both;

static int whole(int x) { return x == 0 || x == 0x10001; }
static int known(struct mixed m) { return (m.b == 0 || m.b == 0x10001) && (m.c == 0 || m.c == -1) && m.a == 7; }

static void *writer(void *unused) {
    shared.b = 0x10001;
    shared.c = -1;
    both = 0x10001;
    return unused;
}

int main(void) {
    pthread_t t;
    shared.a = 7;
    pthread_create(&t, 0, writer, 0);
    assert(whole(both));
    assert(known(shared));
    return 0;
}
