/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"
#include <stddef.h>
#include <string.h>

static unsigned edit_distance(const char *a, const char *b) {
    size_t n = strlen(b);
    if (n >= 64 || strlen(a) >= 64) return ~0u;
    unsigned row[64];
    for (unsigned j = 0; j <= n; j++) row[j] = j;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

const char *nearest_word(const char *text, const char *const *candidates, unsigned n) {
    const char *best = NULL;
    unsigned least = (unsigned)strlen(text) / 3 + 2;
    for (unsigned i = 0; i < n; i++) {
        unsigned d = candidates[i] ? edit_distance(text, candidates[i]) : ~0u;
        if (d < least) least = d, best = candidates[i];
    }
    return best;
}
