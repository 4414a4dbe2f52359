// expect: UNSAFE
#include <assert.h>
#include <string.h>

static char a[] = "a", b[] = "b";

int main(void) {
    assert(memcmp(b, a, 1) == 1);
    return 0;
}
