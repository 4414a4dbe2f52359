// expect: SAFE
#include <assert.h>
#include <pthread.h>

int x;

__attribute__((constructor)) void before(void) { x = 1; }
void *work(void *argument) { return NULL; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}
