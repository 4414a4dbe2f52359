// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
unsigned x;
void *t(void *a) {
  x = x - 1;
  return a;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_join(p, 0);
  return 0;
}
