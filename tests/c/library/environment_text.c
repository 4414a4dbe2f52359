// expect: UNSAFE
// … to any text.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    const char *text = getenv("MODE");
    assert(!text || text[0] != 'x');
    return 0;
}
