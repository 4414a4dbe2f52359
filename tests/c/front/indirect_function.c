// expect: UNKNOWN
/* Which function is called is decided by another one when the program is loaded. */
#include <assert.h>

static int three(void) { return 3; }
static int (*resolve(void))(void) { return three; }
int chosen(void) __attribute__((ifunc("resolve")));

int main(void) {
    assert(chosen() != 3);
    return 0;
}
