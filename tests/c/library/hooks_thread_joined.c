// expect: SAFE
/* … unless it waits for its end. */
#include <assert.h>
#include <pthread.h>
static int ended;
static pthread_t t;
static void *work(void *a) { ended = 1; return a; }
__attribute__((constructor)) static void start(void) { pthread_create(&t, 0, work, 0); }
__attribute__((destructor)) static void stop(void) { pthread_join(t, 0); assert(ended); }
int main(void) { return 0; }
