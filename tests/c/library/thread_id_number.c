// expect: UNKNOWN
// flags: --timeout 4
// Which number an id is, nobody promises.
#include <assert.h>
#include <pthread.h>

void *work(void *argument) { return NULL; }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    assert(second == first + 1);
    return 0;
}
