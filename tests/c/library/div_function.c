// expect: SAFE
#include <assert.h>
#include <stdlib.h>
int main(void) {
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(7, -2);
    lldiv_t ll = lldiv(1ll << 40, 3);
    assert(d.quot == -3 && d.rem == -1);
    assert(l.quot == -3 && l.rem == 1);
    assert(ll.quot == 366503875925 && ll.rem == 1);
}
