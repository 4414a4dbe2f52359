// expect: SAFE use after free
// A text that is printed must be there.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = strdup("text");
    free(text);
    puts(text);
    assert(0);
    return 0;
}
