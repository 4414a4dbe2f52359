// expect: UNSAFE
/* The usual assumption is known by its name; one that does more has its body looked at. */
#include <assert.h>
#include <stdlib.h>

static int asked;
void assume_abort_if_not(int condition) {
    asked++;
    if (!condition) abort();
}

int main(void) {
    assume_abort_if_not(1);
    assert(asked == 0);
    return 0;
}
