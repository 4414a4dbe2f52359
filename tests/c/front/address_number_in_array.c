// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// Elements of an array are pointers or numbers. A number that is read where a pointer lies is open.
#include <assert.h>

static int g;
static union value {
    int n;
    int *p;
} v[2];

int main(void) {
    for (int i = 0; i < 2; i++) v[i].p = &g;
    for (int i = 0; i < 2; i++) assert(v[i].n == 4096);
    return 0;
}
