/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the heap: blocks of granules, sorted by address. A new object takes the lowest free place. To find ABA bugs, it may also
   take the place of a freed object to which something still points. A freed block to which nothing points is forgotten: its place is
   free again, and states that differ only in it are equal. The search for pointers is conservative: every word counts that could be one. */
#include "ir/machine.h"
#include <stdlib.h>
#include <string.h>

static const uint64_t largest = UINT64_C(16) << 20;

/* Returns the index of the first block that ends behind the granule. */
static size_t lower(const Block *blocks, uint64_t granule) {
    size_t low = 0, high = vec_len(blocks);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks[middle].granule + blocks[middle].granules <= granule) low = middle + 1;
        else high = middle;
    }
    return low;
}

Block *heap_find(const State *s, uint64_t granule) {
    size_t i = lower(s->blocks, granule);
    return i < vec_len(s->blocks) && s->blocks[i].granule <= granule ? &s->blocks[i] : NULL;
}

/* Returns the number of granules for size + 1 bytes and a guard, as in layout.h. */
static uint32_t granules_for(const Machine *m, uint64_t size) { return (uint32_t)(size >> m->granule_bits) + 2; }

static void insert_block(State *s, size_t at, Block b) {
    vec_push(s->blocks, b);
    memmove(&s->blocks[at + 1], &s->blocks[at], (vec_len(s->blocks) - 1 - at) * sizeof b);
    s->blocks[at] = b;
}

static Block fresh_block(uint64_t granule, uint32_t granules, uint64_t size, const CompiledInstr *c) {
    uint64_t padded = (size + 7) & ~UINT64_C(7), shadow = (size + 7) / 8;
    Block b = {.granule = granule, .size = size, .granules = granules, .site = c->instr->object->index, .alive = true};
    b.seg = seg_new(padded + shadow);
    if (!c->instr->zeroed && size) {
        memset(b.seg.data + padded, 0xff, shadow);
        if (size % 8) b.seg.data[padded + shadow - 1] = (uint8_t)((1u << size % 8) - 1);
    }
    return b;
}

/* Finds the lowest gap of that many granules: its first granule, and the index at which its block is inserted. */
static Fault lowest_gap(const Machine *m, uint32_t granules, size_t *at, uint64_t *granule) {
    const Block *blocks = m->state->blocks;
    uint64_t next = m->heap_granule;
    for (*at = 0; *at < vec_len(blocks); ++*at) {
        if (blocks[*at].granule - next >= granules) break;
        next = blocks[*at].granule + blocks[*at].granules;
    }
    *granule = next;
    return next + granules > m->heap_granule + layout_heap_granules(m->layout) ? FAULT_RESOURCE : FAULT_NONE;
}

/* Returns the index of the k-th large enough dead block, from 1. *count becomes the number of these blocks up to there; k 0 counts all. */
static size_t dead_place(const State *s, uint32_t granules, uint64_t k, uint64_t *count) {
    *count = 0;
    for (size_t i = 0; i < vec_len(s->blocks); i++)
        if (!s->blocks[i].alive && s->blocks[i].granules >= granules && ++*count == k) return i;
    return 0;
}

static void log_block(Machine *m, int kind, size_t at) {
    Undo u = {.seg = (uint32_t)at};
    u.kind = (unsigned)kind;
    if (kind != UNDO_BLOCK_NEW) u.block = m->state->blocks[at];
    vec_push(m->undo, u);
}

Fault heap_alloc(Machine *m, const CompiledInstr *c) {
    State *s = m->state;
    uint64_t size, count = 0, granule;
    Fault f = evaluate_narrow(m, &c->size, &size);
    if (f) return f;
    if (m->track) m->track->write |= footprint_heap_order;
    if (size > largest) return FAULT_RESOURCE;
    uint32_t granules = granules_for(m, size);
    if (s->dead_blocks) dead_place(s, granules, 0, &count);
    uint64_t choice = count ? (uint64_t)step_choose(m, &(Choice){.kind = CHOICE_ONE_OF, .count = count + 1}) : 0;
    size_t at;
    if (choice == 0) {
        if ((f = lowest_gap(m, granules, &at, &granule))) return f;
        insert_block(s, at, fresh_block(granule, granules, size, c));
        log_block(m, UNDO_BLOCK_NEW, at);
    } else {
        at = dead_place(s, granules, choice > count ? count : choice, &count);
        granule = s->blocks[at].granule;
        log_block(m, UNDO_BLOCK_REVIVE, at);
        s->blocks[at] = fresh_block(granule, s->blocks[at].granules, size, c);
        s->dead_blocks--;
    }
    uint64_t address = granule_address(m, granule);
    Span span = {.object = c->instr->object, .instance = (unsigned)at + 1};
    origins_forget(m, (OriginPlace){granule, 1, 0}, size);
    step_note_access(m, ACCESS_ALLOC, c, &span, address, size, (Value){.bits = address});
    step_set_target(m, c, (Value){.bits = address});
    return FAULT_NONE;
}

