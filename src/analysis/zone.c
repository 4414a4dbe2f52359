/* SPDX-License-Identifier: Apache-2.0 */
/* Closure by shortest paths: bounds are lengths of edges. Pairs that differ make bounds of 0 strict. */
#include "analysis/zone.h"
#include "base/die.h"
#include "base/messages.h"
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p) out_of_resources(MSG_BASE_NO_MEMORY);
    return p;
}

Zone *zone_new(unsigned n) {
    Zone *z = allocate(sizeof *z);
    *z = (Zone){.n = n, .closed = true, .bound = allocate((size_t)n * n * sizeof *z->bound), .apart = allocate((size_t)n * n)};
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) z->bound[i * n + j] = i == j ? 0 : ZONE_UNBOUNDED;
    memset(z->apart, 0, (size_t)n * n);
    return z;
}

Zone *zone_copy(const Zone *z) {
    Zone *copy = allocate(sizeof *copy);
    *copy = *z;
    copy->bound = allocate((size_t)z->n * z->n * sizeof *z->bound);
    copy->apart = allocate((size_t)z->n * z->n);
    memcpy(copy->bound, z->bound, (size_t)z->n * z->n * sizeof *z->bound);
    memcpy(copy->apart, z->apart, (size_t)z->n * z->n);
    return copy;
}

void zone_free(Zone *z) {
    if (!z) return;
    free(z->bound);
    free(z->apart);
    free(z);
}

/* ---- restriction ---- */

static bool is_finite(i128 c) { return c < ZONE_UNBOUNDED; }

void zone_restrict(Zone *z, unsigned i, unsigned j, i128 c) {
    ensure(i < z->n && j < z->n);
    if (c >= ZONE_UNBOUNDED || c <= -ZONE_UNBOUNDED) return;
    if (i == j) {
        z->empty |= c < 0;
        return;
    }
    if (c >= z->bound[i * z->n + j]) return;
    z->bound[i * z->n + j] = c;
    z->closed = false;
}

void zone_exclude(Zone *z, unsigned i, unsigned j, i128 c) {
    ensure(i < z->n && j < z->n);
    unsigned n = z->n;
    if (i == j) {
        z->empty |= c == 0;
        return;
    }
    if (c == 0 && !z->apart[i * n + j]) {
        z->apart[i * n + j] = z->apart[j * n + i] = true;
        z->closed = false;
    }
    if (c == 0) return;
    if (z->bound[i * n + j] == c) zone_restrict(z, i, j, c - 1);
    if (z->bound[j * n + i] == -c) zone_restrict(z, j, i, -c - 1);
}

static void shortest_paths(Zone *z) {
    unsigned n = z->n;
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < n; i++) {
            i128 first = z->bound[i * n + k];
            if (!is_finite(first)) continue;
            for (unsigned j = 0; j < n; j++) {
                i128 second = z->bound[k * n + j];
                if (is_finite(second) && first + second < z->bound[i * n + j]) z->bound[i * n + j] = first + second;
            }
        }
    for (unsigned i = 0; i < n; i++) z->empty |= z->bound[i * n + i] < 0;
}

/* Propagates pairs: a variable that equals one of a pair differs from the other. */
static void share_pairs(Zone *z) {
    unsigned n = z->n;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++) {
            if (i == k || z->bound[i * n + k] != 0 || z->bound[k * n + i] != 0) continue;
            for (unsigned j = 0; j < n; j++)
                if (z->apart[k * n + j]) z->apart[i * n + j] = z->apart[j * n + i] = true;
        }
}

/* Makes bounds of 0 between variables that differ strict. True if a bound became smaller. */
static bool tighten(Zone *z) {
    unsigned n = z->n;
    bool changed = false;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            if (!z->apart[i * n + j]) continue;
            z->empty |= i == j;
            if (z->bound[i * n + j] != 0) continue;
            z->bound[i * n + j] = -1;
            changed = true;
        }
    return changed;
}

void zone_close(Zone *z) {
    while (!z->closed && !z->empty) {
        shortest_paths(z);
        if (z->empty) break;
        share_pairs(z);
        z->closed = !tighten(z);
    }
}

/* ---- union ---- */

static bool differ(const Zone *z, unsigned i, unsigned j) {
    return z->apart[i * z->n + j] || z->bound[i * z->n + j] < 0 || z->bound[j * z->n + i] < 0;
}

static void assign_zone(Zone *z, const Zone *other) {
    memcpy(z->bound, other->bound, (size_t)z->n * z->n * sizeof *z->bound);
    memcpy(z->apart, other->apart, (size_t)z->n * z->n);
    z->empty = other->empty;
    z->closed = other->closed;
}

