// expect: UNKNOWN a variable of the environment
/* It is what it was set to. */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  setenv("MODE", "1", 1);
  assert(getenv("MODE"));
}
