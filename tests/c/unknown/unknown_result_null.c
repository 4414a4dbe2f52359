// expect: UNKNOWN an error is reachable if find() returns NULL at line 8
/* … or if it returns nothing. */
#include <assert.h>

void *find(int key);

int main(void) {
    void *found = find(3);
    assert(found);
    return 0;
}
