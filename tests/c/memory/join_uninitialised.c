// expect: UNSAFE join or detach of a thread that does not exist
// flags: -p valid-memsafety -e redcomp
// No thread has the number in the second element.
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[0], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
