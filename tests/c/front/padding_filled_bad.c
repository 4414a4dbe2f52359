// expect: UNSAFE
/* memset sets the padding too. */
#include <assert.h>
#include <string.h>

struct key {
    char kind;
    int value;
} key;

int main(void) {
    memset(&key, 0xff, sizeof key);
    assert(((unsigned char *)&key)[2] == 0);
    return 0;
}
