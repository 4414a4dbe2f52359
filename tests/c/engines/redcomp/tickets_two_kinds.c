// expect: SAFE
// flags: -e redcomp --rule modular
/* Readers and writers, any number of each, take tickets from the same roll: two kinds of threads at once, and invariants of two threads, of the
   same kind or not. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
static int next, serving;
static int writing;

static int take_ticket(void) {
    __VERIFIER_atomic_begin();
    int mine = next++;
    __VERIFIER_atomic_end();
    return mine;
}

static void leave(void) {
    __VERIFIER_atomic_begin();
    serving++;
    __VERIFIER_atomic_end();
}

static void *writer(void *unused) {
    (void)unused;
    int mine = take_ticket();
    while (serving != mine) {
    }
    assert(!writing);
    writing = 1;
    writing = 0;
    leave();
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int mine = take_ticket();
    while (serving != mine) {
    }
    assert(!writing);
    leave();
    return NULL;
}

int main(void) {
    pthread_t id;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) pthread_create(&id, NULL, writer, NULL);
        else pthread_create(&id, NULL, reader, NULL);
    }
    return 0;
}
