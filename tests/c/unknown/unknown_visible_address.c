// expect: UNKNOWN call of the unknown function touch, which may call place
/* The variable is hidden, but not who tells its address. */
#include <assert.h>

static int n;
int *place(void) { return &n; }
void touch(void);

int main(void) {
    touch();
    assert(n == 0);
    return 0;
}
