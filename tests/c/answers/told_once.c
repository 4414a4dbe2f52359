// expect: UNSAFE waits at told_once.c:9 for the end of the routine of o
// flags: -p no-deadlock -e explicit
#include <pthread.h>

static pthread_once_t o = PTHREAD_ONCE_INIT;
static void first(void);
static void again(void) {
    pthread_t self = pthread_self();
    if (self == pthread_self()) pthread_once(&o, first);
}
static void first(void) { again(); }

int main(void) {
    pthread_once(&o, first);
    return 0;
}
