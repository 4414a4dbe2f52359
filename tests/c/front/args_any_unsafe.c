// expect: UNSAFE reads argv[2][0] = 'x' (input)
// Without --args main is called with anything: some arguments, with any contents.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "-n")) assert(argv[2][0] != 'x');
    return 0;
}
