// expect: UNKNOWN a format of scanf
// A format that can be changed is not a constant.
#include <assert.h>
#include <stdio.h>
char format[] = "%d";
int main(void) {
    int x = 0;
    format[1] = 'c';
    if (scanf(format, &x) == 1) assert(x >= 0);
    return 0;
}
