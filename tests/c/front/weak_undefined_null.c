// expect: UNKNOWN another file may define the weak function opt
// It is not known whether another file defines the weak function.
#include <assert.h>
extern void opt(void) __attribute__((weak));
int main(void) { assert(!opt); return 0; }
