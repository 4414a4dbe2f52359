// expect: UNSAFE assertion argc > 0 fails
// Even the name of the program may be missing.
#include <assert.h>

int main(int argc, char *argv[]) {
    if (argv[argc]) return 1;
    assert(argc > 0);
    return 0;
}
