// expect: UNSAFE 2147483000 + 1000 does not fit into 32 bits
// flags: -p no-overflow -e explicit
/* The operands are told, also where one was read in the same step. */
int x = 2147483000;

int main(void) {
    int l = x + 1000;
    return l != 0;
}
