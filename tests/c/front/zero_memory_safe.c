// expect: SAFE note: assuming that memory that is not initialised holds zero (--zero-memory)
// flags: --zero-memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *look(void *argument) {
    int *p = argument;
    assert(p[1] == 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    int x, list[4], n = 3, *p = malloc(2 * sizeof *p);
    struct {
        char a;
        long b;
    } s;
    assert(x == 0 && list[2] == 0 && s.b == 0);
    int v[n];
    assert(v[1] == 0);
    for (int i = 0; i < 2; i++) {
        int y;
        assert(y == 0);
        y = 3;
    }
    pthread_create(&t, NULL, look, p);
    pthread_join(t, NULL);
    p = realloc(p, 4 * sizeof *p);
    assert(p[3] == 0);
    return 0;
}
