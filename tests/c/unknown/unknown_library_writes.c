// expect: UNKNOWN call of the unknown function recv, which gets a pointer
/* … and to that they do write. */
#include <assert.h>
#include <sys/socket.h>

static char n;

int main(void) {
    recv(0, &n, 1, 0);
    assert(n == 0);
    return 0;
}
