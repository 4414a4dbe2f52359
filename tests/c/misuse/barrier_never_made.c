// expect: UNSAFE use of a synchronisation object that was destroyed or never initialised
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_barrier_t b;
int main(void) { pthread_barrier_wait(&b); }
