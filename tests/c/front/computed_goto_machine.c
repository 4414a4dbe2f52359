// expect: SAFE
// A small interpreter that jumps from instruction to instruction.
#include <assert.h>

static int run(const unsigned char *code) {
    static void *const actions[] = {&&stop, &&increment, &&twice};
    int x = 0;
    goto *actions[*code++];
increment:
    x++;
    goto *actions[*code++];
twice:
    x *= 2;
    goto *actions[*code++];
stop:
    return x;
}

int main(void) {
    static const unsigned char code[] = {1, 2, 1, 2, 0};
    assert(run(code) == 6);
    return 0;
}
