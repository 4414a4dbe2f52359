// expect: UNKNOWN main is called with more than 3 arguments (--args says which), or longer than 15 characters
// Up to the bound all is well: there is a null behind the last argument, and each ends. Beyond it nothing is known.
#include <assert.h>

int main(int argc, char **argv) {
    assert(argv[argc] == 0);
    for (int i = 0; i < argc; i++) assert(argv[i] != 0);
    if (argc > 1) assert(argv[1][15] == 0);
    return 0;
}
