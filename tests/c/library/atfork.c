// expect: SAFE
/* Routines for fork run at a fork only; there is none here. */
#include <assert.h>
#include <pthread.h>
static int x;
static void again(void) { x = 1; }
int main(void) {
  assert(pthread_atfork(0, 0, again) == 0);
  assert(x == 0);
}
