// expect: UNKNOWN call of the unknown function run
/* No assertion is in sight, but not all is in sight. */
#include <stdlib.h>

static int n;
void run(int *);

int main(void) {
    run(&n);
    return n;
}
