/* SPDX-License-Identifier: Apache-2.0 */
/* Latches as in PostgreSQL: who finds its latch set expects its flag to be. */
#include "fences.h"

int l1 = 1, l2, f1 = 1, f2;

void *first(void *p) {
    ROUNDS {
        while (!l1) {}
        assert(!l1 || f1);
        l1 = 0;
        FULL();
        if (f1) {
            f1 = 0;
            STORES();
            f2 = 1;
            STORES();
            l2 = 1;
        }
    }
    return p;
}
void *second(void *p) {
    ROUNDS {
        while (!l2) {}
        assert(!l2 || f2);
        l2 = 0;
        FULL();
        if (f2) {
            f2 = 0;
            STORES();
            f1 = 1;
            STORES();
            l1 = 1;
        }
    }
    return p;
}
int main(void) {
    run(first, second);
    return 0;
}
