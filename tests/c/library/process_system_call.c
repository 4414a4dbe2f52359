// expect: UNKNOWN syscall
// What makes processes is not modelled, by whatever name.
#define _DEFAULT_SOURCE
#include <assert.h>
#include <unistd.h>

int main(void) {
    int before = getpid();
    syscall(57);
    assert(getpid() == before);
    return 0;
}
