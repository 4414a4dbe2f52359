// expect: UNKNOWN a format with other conversions
// The digits of a number of floating point are not modelled.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[32];
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert(text[0] == '0');
    return 0;
}
