// expect: UNSAFE thread 2 (one) waits at told_rwlock.c:11 for the read-write lock p#1->l, which is held to read by itself
// flags: -p no-deadlock -e explicit
#include <pthread.h>
#include <stdlib.h>

static struct S { int n; pthread_rwlock_t l; } *p;

static void *one(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&p->l);
    pthread_rwlock_wrlock(&p->l);
    pthread_rwlock_unlock(&p->l);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    p = malloc(sizeof *p);
    pthread_rwlock_init(&p->l, NULL);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
