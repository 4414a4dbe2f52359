// expect: UNSAFE
// flags: --context-bound 1
#include <assert.h>
#include <pthread.h>
int x, turn;
void *w(void *a) { int t = x; x = t + 1; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, w, 0);
    pthread_create(&b, 0, w, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(x == 2);
}
