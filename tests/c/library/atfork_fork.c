// expect: UNKNOWN fork
/* … and where there is one, nothing is said. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int x;
static void again(void) { x = 1; }
int main(void) {
  pthread_atfork(again, 0, 0);
  fork();
  assert(x == 0);
}
