// expect: UNKNOWN
// flags: --timeout 5
// A function that is not known may set errno.
#include <assert.h>
#include <errno.h>

int chdir(const char *);

int main(void) {
    errno = 0;
    chdir("/nowhere");
    assert(errno == 0);
    return 0;
}
