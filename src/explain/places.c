/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/places.h"
#include "explain/blocks.h"
#include <string.h>

/* True if the location is described by its line. */
static bool has_line(const Proof *p, unsigned t, unsigned l) {
    const SystemThread *thread = &p->system->threads[t];
    bool end = thread->locations[l].kind != LOCATION_PLAIN || !vec_len(thread->locations[l].out);
    return p->stop[t][l] && !end && l != thread->entry && blocks_next(p, t, l).line;
}

/* True if another location of the thread continues in the same line. */
static bool shares_line(const Proof *p, unsigned t, unsigned l) {
    Position at = blocks_next(p, t, l);
    bool shares = false;
    for (unsigned k = 0; p->stop && k < vec_len(p->system->threads[t].locations) && !shares; k++) {
        if (k == l || !has_line(p, t, k) || (p->out && p->out[t][k] != p->out[t][l])) continue;
        Position other = blocks_next(p, t, k);
        shares = other.file == at.file && other.line == at.line;
    }
    return shares;
}

/* A thread is at the line where it continues. At a location where no other thread may run, it is inside a block. */
void places_where(Buf *out, const Display *display, const Proof *p, unsigned t, unsigned l, bool named) {
    ensure(t < vec_len(p->system->threads) && l < vec_len(p->system->threads[t].locations));
    const SystemThread *thread = &p->system->threads[t];
    LocationKind kind = thread->locations[l].kind;
    Position at = blocks_next(p, t, l);
    if (named) buf_printf(out, "%s ", display_thread(display, t));
    if (kind == LOCATION_END || kind == LOCATION_HALT) buf_text(out, "ended");
    else if (l == thread->entry) buf_text(out, "at its start");
    else if (kind == LOCATION_PLAIN && !vec_len(thread->locations[l].out)) buf_text(out, "at its end"); /* the process would end here */
    else if (!at.line) buf_printf(out, "at place %u", l);
    else {
        buf_text(out, "at ");
        display_position(display, out, at);
        if (shares_line(p, t, l)) buf_printf(out, " (place %u)", l);
    }
    if (p->out && !p->out[t][l]) buf_text(out, " (inside a block)");
}

/* ---- formulas ---- */

typedef struct About {
    const Proof *proof;
    unsigned thread;
    bool after, other; /* other: the formula has another symbol as well */
} About;

static void note_symbol(void *context, const Symbol *symbol) {
    About *a = context;
    const Symbol *const *lists[] = {a->proof->places, a->proof->places_after};
    for (int k = 0; k < 2; k++)
        for (unsigned t = 0; t < vec_len(lists[k]); t++) {
            if (lists[k][t] != symbol) continue;
            a->other |= a->thread != NONE;
            a->thread = t;
            a->after = k == 1;
            return;
        }
    a->other = true;
}

bool places_is_about(const Proof *p, const Expr *e, unsigned *thread, bool *after) {
    About a = {p, NONE, false, false};
    if (!vec_len(p->places) || !expr_is_formula(e)) return false;
    expr_symbols(e, note_symbol, &a);
    *thread = a.thread;
    *after = a.after;
    return a.thread != NONE && !a.other;
}

const Expr *places_joined(const Proof *p, const Expr *all, unsigned i) {
    const Expr *joined = all->args[i];
    unsigned thread, other;
    bool after, later;
    if (!places_is_about(p, joined, &thread, &after)) return joined;
    for (unsigned k = 0; k < all->nargs; k++) {
        if (k == i || !places_is_about(p, all->args[k], &other, &later) || other != thread || later != after) continue;
        if (k < i) return NULL;
        joined = expr_and(p->system->exprs, joined, all->args[k]);
    }
    return joined;
}

typedef struct There {
    Exprs *exprs;
    const Symbol *place;
    unsigned location;
} There;

static const Expr *there(void *context, const Expr *e) {
    const There *t = context;
    return e->symbol == t->place ? expr_int(t->exprs, t->location) : NULL;
}

/* Lists the different descriptions of locations at which the formula has the truth value. Returns their number. */
static unsigned list_places(Buf *out, const Display *display, const Proof *p, const Expr *e, unsigned t, const Symbol *symbol, bool truth) {
    Buf seen = {0};
    unsigned n = 0;
    for (unsigned l = 0; l < vec_len(p->system->threads[t].locations); l++) {
        There here = {p->system->exprs, symbol, l};
        const Expr *value = expr_substitute(here.exprs, e, there, &here);
        LocationKind kind = p->system->threads[t].locations[l].kind;
        if (!p->stop[t][l] || kind == LOCATION_ERROR || kind == LOCATION_STOP || !(truth ? expr_is_true(value) : expr_is_false(value)))
            continue;
        Buf one = {0};
        buf_char(&one, '|');
        places_where(&one, display, p, t, l, false);
        buf_char(&one, '|');
        if (!strstr(buf_string(&seen), buf_string(&one))) {
            buf_printf(out, "%s%.*s", !n++ ? "" : truth ? " or " : " nor ", (int)one.length - 2, one.text + 1);
            buf_text(&seen, buf_string(&one));
        }
        buf_free(&one);
    }
    buf_free(&seen);
    return n;
}

const char *places_said(const Display *display, const Proof *p, const Expr *e) {
    unsigned t;
    bool after;
    if (!places_is_about(p, e, &t, &after)) return NULL;
    const Symbol *symbol = after ? p->places_after[t] : p->places[t];
    Buf is = {0}, is_not = {0};
    unsigned in = list_places(&is, display, p, e, t, symbol, true), out = list_places(&is_not, display, p, e, t, symbol, false);
    bool deny = !in || (out && out < in);
    const char *text = arena_printf(p->system->arena, "%s %s%s%s", display_thread(display, t), after ? "then " : "",
                                    !deny     ? ""
                                    : out > 1 ? "neither "
                                              : "not ",
                                    buf_string(deny ? &is_not : &is));
    buf_free(&is);
    buf_free(&is_not);
    return text;
}
