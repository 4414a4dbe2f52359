// expect: UNSAFE join or detach of a thread that does not exist
// flags: -p valid-memsafety -e impact
// A global number is 0 before a creation sets it.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_t thread;

static void *work(void *unused) { return unused; }

int main(void) {
    if (__VERIFIER_nondet_bool()) pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
