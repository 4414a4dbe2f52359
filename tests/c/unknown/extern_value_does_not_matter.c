// expect: UNSAFE
#include <assert.h>
extern int limit;
static int copy, count;
int main(void) {
    copy = limit;
    count++;
    assert(count == 0);
    return copy;
}
