// expect: UNSAFE line 13
/* An atomic bool is 0 or 1, whatever is added to it. */
#include <assert.h>
#include <stdatomic.h>
static atomic_bool b = 1;
int main(void) {
  b |= 2;
  assert(b == 1);
  b += 255;
  assert(b == 1);
  _Bool was = b--;
  assert(was == 1 && b == 0);
  assert(b-- && "line 13");
}
