// expect: UNSAFE assertion shared[3] == 2 fails
// Two threads change mapped memory without a lock.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
static int *shared; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t(void *u) {  shared[3]++;  return u; }
int main(void) { shared = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (shared == MAP_FAILED) return 1;
  assert(shared[1000] == 0); pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); assert(shared[3] == 2); munmap(shared, 100); return 0; }
