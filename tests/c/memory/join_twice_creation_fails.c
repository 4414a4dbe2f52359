// expect: UNSAFE
// flags: --property valid-memsafety --may-fail
// If the second creation fails, the variable still has the number of the first thread.
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&t, NULL, work, NULL) && i == 0) return 0;
        pthread_join(t, NULL);
    }
    return 0;
}
