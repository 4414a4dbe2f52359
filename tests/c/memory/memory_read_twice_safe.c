// expect: SAFE
// flags: -p valid-memsafety -e weave --second-solver
// Main looks at the index, and then reads it again; it is good both times.
#include <pthread.h>
static int a[10], n = 1;
static void *changer(void *unused) {
    n = 9;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, changer, 0);
    if (n < 10) a[n] = 1;
    pthread_join(t, 0);
}
