// expect: SAFE
// What is freed at the end cannot lie where a local has been since before: a part of it has another address.
#include <assert.h>
#include <stdlib.h>

struct node { long a, b; };
struct node *nodes, *queue, global;

int main(void) {
    struct node local, *before;
    queue = &local;
    nodes = malloc(3 * sizeof *nodes);
    for (int i = 0; i < 3; i++) {
        before = queue;
        queue = &nodes[i];
        assert(before != queue);
        assert(before != &global);
    }
    assert(queue != &local);
    free(nodes);
    return 0;
}
