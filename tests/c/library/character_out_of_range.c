// expect: SAFE undefined behaviour: access out of bounds
// Classes are those of EOF and of unsigned characters.
#include <assert.h>
#include <ctype.h>

int main(void) {
    int c = -100, r = isalpha(c);
    assert(!r && 0);
    return 0;
}
