// expect: UNKNOWN main ends its thread, in a program that has something to do at its end
// The last thread ends the process.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void end(void) { assert(0); }

int main(void) {
    atexit(end);
    pthread_exit(0);
}
