// expect: UNKNOWN defines __assert_fail itself
/* Whether a failing assertion is an error where the program says itself what happens then, is not for us to say. */
#include <assert.h>
#include <stdlib.h>

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text, (void)file, (void)line, (void)function;
    abort();
}

int main(void) {
    assert(0);
    return 0;
}
