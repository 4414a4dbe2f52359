// expect: SAFE
/* An uninitialised variable holds some value, and a copy of it the same one, however it is made. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct Pair {
    bool first, second;
} Pair;

static bool same(Pair a, Pair b) { return a.second == b.second; }
static bool identity(bool x) { return x; }

int main(void) {
    bool x, y = x, *cell = malloc(1), *other = malloc(1), array[2];
    assert(x == y);
    assert(identity(x) == x);
    *cell = y;
    assert(*cell == x);
    *other = *cell;
    assert(*other == *cell);
    bool swap = array[0];
    array[0] = array[1];
    array[1] = swap;
    assert(array[1] == swap);
    if (array[0]) assert(array[0]);
    Pair p;
    p.first = true;
    bool second = p.second;
    assert(same(p, p));
    assert(p.second == second);
    return 0;
}
