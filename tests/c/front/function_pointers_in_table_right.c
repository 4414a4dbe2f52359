// expect: SAFE
// Functions of one type in a table, in a variable, as a parameter, as a result, and through a struct that is copied: none is left out.
#include <assert.h>
#include <string.h>
typedef int (*step)(int);
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int three(int x) { return x + 3; }
static int four(int x) { return x + 4; }
static int five(int x) { return x + 5; }
struct holder { int tag; step held; };
static step table[2] = {one, two};
static step choose(int which) { return which ? three : two; }
static int apply(step s, int x) { return s(x); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int() != 0;
    struct holder a = {1, four}, b;
    memcpy(&b, &a, sizeof a);
    step variable = i ? five : one;
    int x = table[i](0);     /* 1 or 2 */
    x = choose(i)(x);        /* 3 or 5 */
    x = apply(variable, x);  /* 4 or 10 */
    x = b.held(x);           /* 8 or 14 */
    assert(x == 8 || x == 14);
}
