// expect: UNKNOWN input after the end of the file
// flags: --timeout 5
/* After the end of the file nothing comes. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (getchar() == EOF) assert(getchar() == EOF);
    return 0;
}
