// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
void *set(void *unused) {
  ready = 1;
  return 0;
}
static void wait_for(void) {
  int seen = ready;
  while (seen == ready) ;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  wait_for();
  assert(0);
  return 0;
}
