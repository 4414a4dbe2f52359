// expect: UNSAFE
/* Neighbouring bit-fields share a byte: writing one writes the other back. */
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned red : 3, green : 3;
} flags;

static void *paint_red(void *unused) {
    (void)unused;
    flags.red = 5;
    return NULL;
}

static void *paint_green(void *unused) {
    (void)unused;
    flags.green = 6;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, paint_red, NULL);
    pthread_create(&second, NULL, paint_green, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(flags.red == 5 && flags.green == 6);
    return 0;
}
