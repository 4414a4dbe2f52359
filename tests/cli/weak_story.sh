# Weak memory: which stores wait, what overtakes them, and what would exclude the execution.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >sb.c <<'C'
#include <assert.h>
#include <pthread.h>
int x, y, a = 1, b = 1;
void *first(void *p) {
    x = 1;
    a = y;
    return p;
}
void *second(void *p) {
    y = 1;
    b = x;
    return p;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
    return 0;
}
C
"$HEDDLE" -p unreach-call --memory-model tso sb.c | sed 1d
# one fence is not enough, but with that one, one is
sed 's/    b = x;/    __sync_synchronize();\n&/' sb.c >half.c
"$HEDDLE" -p unreach-call --memory-model tso half.c | grep ^note:
cat >mp.c <<'C'
#include <assert.h>
#include <pthread.h>
int data, flag, got = 1;
void *first(void *p) {
    data = 1;
    flag = 1;
    return p;
}
int main(void) {
    pthread_t s;
    pthread_create(&s, 0, first, 0);
    if (flag) got = data;
    pthread_join(s, 0);
    assert(got == 1);
    return 0;
}
C
"$HEDDLE" -p unreach-call --memory-model pso mp.c | grep ^note:
# an error under sequential consistency, too
sed 's/if (flag) //' mp.c >wrong.c
"$HEDDLE" -p unreach-call --memory-model pso wrong.c | grep -c ^note:
cat >relaxed.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a = 1, b = 1;
void *first(void *p) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return p;
}
void *second(void *p) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
    return 0;
}
C
"$HEDDLE" -p unreach-call --memory-model c11 relaxed.c | grep -e ^UNSAFE -e ^note: | sed 's/  [0-9.]* s$//'
