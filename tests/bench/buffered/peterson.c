/* SPDX-License-Identifier: Apache-2.0 */
#include "fences.h"

int f1, f2, turn, inside;

void *first(void *p) {
    ROUNDS {
        f1 = 1;
        STORES();
        turn = 2;
        FULL();
        while (f2 && turn == 2) {}
        inside = 1;
        assert(inside == 1);
        STORES();
        f1 = 0;
    }
    return p;
}
void *second(void *p) {
    ROUNDS {
        f2 = 1;
        STORES();
        turn = 1;
        FULL();
        while (f1 && turn == 1) {}
        inside = 2;
        assert(inside == 2);
        STORES();
        f2 = 0;
    }
    return p;
}
int main(void) {
    run(first, second);
    return 0;
}
