// expect: UNKNOWN setsockopt
// flags: -p valid-memsafety
#include <stdlib.h>
#include <sys/socket.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 1;
    free(p);
    setsockopt(0, SOL_SOCKET, SO_REUSEADDR, p, sizeof *p);
    return 0;
}
