// expect: UNKNOWN longjmp
// setjmp returns as others do, the first time.
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffer;

int main(void) {
    if (setjmp(buffer) == 0) longjmp(buffer, 1);
    assert(0);
    return 0;
}
