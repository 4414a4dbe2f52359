// expect: SAFE
/* Structs with padding go through registers, two words at a time; nobody looks at the padding. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Entry {
    char tag;
    long weight;
} Entry;
typedef struct Small {
    char a;
    short b;
    char c;
} Small;

static Entry table[2];
static Small smalls[2];

static Entry make(char tag, long weight) {
    Entry e;
    e.tag = tag;
    e.weight = weight;
    return e;
}
static Small turn(Small s) {
    Small t;
    t.a = s.c;
    t.b = (short)-s.b;
    t.c = s.a;
    return t;
}
static Entry heavier(Entry a, Entry b) { return a.weight > b.weight ? a : b; }

static void *worker(void *argument) {
    Entry *place = argument;
    *place = make('w', 5);
    return NULL;
}

int main(void) {
    pthread_t thread;
    Entry *fresh = malloc(sizeof *fresh);
    pthread_create(&thread, NULL, worker, &table[1]);
    table[0] = make('m', 3);
    pthread_join(thread, NULL);
    *fresh = heavier(table[0], table[1]);
    assert(fresh->tag == 'w' && fresh->weight == 5);
    smalls[0] = turn((Small){1, 2, 3});
    smalls[1] = turn(smalls[0]);
    assert(smalls[1].a == 1 && smalls[1].b == 2 && smalls[1].c == 3);
    free(fresh);
    return 0;
}
