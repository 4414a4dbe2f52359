// expect: SAFE
/* A block that one mutex protects until its inode is there, and another mutex afterwards. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int block, busy, inode;
static pthread_mutex_t of_inode = PTHREAD_MUTEX_INITIALIZER, of_busy = PTHREAD_MUTEX_INITIALIZER;

static void *allocate(void *unused) {
    pthread_mutex_lock(&of_inode);
    if (!inode) {
        pthread_mutex_lock(&of_busy);
        busy = 1;
        pthread_mutex_unlock(&of_busy);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&of_inode);
    return unused;
}

static void *release(void *unused) {
    pthread_mutex_lock(&of_busy);
    if (!busy) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&of_busy);
    return unused;
}

int main(void) {
    pthread_t a, r;
    inode = busy = __VERIFIER_nondet_int() != 0;
    pthread_create(&a, NULL, allocate, NULL);
    pthread_create(&r, NULL, release, NULL);
    pthread_join(a, NULL);
    pthread_join(r, NULL);
    return 0;
}
