// expect: UNKNOWN input after the end of the file
// flags: --may-fail --timeout 5
/* … but after a failure to read something may come. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (getchar() == EOF) assert(getchar() == EOF);
    return 0;
}
