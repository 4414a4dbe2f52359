// expect: UNKNOWN an error is reachable if limit is
// flags: -e redcomp
// What a variable holds that no file defines is not known.
#include <assert.h>
extern int limit;
int main(void) {
    assert(limit < 100);
    return 0;
}
