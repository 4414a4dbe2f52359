// expect: SAFE
/* Memory is sequentially consistent: not both threads can miss the other's store. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused) {
    (void)unused;
    x = 1;
    seen_y = y;
    return NULL;
}

static void *right(void *unused) {
    (void)unused;
    y = 1;
    seen_x = x;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(seen_x == 1 || seen_y == 1);
    return 0;
}
