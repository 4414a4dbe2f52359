// expect: UNSAFE
/* QRCU (McKenney), 1 reader and an updater: the updater does not wait for the last reader. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
static int side;                 /* the counter that readers use */
static int counter[2] = {1, 0};
static int progress[1];          /* of each reader: 0, 1 reading, 2 done */

static int enter(int chosen) {
    __VERIFIER_atomic_begin();
    int alive = counter[chosen] > 0;
    if (alive) counter[chosen]++;
    __VERIFIER_atomic_end();
    return alive;
}

static void add(int chosen, int n) {
    __VERIFIER_atomic_begin();
    counter[chosen] += n;
    __VERIFIER_atomic_end();
}

static void read_side(int reader) {
    for (;;) {
        if (side == 0) {
            if (!enter(0)) continue;
            progress[reader] = 1;
            progress[reader] = 2;
            add(0, -1);
        } else {
            if (!enter(1)) continue;
            progress[reader] = 1;
            progress[reader] = 2;
            add(1, -1);
        }
        return;
    }
}

static void *reader0(void *unused) {
    (void)unused;
    read_side(0);
    return NULL;
}

/* The sum of both counters, read one after the other in some order. */
static int sum(void) {
    int first, second;
    if (__VERIFIER_nondet_int()) {
        first = counter[0];
        second = counter[1];
    } else {
        first = counter[1];
        second = counter[0];
    }
    return first + second;
}

static void *updater(void *unused) {
    (void)unused;
    int seen0 = progress[0];
    int users = sum();
    if (users <= 1) users = sum();
    if (users > 1) {
        if (side == 0) {
            add(1, 1);
            side = 1;
            add(0, -1);
            while (counter[0] > 1) {
            }
        } else {
            add(0, 1);
            side = 0;
            add(1, -1);
            while (counter[1] > 1) {
            }
        }
    }
    if (seen0 == 1) assert(progress[0] == 2);
    return NULL;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, updater, NULL);
    pthread_create(&id[1], NULL, reader0, NULL);
    for (int i = 0; i < 2; i++) pthread_join(id[i], NULL);
    return 0;
}
