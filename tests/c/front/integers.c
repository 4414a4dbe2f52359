// expect: SAFE
/* Integer arithmetic of all widths: promotion, wrap-around, shifts, conversions. */
#include <assert.h>
#include <limits.h>
#include <stdint.h>

static volatile unsigned char byte = 255;
static volatile short half = -2;
static volatile unsigned word = UINT_MAX;
static volatile int64_t wide = INT64_MIN;

int main(void) {
    byte++;
    assert(byte == 0);
    assert((unsigned short)half == 65534 && half >> 1 == -1);
    assert(word + 1 == 0 && (word << 31) == 0x80000000u);
    assert(half < 0 && !((unsigned)half < word - 1));
    assert((int)(wide >> 63) == -1 && (uint64_t)wide >> 63 == 1);
    assert(-7 / 2 == -3 && -7 % 2 == -1);
    assert((signed char)200 == -56 && (_Bool)256 == 1);
    assert(sizeof(long) == 8 && sizeof(void *) == 8);
    return 0;
}
