// expect: UNKNOWN the variable table, whose size no file says
#include <assert.h>

extern int table[];

int main(void) {
    table[1] = 5;
    assert(0);
}
