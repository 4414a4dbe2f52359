// expect: UNKNOWN call of the unknown function start_it, which gets a pointer
/* What it is given it may run, now or later. */
#include <assert.h>

typedef struct It It;
It *start_it(int (*run)(void *), const char *name, void *argument);

static int n;
static int work(void *a) {
    (void)a;
    n++;
    return 0;
}

int main(void) {
    start_it(work, "a", 0);
    start_it(work, "b", 0);
    assert(n == 0);
    return 0;
}
