// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// memcmp of structs compares the bytes of addresses, whose order is open.
#include <assert.h>
#include <string.h>

static int g, h;
static struct pair {
    int *p;
    int x, y;
} a = {&g, 1, 1}, b = {&h, 1, 1};

int main(void) {
    assert(memcmp(&a, &b, sizeof a) < 0);
    return 0;
}
