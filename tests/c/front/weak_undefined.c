// expect: SAFE
// A weak function that no file of the program defines may be null, or a function of another file.
#include <assert.h>
extern void opt(void) __attribute__((weak)); int n; void (*f)(void) = opt;
int main(void) { void (*p)(void) = opt; if (p) n = 1; assert(n == 0 || n == 1); return 0; }