void zone_join(Zone *z, const Zone *other) {
    ensure(z->n == other->n);
    unsigned n = z->n;
    if (other->empty) return;
    if (z->empty) {
        assign_zone(z, other);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) z->apart[i * n + j] = i != j && differ(z, i, j) && differ(other, i, j);
    for (unsigned i = 0; i < n * n; i++)
        if (other->bound[i] > z->bound[i]) z->bound[i] = other->bound[i];
}

static i128 next_threshold(i128 c, const i128 *thresholds, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (thresholds[i] >= c) return thresholds[i];
    return ZONE_UNBOUNDED;
}

bool zone_widen(Zone *z, const Zone *other, const i128 *thresholds, size_t count) {
    ensure(z->n == other->n);
    unsigned n = z->n;
    bool changed = false;
    if (other->empty) return false;
    if (z->empty) {
        assign_zone(z, other);
        return true;
    }
    /* Pairs first: a bound that implies that they differ may be lost below. */
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            bool before = i != j && differ(z, i, j), after = before && differ(other, i, j);
            changed |= z->apart[i * n + j] && !after;
            z->apart[i * n + j] = after;
        }
    for (unsigned i = 0; i < n * n; i++)
        if (other->bound[i] > z->bound[i]) {
            z->bound[i] = next_threshold(other->bound[i], thresholds, count);
            changed = true;
        }
    z->closed &= !changed;
    return changed;
}

/* ---- text ---- */

/* Returns the first variable that x[i] equals up to a constant. The formula states the bounds of x[i] for this representative. */
static unsigned representative(const Zone *z, unsigned i, const Expr *const *terms) {
    for (unsigned k = 0; k < i; k++)
        if ((!k || terms[k]) && is_finite(zone_bound(z, i, k)) && zone_bound(z, i, k) == -zone_bound(z, k, i)) return k;
    return i;
}

static const Expr *term_of(Exprs *x, const Expr *const *terms, unsigned i) { return i ? terms[i] : expr_int(x, 0); }

static const Expr *plus(Exprs *x, const Expr *e, i128 c) { return expr_2(x, OP_ADD, e, expr_int(x, c)); }

/* Returns x[i] - x[j] <= c. */
static const Expr *difference(Exprs *x, const Expr *const *terms, unsigned i, unsigned j, i128 c) {
    const Expr *a = term_of(x, terms, i), *b = term_of(x, terms, j);
    if (c == -1 && j) return expr_2(x, OP_SLT, a, b);
    return c >= 0 || !j ? expr_2(x, OP_SLE, a, plus(x, b, c)) : expr_2(x, OP_SLE, plus(x, a, -c), b);
}

/* True if a bound between representatives follows from two other bounds. No two representatives are equal, so all such bounds can be left
   out together. */
static bool follows(const Zone *z, const unsigned *class, unsigned i, unsigned j) {
    for (unsigned k = 0; k < z->n; k++) {
        if (k == i || k == j || class[k] != k || !is_finite(zone_bound(z, i, k)) || !is_finite(zone_bound(z, k, j))) continue;
        if (zone_bound(z, i, k) + zone_bound(z, k, j) <= zone_bound(z, i, j)) return true;
    }
    return false;
}

/* True if the variable equals its representative: then the pairs of the representative suffice. */
static bool equals_representative(const Zone *z, const unsigned *class, unsigned i) {
    return class[i] != i && zone_bound(z, i, class[i]) == 0;
}

const Expr *zone_formula(Exprs *x, const Zone *z, const Expr *const *terms) {
    const Expr *e = expr_bool(x, !z->empty);
    unsigned class[z->n];
    for (unsigned i = 0; i < z->n; i++) class[i] = i && !terms[i] ? z->n : representative(z, i, terms);
    for (unsigned i = 0; i < z->n && !z->empty; i++)
        for (unsigned j = 0; j < z->n; j++) {
            i128 c = zone_bound(z, i, j);
            if (i == j || class[i] == z->n || class[j] == z->n) continue;
            if (class[i] == j) e = expr_and(x, e, expr_eq(x, terms[i], plus(x, term_of(x, terms, j), c)));
            if (class[i] == i && class[j] == j && is_finite(c) && !follows(z, class, i, j))
                e = expr_and(x, e, difference(x, terms, i, j, c));
            if (j < i && zone_apart(z, i, j) && c >= 0 && zone_bound(z, j, i) >= 0 && !equals_representative(z, class, i) &&
                !equals_representative(z, class, j))
                e = expr_and(x, e, expr_not(x, expr_eq(x, terms[i], term_of(x, terms, j))));
        }
    return e;
}
