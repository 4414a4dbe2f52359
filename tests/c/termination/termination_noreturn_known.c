// expect: SAFE Every execution ends
// flags: --property termination
#include <stdlib.h>
int main(void) {
    for (;;) exit(1);
}
