// expect: UNSAFE main waits at told_join_self.c:6 for its own end
// flags: -p no-deadlock -e explicit
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), NULL);
    return 0;
}
