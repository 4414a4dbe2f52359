// expect: UNSAFE
#include <assert.h>
#include <stdio.h>

int main(void) {
    int first = getchar(), second = getchar();
    assert(first != 'o' || second != 'k');
    return 0;
}
