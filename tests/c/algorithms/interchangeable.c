// expect: SAFE
// flags: --timeout 60
// Seven threads that nothing tells apart: too many states, unless they are interchangeable.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock;
int users, first;
static void take(void) {
    while (atomic_exchange(&lock, 1))
        while (atomic_load(&lock));
}
static void *user(void *a) {
    take();
    if (!users++) first++;
    atomic_store(&lock, 0);
    take();
    assert(users > 0);
    users--;
    atomic_store(&lock, 0);
    return a;
}
int main(void) {
    pthread_t t[7];
    for (int i = 0; i < 7; i++) pthread_create(&t[i], 0, user, 0);
    for (int i = 0; i < 7; i++) pthread_join(t[i], 0);
    assert(users == 0 && first >= 1);
}
