// pass: unspecified-values
/* The index may lead from the array of pointers to the number behind it. The program stops there, so the number is no part of an address. */
#include <assert.h>
#include <stddef.h>

static struct {
    int *items[4];
    unsigned used;
} s;
static int g;

int main(void) {
    s.items[s.used++] = &g;
    assert(s.used == 1 && s.items[0]);
    return 0;
}
