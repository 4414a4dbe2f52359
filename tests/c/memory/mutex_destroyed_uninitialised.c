// expect: UNSAFE use of a mutex that was never initialised
// flags: -p valid-memsafety
#include <stdlib.h>
#include <threads.h>
int main(void) {
    mtx_t *m = malloc(sizeof *m);
    if (!m) return 1;
    mtx_destroy(m);
    free(m);
}
