// expect: UNKNOWN stores through an argument
/* The conversion n stores how much was printed: output has an effect here, which is not modelled. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    int printed = 0;
    printf("%%n is %d%n\n", 5, &printed);
    assert(printed == 0);
    return 0;
}
