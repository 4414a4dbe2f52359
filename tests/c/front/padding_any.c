// expect: UNSAFE
/* What was never written is any value, and a copy of it the same. */
#include <assert.h>
#include <string.h>

struct key {
    char kind;
    int value;
};

int main(void) {
    struct key a, b;
    a.kind = 1;
    a.value = 7;
    memcpy(&b, &a, sizeof a);
    assert(((char *)&b)[2] == ((char *)&a)[2]);
    assert(((char *)&b)[2] == 0);
    return 0;
}
