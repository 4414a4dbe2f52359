/* SPDX-License-Identifier: Apache-2.0 */
/* A word has few cells (shadow.h). An access takes over the cell of an earlier one if it covers its bytes, is ordered after it, and
   writes if it writes. All that races with the earlier access then races with the later one. If all cells are in use, it overwrites any of them. A race
   with that access may be missed in this run. */
#include "run/race.h"
#include "run/history.h"
#include "run/limits.h"
#include "run/scheduler.h"
#include "run/shadow.h"

static unsigned place_of(Address pc) { return (unsigned)((uint64_t)pc * UINT64_C(0x9E3779B97F4A7C15) >> 48) % PLACES; }
void race_make_point(Address pc) { shared->racy[place_of(pc) / 8] |= (unsigned char)(1u << place_of(pc) % 8); }
bool race_is_known(Address pc) { return shared->racy[place_of(pc) / 8] >> place_of(pc) % 8 & 1; }

static unsigned lowest_byte(unsigned mask) { return mask ? (unsigned)__builtin_ctz(mask) : 0; }

/* Ends the run if this is the race that it should end at. */
static void end_if_wanted(const Finding *f) {
    const Address *at = limits.until;
    if ((f->pc != at[0] || f->other_pc != at[1]) && (f->pc != at[1] || f->other_pc != at[0])) return;
    history_drop();
    scheduler_end_with(f);
}

static void report(Address word, unsigned mask, bool write, Address pc, const Cell *c) {
    race_make_point(pc);
    race_make_point(c->pc);
    for (unsigned i = 0; i < shared->nraces; i++) {
        const Finding *f = &shared->races[i];
        if ((f->pc == pc && f->other_pc == c->pc) || (f->pc == c->pc && f->other_pc == pc)) return;
    }
    if (shared->nraces == MOST_RACES) return;
    shared->races[shared->nraces++] = (Finding){
        .outcome = OUTCOME_RACE,
        .thread = self->id,
        .other = c->thread,
        .pc = pc,
        .other_pc = c->pc,
        .address = word + lowest_byte(mask & c->mask),
        .size = (unsigned)__builtin_popcount(mask),
        .other_size = (unsigned)__builtin_popcount(c->mask),
        .write = write,
        .other_write = c->write,
        .event = shared->events,
    };
    end_if_wanted(&shared->races[shared->nraces - 1]);
}

static bool is_ordered(const Cell *c) { return c->thread == self->id || c->clock <= self->clock->at[c->thread]; }

static void check_word(Address word, unsigned mask, bool write, bool atomic, Address pc) {
    Cell *cells = shadow_cells(word), *place = NULL;
    if (!cells) return;
    for (unsigned i = 0; i < CELLS; i++) {
        Cell *c = &cells[i];
        if (!c->used) {
            if (!place) place = c;
            continue;
        }
        bool ordered = is_ordered(c);
        if (c->mask & mask && !ordered && (write || c->write) && !(atomic && c->atomic)) report(word, mask, write, pc, c);
        if (ordered && !(c->mask & ~mask) && write >= c->write && atomic <= c->atomic) {
            if (place && place->used) place->used = false; /* one cell suffices for both */
            place = c;
        }
    }
    if (!place) place = &cells[shared->events % CELLS];
    *place = (Cell){.pc = (uint64_t)pc & (((uint64_t)1 << PC_BITS) - 1),
                    .thread = (uint64_t)self->id & 0xffff,
                    .clock = self->clock->at[self->id],
                    .mask = (unsigned char)mask,
                    .used = true,
                    .write = write,
                    .atomic = atomic};
}

void race_check(Address a, size_t size, bool write, bool atomic, Address pc) {
    for (Address end = a + size; a < end;) {
        Address word = a & ~(Address)(WORD - 1), next = word + WORD < end ? word + WORD : end;
        check_word(word, ((1u << (next - a)) - 1) << (a - word) & 0xff, write, atomic, pc);
        a = next;
    }
}
