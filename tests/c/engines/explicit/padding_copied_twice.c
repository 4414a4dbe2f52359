// expect: UNKNOWN its copy another; initialise it [H1058]
// flags: -e explicit
/* A byte that was never written and its copy have one value: that they could differ, as the interpreter has it, is no violation. */
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
    assert(!memcmp(&a, &b, sizeof a));
    return 0;
}
