// expect: UNKNOWN an address on the stack
// flags: --engine impact
#include <assert.h>

int main(void) { assert(__builtin_frame_address(0) == 0); }
