// expect: SAFE
/* What other files can name changes nothing, and tells no address. */
#include <assert.h>

static int n;
const int limit = 3;
int twice(int k) { return 2 * k; }
int get(void) { return n; }
void touch(int);

int main(void) {
    touch(limit);
    assert(get() == 0);
    return 0;
}
