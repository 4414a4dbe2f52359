// expect: UNSAFE was joined already
// flags: -p valid-memsafety
#include <threads.h>
static thrd_t a;
static int worker(void *unused) { return unused == 0; }
static int joiner(void *unused) { return thrd_join(*(thrd_t *)unused, 0); }
int main(void) {
    thrd_t b, c;
    thrd_create(&a, worker, 0);
    thrd_create(&b, joiner, &a);
    thrd_create(&c, joiner, &a);
    thrd_join(b, 0);
    thrd_join(c, 0);
}
