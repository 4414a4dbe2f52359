// expect: SAFE
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 1, k = 2;
    switch (scanf("%d %d", &n, &k)) {
    case 1: assert(k == 2); break;
    case 2: break;
    case 0: assert(n == 1 && k == 2); break;
    default: assert(n == 1 && scanf("%d", &n) == EOF);
    }
    return 0;
}
