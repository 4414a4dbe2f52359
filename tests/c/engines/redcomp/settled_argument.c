// expect: SAFE
// flags: -e redcomp
/* Each thread judges what it was given, which nobody changes any more: what else they do does not matter. */
#include <assert.h>
#include <pthread.h>
static int busy[20];
static pthread_mutex_t lock[20];
static void *worker(void *argument) {
  int i = *(int *)argument;
  assert(i >= 0 && i < 20);
  for (int k = 0; k < 20; k++) {
    pthread_mutex_lock(&lock[(i + k) % 20]);
    int mine = !busy[(i + k) % 20];
    busy[(i + k) % 20] = 1;
    pthread_mutex_unlock(&lock[(i + k) % 20]);
    if (mine) break;
  }
  assert(i % 32 < 20);
  return 0;
}
int main(void) {
  pthread_t t[20];
  int arguments[20];
  for (int i = 0; i < 20; i++) {
    arguments[i] = i;
    pthread_create(&t[i], 0, worker, &arguments[i]);
  }
  for (int i = 0; i < 20; i++) pthread_join(t[i], 0);
}
