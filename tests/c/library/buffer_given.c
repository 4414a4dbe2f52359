// expect: UNKNOWN with a buffer of the program's own
#include <assert.h>
#include <stdio.h>

static char buffer[BUFSIZ];

int main(void) {
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("hello");
    assert(buffer[0] == 0);
    return 0;
}
