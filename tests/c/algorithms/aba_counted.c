// expect: SAFE
/* The ABA problem cured: the top is an index with a count that changes at every success, swapped together. Indices, not
   pointers, so both fit into one word. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0 };
static int next[3]; /* of node 1 and 2 */
static atomic_uint top; /* count << 8 | index */

static unsigned index_of(unsigned word) { return word & 0xff; }
static unsigned word(unsigned old, unsigned index) { return ((old >> 8) + 1) << 8 | index; }

static void push(unsigned node) {
    unsigned old = top;
    do next[node] = (int)index_of(old);
    while (!atomic_compare_exchange_strong(&top, &old, word(old, node)));
}

static unsigned pop(void) {
    unsigned old = top;
    while (index_of(old) != NONE &&
           !atomic_compare_exchange_strong(&top, &old, word(old, (unsigned)next[index_of(old)]))) {
    }
    return index_of(old);
}

static atomic_int held[3];

static void own(unsigned node) { assert(atomic_fetch_add(&held[node], 1) == 0); }

static void *slow(void *unused) {
    (void)unused;
    unsigned node = pop();
    if (node != NONE) own(node);
    return NULL;
}

static void *quick(void *unused) {
    (void)unused;
    unsigned a = pop();
    unsigned b = pop();
    if (b != NONE) own(b);
    if (a != NONE) push(a);
    return NULL;
}

int main(void) {
    push(2);
    push(1);
    pthread_t first, second;
    pthread_create(&first, NULL, slow, NULL);
    pthread_create(&second, NULL, quick, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    unsigned left = pop();
    if (left != NONE) own(left);
    return 0;
}
