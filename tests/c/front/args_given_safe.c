// expect: SAFE note: assuming that the program is called as: program 12 'a b' "" \'x (--args)
// flags: --args "12 'a b' \"\" \\'x"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    assert(argc == 5 && argv[5] == NULL);
    assert(atoi(argv[1]) == 12);
    assert(!strcmp(argv[2], "a b"));
    assert(argv[3][0] == 0);
    assert(!strcmp(argv[4], "'x"));
    argv[2][0] = 'b';
    assert(argv[2][0] == 'b');
    return 0;
}
