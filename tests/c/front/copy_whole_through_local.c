// expect: SAFE
/* A local of which only the first byte is looked at passes on all of them. */
#include <assert.h>

struct many {
    char b[100];
};

int main(void) {
    struct many a, between, last;
    for (int i = 0; i < 100; i++) a.b[i] = (char)i;
    between = a;
    last = between;
    int sum = between.b[0];
    for (int i = 0; i < 100; i++) sum += last.b[i];
    assert(sum == 4950);
    return 0;
}
