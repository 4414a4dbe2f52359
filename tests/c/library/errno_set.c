// expect: SAFE
/* What sets errno, and what leaves it alone. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    assert(calloc((size_t)-1, 16) == NULL && errno == ENOMEM);
    errno = 0;
    assert(strtol("123", NULL, 10) == 123 && errno == 0);
    assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
    return 0;
}
