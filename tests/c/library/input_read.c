// expect: UNSAFE assertion c == 0 fails
#include <assert.h>
#include <unistd.h>

int main(void) {
    char c = 0;
    read(0, &c, 1);
    assert(c == 0);
    return 0;
}
