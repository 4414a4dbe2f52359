// expect: UNSAFE join or detach of a thread
// flags: -p valid-memsafety
/* A thread detaches itself in a function that it is given as an argument, and calls twice. */
#include <pthread.h>
void *leave(void *p) {
    pthread_detach(pthread_self());
    return p;
}
void *start(void *p) {
    void *(*f)(void *) = (void *(*)(void *))p;
    f(0);
    f(0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, start, (void *)leave);
    pthread_exit(0);
}
