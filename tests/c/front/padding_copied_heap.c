// expect: SAFE
/* The same on the heap, at places that are known: the symbolic engines have one value for both. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct key {
    char kind;
    int value;
};

int main(void) {
    struct key *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) return 0;
    a->kind = 1;
    a->value = 7;
    memcpy(b, a, sizeof *a);
    assert(b->value == 7 && ((char *)b)[2] == ((char *)a)[2]);
    return 0;
}
