// expect: SAFE meals0 - eater0::i becomes smaller with each step of eater0
// flags: -p termination -e redcomp --reduction no
/* Philosophers who take their forks in order and eat any number of times, without blocks. The proof has a tuple for each thread, since the product of the
   threads has many nodes. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t fork_[3];
int eaten[3];
int meals0;
void *eater0(void *arg) {
  for (int i = 0; i < meals0; i++) {
    pthread_mutex_lock(&fork_[0]); pthread_mutex_lock(&fork_[1]);
    eaten[0]++;
    pthread_mutex_unlock(&fork_[1]); pthread_mutex_unlock(&fork_[0]);
  }
  return 0;
}
int meals1;
void *eater1(void *arg) {
  for (int i = 0; i < meals1; i++) {
    pthread_mutex_lock(&fork_[1]); pthread_mutex_lock(&fork_[2]);
    eaten[1]++;
    pthread_mutex_unlock(&fork_[2]); pthread_mutex_unlock(&fork_[1]);
  }
  return 0;
}
int meals2;
void *eater2(void *arg) {
  for (int i = 0; i < meals2; i++) {
    pthread_mutex_lock(&fork_[0]); pthread_mutex_lock(&fork_[2]);
    eaten[2]++;
    pthread_mutex_unlock(&fork_[2]); pthread_mutex_unlock(&fork_[0]);
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  meals0 = __VERIFIER_nondet_int();
  meals1 = __VERIFIER_nondet_int();
  meals2 = __VERIFIER_nondet_int();
  pthread_create(&t[0], 0, eater0, 0);
  pthread_create(&t[1], 0, eater1, 0);
  pthread_create(&t[2], 0, eater2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  return 0;
}
