// expect: SAFE
// flags: --property valid-memsafety
#include <unistd.h>
int main(void) {
    char text[8];
    ssize_t n = read(0, text, sizeof text - 1);
    if (n < 0) return 1;
    text[n] = 0;
    return 0;
}
