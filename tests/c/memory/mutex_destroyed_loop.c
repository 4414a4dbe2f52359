// expect: UNSAFE use of a mutex that was destroyed
// flags: -p valid-memsafety
/* As many calls of create as of join, but two threads are created, and one is joined. */
#include <pthread.h>
static pthread_mutex_t m;
static void *worker(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }
int main(void) {
  pthread_t t[2];
  pthread_mutex_init(&m, 0);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  pthread_join(t[0], 0);
  pthread_mutex_destroy(&m);
  return 0;
}
