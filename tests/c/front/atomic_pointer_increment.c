// expect: SAFE
/* p++ of an atomic pointer is the value that was there when it changed. */
#include <assert.h>
#include <pthread.h>
static int a[4];
static int *_Atomic p = a;
static int *first, *second;
static void *worker(void *argument) {
  first = p++;
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  second = p++;
  pthread_join(t, 0);
  assert(first != second && p == a + 2);
  int *last = p--;
  assert(last == a + 2 && --p == a);
}
