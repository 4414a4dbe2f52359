// expect: UNKNOWN not be open
/* Nothing comes from a file that was closed. */
#include <assert.h>
#include <unistd.h>
int main(void) {
  char c;
  close(0);
  assert(read(0, &c, 1) <= 0);
}
