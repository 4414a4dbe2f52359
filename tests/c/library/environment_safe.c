// expect: SAFE
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    int n = 1;
    if (getenv("SLOWLY")) n = 2;
    assert(n < 3);
    assert(sysconf(_SC_NPROCESSORS_ONLN) > 0);
    return 0;
}
