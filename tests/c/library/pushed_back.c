// expect: UNKNOWN pushed back
/* What was pushed back comes next: no error is claimed. */
#include <assert.h>
#include <stdio.h>
int main(void) {
  int c = getchar();
  if (c == EOF) return 0;
  ungetc('q', stdin);
  assert(getchar() == 'q');
}
