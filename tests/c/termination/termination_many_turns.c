// expect: UNKNOWN whatever the other threads do
// flags: --property termination --engine redcomp
// By itself each ends: the other makes longer what it makes shorter.
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
atomic_int x;
void *down(void *arg) {
    while (x > 0) x--;
    return 0;
}
int main(void) {
    pthread_t t;
    int threads = __VERIFIER_nondet_int();
    for (int i = 0; i < threads; i++) pthread_create(&t, 0, down, 0);
    while (x < 10) x++;
    return 0;
}
