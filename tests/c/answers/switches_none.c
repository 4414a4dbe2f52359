// expect: UNKNOWN no error in executions of up to 0 context switches
// flags: --context-bound 0
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
