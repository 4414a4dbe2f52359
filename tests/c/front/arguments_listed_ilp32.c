// expect: SAFE
// flags: --data-model ILP32
// As arguments_listed.c, on the stack of a smaller machine.
#include <assert.h>
#include <stdarg.h>

struct Long {
    long a, b, c;
};
struct Short {
    char a;
    short b;
};

static int sum(int n, ...) {
    va_list list;
    int result = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) result += va_arg(list, int);
    va_end(list);
    return result;
}

static int look(va_list list) {
    va_list again;
    va_copy(again, list);
    int ok = va_arg(list, int) == 1;
    ok &= va_arg(list, double) == 2.5;
    struct Long l = va_arg(list, struct Long);
    ok &= l.a == 3 && l.b == 4 && l.c == 5;
    ok &= va_arg(list, long long) == 6;
    struct Short s = va_arg(list, struct Short);
    ok &= s.a == 7 && s.b == 8;
    ok &= va_arg(again, int) == 1;
    va_end(again);
    return ok;
}

static int hand_on(int n, ...) {
    va_list list;
    va_start(list, n);
    int ok = look(list);
    va_end(list);
    return ok;
}

int main(void) {
    assert(sum(0) == 0);
    assert(sum(8, 1, 2, 3, 4, 5, 6, 7, 8) == 36);
    assert(hand_on(5, 1, 2.5, (struct Long){3, 4, 5}, 6LL, (struct Short){7, 8}));
    return 0;
}
