// expect: SAFE
/* Two readers cannot disagree about the order of two independent writes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, c, d;

static void *write_x(void *unused) { x = 1; return unused; }
static void *write_y(void *unused) { y = 1; return unused; }
static void *read_xy(void *unused) {
    a = x;
    b = y;
    return unused;
}
static void *read_yx(void *unused) {
    c = y;
    d = x;
    return unused;
}

int main(void) {
    void *(*routines[4])(void *) = {write_x, write_y, read_xy, read_yx};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, routines[i], NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
    return 0;
}
