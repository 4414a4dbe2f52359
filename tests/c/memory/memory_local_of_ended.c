// expect: UNSAFE
// flags: -p valid-memsafety -e redcomp
#include <pthread.h>
static int *q;
static void *owner(void *unused) {
    int local = 5;
    q = &local;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, owner, 0);
    pthread_join(t, 0);
    return *q;
}
