// expect: UNSAFE assertion argc != 2 fails
// flags: --args x
// The number of arguments is given, too, if only that is looked at.
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc != 2);
    return 0;
}
