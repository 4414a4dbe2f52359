// expect: SAFE
// flags: -p valid-memsafety -e weave --second-solver
extern int __VERIFIER_nondet_int(void);
static struct { int before, list[4]; } s;
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= -1 && i < 4) (&s.list[0])[i] = 1;
}
