// The mutex of an object is freed with it, before the other thread has unlocked it.
// broken: valid-memsafety
// flags: --runs 1000
#include <pthread.h>
#include <stdlib.h>

typedef struct Counted {
    pthread_mutex_t lock;
    int users;
} Counted;

static void *leave(void *a) {
    Counted *c = a;
    pthread_mutex_lock(&c->lock);
    int left = --c->users;
#ifdef BROKEN
    if (!left) free(c);
    else pthread_mutex_unlock(&c->lock);
#else
    pthread_mutex_unlock(&c->lock);
    if (!left) free(c);
#endif
    return NULL;
}

int main(void) {
    pthread_t t[2];
    Counted *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    c->users = 2;
#ifdef BROKEN
    c->users = 1;
#endif
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, leave, c);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
