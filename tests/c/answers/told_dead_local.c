// expect: UNSAFE the variable is l, declared by thread 2 (one) at told_dead_local.c:9
// flags: -p valid-memsafety -e explicit
#include <pthread.h>

static int *q;

static void *one(void *unused) {
    (void)unused;
    int l = 3;
    q = &l;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    pthread_join(t, NULL);
    return *q;
}
