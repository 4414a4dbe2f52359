// expect: SAFE
/* atoi, strtol and their kin. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *end;
    assert(atoi("  -42abc") == -42);
    assert(strtol("0x1f,", &end, 16) == 31 && *end == ',');
    assert(strtoul("377", NULL, 8) == 255);
    assert(abs(-3) == 3 && labs(4L) == 4);
    return 0;
}
