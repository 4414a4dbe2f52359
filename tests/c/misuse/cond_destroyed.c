// expect: UNSAFE use of a synchronisation object that was destroyed or never initialised
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
    pthread_cond_destroy(&c);
    pthread_cond_signal(&c);
}
