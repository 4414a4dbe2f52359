// expect: SAFE
/* What is padding in one member of a union is a field in another. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct key {
    char kind;
    int value;
};
union both {
    struct key key;
    unsigned char bytes[8];
    short halves[4];
};
static union both global;

int main(void) {
    union both a, b, *p = malloc(sizeof *p);
    memset(&a, 0x5a, sizeof a);
    a.key.kind = 1;
    a.key.value = 2;
    b = a;
    global = b;
    assert(global.bytes[1] == 0x5a && global.bytes[3] == 0x5a && global.bytes[0] == 1 && global.halves[2] == 2);
    if (!p) return 0;
    *p = global;
    assert(p->bytes[2] == 0x5a);
    return 0;
}
