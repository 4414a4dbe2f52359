// expect: UNKNOWN the id of a thread that has ended may be used again
// flags: --timeout 10
#include <assert.h>
#include <pthread.h>

void *work(void *argument) { return NULL; }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(second, NULL);
    assert(!pthread_equal(first, second));
    return 0;
}
