// expect: SAFE
/* What the read-modify-write operations return and do, on several widths. */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t byte = 250;
static _Atomic int64_t wide = -1;
static atomic_uint bits = 0xf0;
static atomic_bool flag;

int main(void) {
    assert(atomic_fetch_add(&byte, 10) == 250 && byte == 4);
    assert(atomic_fetch_sub(&wide, 1) == -1 && wide == -2);
    assert(atomic_fetch_or(&bits, 0x0f) == 0xf0 && bits == 0xff);
    assert(atomic_fetch_and(&bits, 0x3c) == 0xff && bits == 0x3c);
    assert(atomic_fetch_xor(&bits, 0xff) == 0x3c && bits == 0xc3);
    assert(atomic_exchange(&flag, 1) == 0 && flag);
    int64_t expected = 5;
    assert(!atomic_compare_exchange_strong(&wide, &expected, 7) && expected == -2 && wide == -2);
    assert(atomic_compare_exchange_strong(&wide, &expected, 7) && wide == 7);
    return 0;
}
