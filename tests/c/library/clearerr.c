// expect: UNSAFE
/* The end of the file is forgotten: on a terminal more may come. */
#include <assert.h>
#include <stdio.h>
int main(void) {
  if (getchar() != EOF) return 0;
  clearerr(stdin);
  assert(getchar() == EOF);
}
