// expect: SAFE
/* Where blocks end, and where they do not: what runs at the end of a block still sees its variables; the rest of an if or a loop, the value of a
   statement expression, a jump within the block. */
#include <assert.h>

int seen, *p;

static void note(int **q) { seen += **q; }

static int lasts(int n) {
    int *s = 0;
    {
        int y = 9;
    again:
        if (s) {
            assert(*s == 9);
            return *s + n;
        }
        s = &y;
        goto again;
    }
}

int main(void) {
    {
        int x = 5;
        __attribute__((cleanup(note))) int *w = &x;
        p = w;
    }
    assert(seen == 5);
    int r = ({ int s = 3; p = &s; *p; });
    assert(r == 3);
    if (*(p = &(int){7}) == 7 && *p) {
        r += *p;
    }
    assert(r == 10);
    for (int i = 0, *q = &i; *q < 3; ++*q) {
        int v = i, *w = &v;
        if (i == 1) continue;
        assert(*w == i);
        r += *w;
    }
    assert(r == 12);
    switch (r) {
        int k;
    case 12:
        p = &k;
        *p = 4;
        assert(k == 4);
        break;
    default: p = 0;
    }
    assert(lasts(1) == 10);
    return 0;
}
