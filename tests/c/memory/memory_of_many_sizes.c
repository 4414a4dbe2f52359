// expect: UNSAFE out of bounds
// flags: -p valid-memsafety -e redcomp
// One place allocates objects of several sizes.
#include <stdlib.h>
static int *row[3];
int main(void) {
    for (int i = 0; i < 3; i++) row[i] = malloc((i + 1) * sizeof **row);
    row[2][2] = 1;
    row[0][1] = 1;
    for (int i = 0; i < 3; i++) free(row[i]);
}
