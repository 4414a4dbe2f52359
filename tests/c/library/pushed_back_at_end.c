// expect: UNKNOWN pushed back
/* … also behind the end of the file: the assertion fails. */
#include <assert.h>
#include <stdio.h>
int main(void) {
  if (getchar() != EOF) return 0;
  ungetc('q', stdin);
  assert(getchar() == EOF);
}
