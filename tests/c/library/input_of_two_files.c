// expect: UNKNOWN
// flags: --timeout 5
/* That one file has ended says nothing of another. */
#include <assert.h>
#include <stdio.h>

extern FILE *other_file(void);

int main(void) {
    FILE *file = other_file();
    int first = getchar(), second = fgetc(file);
    if (first == EOF) assert(second == EOF);
    return 0;
}
