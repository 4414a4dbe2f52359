// expect: SAFE
// … but no thread has a value for it.
#include <assert.h>
#include <pthread.h>

static int x, y;

int main(void) {
    pthread_key_t a, b, c;
    assert(pthread_key_create(&a, 0) == 0 && pthread_key_create(&b, 0) == 0);
    pthread_setspecific(a, &x);
    pthread_setspecific(b, &y);
    assert(pthread_key_delete(a) == 0);
    assert(pthread_key_create(&c, 0) == 0);
    assert(c != b && pthread_getspecific(c) == 0);
    assert(pthread_getspecific(b) == &y);
    assert(pthread_setspecific(c, &x) == 0 && pthread_getspecific(c) == &x);
    return 0;
}
