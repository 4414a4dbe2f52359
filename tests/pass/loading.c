// pass: promote
// pass: jump-ahead
// pass: clean
// pass: count-threads
// pass: opaque
// pass: clean-opaque
/* A local in memory, a branch that is decided before, a comparison of addresses that C leaves open. */
extern void reach_error(void);
static int a, b;

int main(void) {
    int flag = 0;
    if (&a < &b) flag = 1;
    if (flag) a = 2;
    if (a == 3) reach_error();
    return 0;
}
