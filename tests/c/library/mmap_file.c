// expect: UNKNOWN mmap of a file
// The contents of a file are not modelled.
#include <assert.h>
#include <sys/mman.h>

int main(void) {
    int *p = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE, 3, 0);
    if (p != MAP_FAILED) assert(p[0] == 0);
    return 0;
}
