// expect: SAFE
// setjmp returns as others do, if nobody jumps.
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffer;

int main(void) {
    if (setjmp(buffer) == 0) return 0;
    assert(0);
    return 0;
}
