// expect: SAFE
/* An uninitialised variable holds some value, and a copy of it the same one, however it is made. */
#include <assert.h>
#include <stdbool.h>

typedef struct Pair {
    char first, second;
} Pair;

static bool same(Pair a, Pair b) { return a.second == b.second; }
static char identity(char x) { return x; }

static void variables(void) {
    char x, y = x;
    assert(x == y);
    assert(identity(x) == x);
}

static void members(void) {
    Pair p;
    p.first = 1;
    char second = p.second;
    assert(same(p, p));
    assert(p.second == second);
}

int main(void) {
    variables();
    members();
    return 0;
}
