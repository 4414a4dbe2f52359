// expect: UNSAFE
// flags: --property valid-memsafety
// The index grows in each round, but it is 0 again after it was 0x80000000.
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t t[1];
    int rounds = 0;
    pthread_create(&t[0], NULL, work, NULL);
    for (unsigned i = 0; rounds < 3; i += 0x80000000u) {
        if (i == 0) pthread_join(t[i], NULL);
        rounds++;
    }
    return 0;
}
