// expect: SAFE
/* Two threads take turns, each waiting for the other's move. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int turn, moves;

static void *player(void *argument) {
    int self = *(int *)argument;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != self) pthread_cond_wait(&moved, &mutex);
        assert(moves % 2 == self);
        moves++;
        turn = 1 - self;
        pthread_cond_broadcast(&moved);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, player, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(moves == 6);
    return 0;
}
