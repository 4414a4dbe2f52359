// expect: UNSAFE told_line_behind_a_long_na…:15
// flags: -p no-data-race
// A long file name is cut off, and the line is not.
#include <pthread.h>
static int x;

static void *work(void *p) {
    x++;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x++;
    pthread_join(t, 0);
    return 0;
}
