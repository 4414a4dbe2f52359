/* SPDX-License-Identifier: Apache-2.0 */
#include "fences.h"

int f1, f2, turn = 1, inside;

void *first(void *p) {
    ROUNDS {
        f1 = 1;
        FULL();
        while (f2)
            if (turn != 1) {
                f1 = 0;
                while (turn != 1) {}
                f1 = 1;
                FULL();
            }
        inside = 1;
        assert(inside == 1);
        STORES();
        turn = 2;
        STORES();
        f1 = 0;
    }
    return p;
}
void *second(void *p) {
    ROUNDS {
        f2 = 1;
        FULL();
        while (f1)
            if (turn != 2) {
                f2 = 0;
                while (turn != 2) {}
                f2 = 1;
                FULL();
            }
        inside = 2;
        assert(inside == 2);
        STORES();
        turn = 1;
        STORES();
        f2 = 0;
    }
    return p;
}
int main(void) {
    run(first, second);
    return 0;
}
