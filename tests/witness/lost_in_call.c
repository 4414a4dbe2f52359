// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
int counter;
void work(void) {
  int t = counter;
  counter = t + 1;
}
void *inc(void *unused) {
  work();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
