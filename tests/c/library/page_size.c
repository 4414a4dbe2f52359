// expect: SAFE
/* Pages have one size, a power of two. */
#include <assert.h>
#include <unistd.h>
int main(void) {
  long size = sysconf(_SC_PAGESIZE);
  assert(size == getpagesize() && size >= 4096 && (size & (size - 1)) == 0);
}
