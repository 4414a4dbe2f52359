// The compiler keeps allocations whose memory is not used: they may fail.
// broken: unreach-call
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    void *memory = calloc((size_t)-1, 16);
#ifdef BROKEN
    assert(memory);
#else
    assert(!memory && errno == ENOMEM);
#endif
    free(memory);
    return 0;
}
