// expect: UNKNOWN supports only normal mutexes
// flags: -e redcomp
/* Recursive mutexes at a variable index can be locked twice: no proof may take them for normal ones. */
#define _GNU_SOURCE
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2];
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m[0], &a);
  pthread_mutex_init(&m[1], &a);
  int i = __VERIFIER_nondet_int() ? 1 : 0;
  pthread_mutex_lock(&m[i]);
  pthread_mutex_lock(&m[i]);
  reach_error();
}
