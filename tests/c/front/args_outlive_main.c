// expect: UNSAFE assertion name[0] != 'q' fails
// Arguments live as long as the process, not as long as main.
#include <assert.h>
#include <pthread.h>

static void *look(void *argument) {
    char *name = argument;
    assert(name[0] != 'q');
    return 0;
}

int main(int argc, char **argv) {
    pthread_t t;
    if (argc < 2) return 1;
    pthread_create(&t, 0, look, argv[1]);
    pthread_exit(0);
}
