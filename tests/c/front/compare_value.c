// expect: UNSAFE
/* … but no more is known of it. */
#include <assert.h>
#include <string.h>

static char a[] = "a", b[] = "b";

int main(void) {
    int order = strcmp(a, b);
    assert(order == -1);
    return 0;
}
