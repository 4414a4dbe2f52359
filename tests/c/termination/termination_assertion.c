// expect: SAFE Every execution ends
// flags: --property termination
// Who violates an assertion ends the process.
#include <assert.h>
int main(void) {
    for (int i = 0;; i++) assert(i < 3);
}
