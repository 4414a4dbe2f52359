// expect: UNSAFE assertion text[0] == 0 fails
// What lies beyond the buffer stays, and no more elements come than were asked for; after the end nothing comes; but what comes is any.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[3] = {0, 0, 7};
    size_t n = fread(text, 1, 2, stdin);
    assert(n <= 2 && text[2] == 7);
    if (n < 2) assert(fread(text, 1, 2, stdin) == 0);
    assert(text[0] == 0);
    return 0;
}