bool heap_may_free(const Machine *m, uint64_t address) {
    uint64_t granule = granule_of(m, address);
    if (!address) return true;
    const Block *b = granule >= m->heap_granule ? heap_find(m->state, granule) : NULL;
    return b && b->alive && granule_address(m, b->granule) == address;
}

Fault heap_free(Machine *m, const CompiledInstr *c) {
    State *s = m->state;
    uint64_t address;
    Fault f = evaluate_narrow(m, &c->address, &address);
    if (f || address == 0) return f;
    m->fault_address = address;
    uint64_t granule = granule_of(m, address);
    Block *b = granule >= m->heap_granule ? heap_find(s, granule) : NULL;
    if (!b || granule_address(m, b->granule) != address) return FAULT_FREE;
    if (!b->alive) return FAULT_TWICE;
    size_t at = (size_t)(b - s->blocks);
    Span span = {.object = m->program->objects[b->site], .instance = (unsigned)at + 1};
    step_note_access(m, ACCESS_FREE, c, &span, address, b->size, (Value){.bits = address});
    if (m->track) m->track->write |= footprint_heap_order | footprint_all_heap;
    log_block(m, UNDO_BLOCK_DIE, at); /* keeps the old contents */
    b->alive = false;
    b->size = 0;
    b->site = 0;
    b->seg = (Seg){0};
    s->dead_blocks++;
    return FAULT_NONE;
}

Fault heap_size(Machine *m, const CompiledInstr *c) {
    uint64_t address;
    Span span;
    Fault f = evaluate_narrow(m, &c->address, &address);
    if (f) return f;
    f = memory_find(m, c, address, 0, false, &span);
    if (f) return f == FAULT_FREED ? FAULT_TWICE : FAULT_FREE; /* realloc asks for the size of a block that it will free */
    if (span.offset != 0 || !(span.seg & HEAP_SEG)) return FAULT_FREE;
    if (m->track) m->track->read |= footprint_heap_order | footprint_all_heap;
    step_set_target(m, c, (Value){.bits = m->state->blocks[span.seg & ~HEAP_SEG].size});
    return FAULT_NONE;
}

/* ---- forgetting ---- */

/* Marks the blocks into which a word of these bytes may point. */
static void mark(const Machine *m, const State *s, bool *referenced, const uint8_t *bytes, uint64_t size, unsigned step) {
    unsigned width = m->pointer_bytes;
    uint64_t top = m->heap_granule;
    if (vec_len(s->blocks)) top = s->blocks[vec_len(s->blocks) - 1].granule + s->blocks[vec_len(s->blocks) - 1].granules;
    for (uint64_t i = 0; i + width <= size; i += step) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, width);
        word = granule_of(m, word);
        if (word < m->heap_granule || word >= top) continue;
        const Block *b = heap_find(s, word);
        if (b) referenced[b - s->blocks] = true;
    }
}

/* Marks from a segment. Variables lie at multiples of four. Pointers in memory, from `objects` on, may lie anywhere. */
static void mark_segment(const Machine *m, const State *s, bool *referenced, const Seg *seg, uint64_t variables, uint64_t objects) {
    mark(m, s, referenced, seg->data, variables, 4);
    mark(m, s, referenced, seg->data + objects, seg->size - objects, 1);
}

static void mark_all(const Machine *m, const State *s, bool *referenced) {
    for (size_t i = 0; i < vec_len(m->seg_sizes); i++)
        mark_segment(m, s, referenced, &s->segs[i], i == 0 ? m->end_variables : 0, i == 0 ? m->end_variables : 0);
    for (unsigned t = 1; t <= vec_len(s->first); t++) {
        const CompiledTemplate *c = &m->templates[thread_head(s, t)->template_];
        for (size_t k = 0; k < vec_len(c->seg_sizes); k++)
            mark_segment(m, s, referenced, &s->segs[s->first[t - 1] + k], k == 0 ? c->end_variables : 0, k == 0 ? c->end_masks : 0);
    }
    for (size_t i = 0; i < vec_len(s->blocks); i++)
        if (s->blocks[i].alive) mark_segment(m, s, referenced, &s->blocks[i].seg, 0, 0);
}

void heap_tidy(Machine *m, State *s) {
    bool *referenced = NULL;
    vec_resize(referenced, vec_len(s->blocks));
    mark_all(m, s, referenced);
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(s->blocks); i++) {
        if (s->blocks[i].alive || referenced[i]) {
            s->blocks[kept++] = s->blocks[i];
        } else {
            free(s->blocks[i].seg.data);
            s->dead_blocks--;
        }
    }
    vec_resize(s->blocks, kept);
    vec_free(referenced);
}
