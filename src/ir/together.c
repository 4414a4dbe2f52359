/* SPDX-License-Identifier: Apache-2.0 */
/* Implements joins of all threads of a template together, and finds owners of mutexes. The explicit engine needs both to treat threads
   of a template as interchangeable (engine/explicit/symmetry.c). */
#include "ir/machine.h"
#include <string.h>

void machine_join_together(Machine *m, const bool *templates) { m->together = templates; }

bool state_joined(const State *s, unsigned thread) { return thread_head(s, thread)->joined; }

/* ---- joins ---- */

unsigned join_group_awaits(const Machine *m, const State *s, unsigned thread) {
    unsigned template_ = state_template(s, thread);
    if (!state_ended(m, s, thread)) return thread;
    if (!m->together || !m->together[template_]) return 0;
    for (unsigned t = 1; t <= state_threads(s); t++)
        if (state_template(s, t) == template_ && !state_joined(s, t) && !state_ended(m, s, t)) return t;
    return 0;
}

void join_group_mark_joined(Machine *m, unsigned thread) {
    State *s = m->state;
    if (!m->together || !m->together[state_template(s, thread)] || state_joined(s, thread)) return;
    ThreadHead *h = (ThreadHead *)(void *)step_writable(m, s->first[thread - 1], 0, sizeof *h);
    h->joined = 1;
}

bool state_end_thread(Machine *m, State *s, unsigned thread) {
    const Template *t = m->program->templates[state_template(s, thread)];
    for (unsigned l = 0; l < vec_len(t->locations); l++) {
        if (t->locations[l].kind != LOCATION_END) continue;
        state_move_thread(m, s, thread, l);
        s->segs[s->first[thread - 1]].id = 0;
        return true;
    }
    return false;
}

size_t state_thread_components(const State *s, unsigned thread, size_t *count) {
    uint32_t first = s->first[thread - 1];
    *count = (thread < state_threads(s) ? s->first[thread] : vec_len(s->segs)) - first;
    return 1 + first;
}

/* ---- owners ---- */

void machine_record_lock_site(Machine *m, const CompiledInstr *c, const Span *span) {
    if (!m->together) return;
    LockSite site = {.cell = c->has_cell ? c->instr->cell : NULL};
    if (!c->has_cell) {
        site.object = span->object;
        site.offset = span->offset;
    }
    vec_each_at(const LockSite, known, m->lock_sites)
        if (known->cell == site.cell && known->object == site.object && known->offset == site.offset) return;
    vec_push(m->lock_sites, site);
}

static void mark_owner(const State *s, const uint8_t *bytes, bool *owns) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    unsigned owner = word & 0xffff;
    if (owner && owner <= state_threads(s)) owns[owner] = true;
}

static void mark_in_heap(const State *s, const LockSite *l, bool *owns) {
    vec_each_at(const Block, b, s->blocks)
        if (b->site == l->object->index && b->alive && b->size >= l->offset + 4) mark_owner(s, b->seg.data + l->offset, owns);
}

static void mark_in_threads(const Machine *m, const State *s, const LockSite *l, bool *owns) {
    const Place *p = &m->places[l->object->index];
    for (unsigned t = 1; t <= state_threads(s); t++)
        if (l->object->kind == OBJECT_THREAD || state_template(s, t) == l->object->template_)
            mark_owner(s, s->segs[s->first[t - 1] + p->seg].data + p->offset + l->offset, owns);
}

void state_lock_owners(const Machine *m, const State *s, bool *owns) {
    vec_each_at(const LockSite, l, m->lock_sites) {
        if (l->cell && l->cell->global) {
            uint32_t word = (uint32_t)slot_read_narrow(s->segs[0].data, &m->globals[l->cell->index]);
            mark_owner(s, (const uint8_t *)&word, owns);
        } else if (l->object && l->object->kind == OBJECT_HEAP) {
            mark_in_heap(s, l, owns);
        } else if (l->object && l->object->kind == OBJECT_GLOBAL) {
            const Place *p = &m->places[l->object->index];
            mark_owner(s, s->segs[p->seg].data + p->offset + l->offset, owns);
        } else if (l->object) {
            mark_in_threads(m, s, l, owns);
        }
    }
}
