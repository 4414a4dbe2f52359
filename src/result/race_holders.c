/* SPDX-License-Identifier: Apache-2.0 */
#include "result/race_holders.h"
#include "result/race_proof.h"

static uint16_t *value_of(const RaceHolders *h, uint16_t *row, unsigned variable) { return &row[h->sites + variable]; }

static bool event_valid(const RaceHolders *h, const RaceEvent *e) {
    switch (e->op) {
    case RACE_NEW: return e->a < h->sites && (e->b == RACE_NONE || e->b < h->variables);
    case RACE_MOVE:
    case RACE_SHIFT:
    case RACE_DERIVE:
    case RACE_COMPARE: return e->a < h->variables && e->b < h->variables;
    case RACE_TELL:
    case RACE_NULL:
    case RACE_REACH: return e->a < h->variables;
    case RACE_CLEAR: return e->b < h->variables;
    case RACE_LOSE: return e->b == RACE_NONE || e->b < h->variables;
    case RACE_SMASH: return e->a == RACE_NONE || e->a < h->variables;
    default: return true;
    }
}

bool holders_valid(const RaceHolders *h, const RaceEvent *events, size_t n) {
    for (size_t e = 0; e < n; e++)
        if (!event_valid(h, &events[e])) return false;
    return true;
}

void holders_begin(const RaceHolders *h, uint16_t *row) {
    for (unsigned s = 0; s < h->sites; s++) row[s] = true;
    for (unsigned v = 0; v < h->variables; v++) *value_of(h, row, v) = HOLDS_NOTHING;
}

void holders_tidy(const RaceHolders *h, uint16_t *row) {
    bool any = false;
    for (unsigned s = 0; s < h->sites; s++) any |= row[s];
    for (unsigned v = 0; v < h->variables; v++) {
        uint16_t *x = value_of(h, row, v);
        if (*x == HOLDS_NOTHING) continue;
        if (*x == HOLDS_ANY ? !any : !row[holder_site(*x)]) *x = HOLDS_NOTHING;
    }
}

/* Gives up the sites whose address the value may be made of: other threads may know it. */
static void tell(const RaceHolders *h, uint16_t *row, uint16_t value) {
    if (value == HOLDS_NOTHING) return;
    for (unsigned s = 0; s < h->sites; s++)
        if (value == HOLDS_ANY || s == holder_site(value)) row[s] = false;
    holders_tidy(h, row);
}

static void allocate(const RaceHolders *h, uint16_t *row, unsigned site, unsigned variable) {
    for (unsigned v = 0; v < h->variables; v++) { /* addresses of the site are those of an earlier object */
        uint16_t *x = value_of(h, row, v);
        if (*x != HOLDS_NOTHING && *x != HOLDS_ANY && holder_site(*x) == site) *x = HOLDS_NOTHING;
    }
    row[site] = variable != RACE_NONE;
    if (variable != RACE_NONE) *value_of(h, row, variable) = holder_value(site, HOLDS_ADDRESS);
    else holders_tidy(h, row);
}

static uint16_t weakened(uint16_t value, HolderLevel least) {
    if (value == HOLDS_NOTHING || value == HOLDS_ANY || holder_level(value) >= least) return value;
    return holder_value(holder_site(value), least);
}

/* Returns the value of an expression over two holders with these values. */
static uint16_t mixed(uint16_t x, uint16_t y) {
    if (x == HOLDS_NOTHING || y == HOLDS_NOTHING) return weakened(x == HOLDS_NOTHING ? y : x, HOLDS_PERHAPS);
    if (x == HOLDS_ANY || y == HOLDS_ANY || holder_site(x) != holder_site(y)) return HOLDS_ANY;
    return weakened(x, HOLDS_PERHAPS);
}

static bool points(uint16_t value) { return value != HOLDS_NOTHING && value != HOLDS_ANY && holder_level(value) <= HOLDS_WITHIN; }

void holders_apply(const RaceHolders *h, uint16_t *row, const RaceEvent *e) {
    uint16_t x, y;
    switch (e->op) {
    case RACE_NEW: allocate(h, row, e->a, e->b); return;
    case RACE_MOVE: *value_of(h, row, e->b) = *value_of(h, row, e->a); return;
    case RACE_SHIFT: *value_of(h, row, e->b) = weakened(*value_of(h, row, e->a), HOLDS_WITHIN); return;
    case RACE_DERIVE: *value_of(h, row, e->b) = mixed(*value_of(h, row, e->a), *value_of(h, row, e->b)); return;
    case RACE_CLEAR: *value_of(h, row, e->b) = HOLDS_NOTHING; return;
    case RACE_TELL: tell(h, row, *value_of(h, row, e->a)); return;
    case RACE_NULL:
        x = *value_of(h, row, e->a);
        if (!points(x) || holder_level(x) != HOLDS_ADDRESS) tell(h, row, x);
        return;
    case RACE_REACH:
        x = *value_of(h, row, e->a);
        if (!points(x)) tell(h, row, x);
        return;
    case RACE_COMPARE:
        x = *value_of(h, row, e->a);
        y = *value_of(h, row, e->b);
        if (points(x) && points(y) && holder_site(x) == holder_site(y)) return;
        tell(h, row, x);
        tell(h, row, y);
        return;
    default: return;
    }
}

/* Returns whether a claim about a holder follows from its value. Claim and value name only sites that are claimed to be unknown. */
static bool value_covers(uint16_t claimed, uint16_t value) {
    if (claimed == HOLDS_ANY || claimed == value) return true;
    if (claimed == HOLDS_NOTHING || value == HOLDS_ANY) return false;
    if (value == HOLDS_NOTHING) return holder_level(claimed) == HOLDS_PERHAPS;
    return holder_site(claimed) == holder_site(value) && holder_level(value) <= holder_level(claimed);
}

/* Restricts a value to the sites that are claimed to be unknown. */
static uint16_t of_claimed(const uint16_t *claimed, uint16_t value) {
    return value != HOLDS_NOTHING && value != HOLDS_ANY && !claimed[holder_site(value)] ? HOLDS_NOTHING : value;
}

bool holders_cover(const RaceHolders *h, const uint16_t *claimed, const uint16_t *row) {
    bool any = false;
    for (unsigned s = 0; s < h->sites; s++) {
        if (claimed[s] && !row[s]) return false;
        any |= claimed[s];
    }
    for (unsigned v = h->sites; v < holders_width(h) && any; v++)
        if (!value_covers(of_claimed(claimed, claimed[v]), of_claimed(claimed, row[v]))) return false;
    return true;
}

unsigned holders_points(const RaceHolders *h, const uint16_t *row, unsigned variable) {
    ensure(variable < h->variables);
    uint16_t x = row[h->sites + variable];
    return points(x) && row[holder_site(x)] ? holder_site(x) : RACE_NONE;
}
