// expect: UNSAFE
/* A call that succeeds may leave a number in errno, unless it is said not to. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    printf("hello\n");
    assert(errno == 0);
    return 0;
}
