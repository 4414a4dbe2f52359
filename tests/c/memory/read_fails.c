// expect: UNSAFE
// flags: --property valid-memsafety
// read may fail: then there is no byte before the first.
#include <unistd.h>
int main(void) {
    char text[8];
    ssize_t n = read(0, text, sizeof text - 1);
    text[n] = 0;
    return 0;
}
