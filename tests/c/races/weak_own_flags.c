// expect: SAFE
// flags: -p no-data-race
// Each thread has a flag of its own. A relaxed access of what only one thread writes, and no other reads, has nothing to order.
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(atomic_int *) mail[2];
static int c;
static void *recv(void *arg) {
  int id = *(int *)arg;
  atomic_int flag;
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&mail[id], &flag, memory_order_release);
  if (id == 0) {
    while (atomic_load_explicit(&flag, memory_order_acquire)) ;
    c++;
  }
  return 0;
}
static atomic_int weak;
int main(void) {
  static int id[2] = {0, 1};
  pthread_t t[2]; atomic_int *f;
  pthread_create(&t[0], 0, recv, &id[0]);
  pthread_create(&t[1], 0, recv, &id[1]);
  (void)atomic_load_explicit(&weak, memory_order_relaxed);   /* "one that does less" */
  c = 1;
  while (!(f = atomic_load_explicit(&mail[0], memory_order_acquire))) ;
  atomic_store_explicit(f, 0, memory_order_release);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  return 0;
}
