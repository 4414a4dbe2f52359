// expect: UNKNOWN what is read again
/* From the start of the file all comes again. */
#include <assert.h>
#include <stdio.h>
int main(void) {
  if (getchar() != EOF) return 0;
  rewind(stdin);
  assert(getchar() == EOF);
}
