// expect: UNSAFE out of bounds
// flags: -p valid-memsafety -e redcomp
// The thread that is created first may see what main writes later.
#include <pthread.h>
static int a[10], n = 1;
static void *user(void *unused) {
    a[n] = 1;
    return unused;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, user, 0);
    n = 10;
    n = 2;
    pthread_create(&t, 0, user, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
