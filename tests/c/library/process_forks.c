// expect: UNKNOWN daemon
// What makes processes is not modelled, by whatever name.
#define _DEFAULT_SOURCE
#include <assert.h>
#include <unistd.h>

int main(void) {
    int before = getpid();
    daemon(1, 1);
    assert(getpid() == before);
    return 0;
}
