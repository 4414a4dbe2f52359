// expect: UNKNOWN which may change counter, which no file defines
/* A variable that no file defines belongs to whoever defines the unknown function. */
#include <assert.h>

extern int counter;
extern void count(void);

int main(void) {
    counter = 0;
    count();
    assert(counter == 0);
    return 0;
}
