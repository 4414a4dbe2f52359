// expect: UNKNOWN supports only normal mutexes
// flags: -e redcomp
/* The same, with initialisers. */
#define _GNU_SOURCE
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2] = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
int main(void) {
  int i = __VERIFIER_nondet_int() ? 1 : 0;
  pthread_mutex_lock(&m[i]);
  pthread_mutex_lock(&m[i]);
  reach_error();
}
