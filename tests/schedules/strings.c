// Functions of the C library read and write the program's memory.
// broken: no-data-race
#include <pthread.h>
#include <string.h>

static char name[20] = "first", (*volatile copy)[20] = &name;

static void *work(void *a) {
#ifdef BROKEN
    strcpy(*copy, a);
#endif
    return a;
}

int main(void) {
    pthread_t t;
    static char second[] = "second";
    pthread_create(&t, NULL, work, second);
    size_t n = strlen(*copy);
    pthread_join(t, NULL);
    strcpy(*copy, second);
    return n == 7;
}
