// expect: UNSAFE assertion c[0] == 0 fails
// A comparison of vectors gives -1 where it holds.
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));
extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); v4 a = {n, 1, 2, 3}; v4 b = a * 2; v4 c = b > 6; assert(c[0] == 0 || c[1] == 0); assert(c[0] == 0); return 0; }
