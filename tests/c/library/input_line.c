// expect: UNSAFE assertion line[0] != 'x' fails
// flags: --timeout 20
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[2] = {1, 1};
    if (fgets(line, 2, stdin)) assert(line[0] != 'x');
    return 0;
}
