// expect: SAFE
/* After the end of the file nothing comes. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    if (getchar() == EOF) assert(getchar() == EOF);
    return 0;
}
