// expect: SAFE
// flags: --may-fail
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (p == NULL) assert(errno == ENOMEM);
    return 0;
}
