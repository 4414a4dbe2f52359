// expect: UNSAFE
// What allocates may change errno even if it succeeds.
#include <assert.h>
#include <errno.h>
#include <string.h>

int main(void) {
    errno = 7;
    char *copy = strdup("text");
    assert(errno == 7 || !copy);
    return 0;
}
