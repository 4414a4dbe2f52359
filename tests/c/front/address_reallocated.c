// expect: SAFE
// realloc moves whole addresses.
#include <assert.h>
#include <stdlib.h>

static int **list, x[4];
static unsigned used, room;

static void append(int *p) {
    if (used == room) {
        room = room ? 2 * room : 1;
        list = realloc(list, room * sizeof *list);
    }
    list[used++] = p;
}

int main(void) {
    for (int i = 0; i < 4; i++) append(&x[i]);
    for (unsigned i = 0; i < used; i++) assert(list[i] == &x[i]);
    free(list);
    return 0;
}
