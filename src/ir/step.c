/* SPDX-License-Identifier: Apache-2.0 */
/* Takes one step: the guard, then the instructions in order. An undo log keeps the overwritten data, so a step that turns out to be
   disabled or at fault half-way changes nothing. */
#include "ir/step.h"
#include "ir/machine.h"
#include "ir/wait.h"
#include <stdlib.h>
#include <string.h>

/* ---- writing, and undoing it ---- */

uint8_t *step_writable(Machine *m, uint32_t ref, uint64_t offset, uint64_t size) {
    Seg *seg = seg_of(m->state, ref);
    uint8_t *data = seg->data + offset;
    Undo u = {
        .kind = UNDO_BYTES, .seg = ref, .offset = (uint32_t)offset, .size = (uint32_t)size, .id = seg->id, .at = vec_len(m->undo_bytes)};
    vec_push(m->undo, u);
    m->undo_bytes = vec_room_(m->undo_bytes, size, 1);
    memcpy(m->undo_bytes + u.at, data, size);
    vec_head_(m->undo_bytes)->length += size;
    seg->id = 0;
    return data;
}

static void undo_block(State *s, const Undo *u) {
    size_t at = u->seg;
    if (u->kind == UNDO_BLOCK_NEW) {
        free(s->blocks[at].seg.data);
        memmove(&s->blocks[at], &s->blocks[at + 1], (vec_len(s->blocks) - at - 1) * sizeof *s->blocks);
        (void)vec_pop(s->blocks);
        return;
    }
    s->dead_blocks = u->kind == UNDO_BLOCK_DIE ? s->dead_blocks - 1 : s->dead_blocks + 1;
    free(s->blocks[at].seg.data);
    s->blocks[at] = u->block;
}

static void undo_all(Machine *m) {
    while (vec_len(m->undo)) {
        Undo u = vec_pop(m->undo);
        if (u.kind == UNDO_THREAD) {
            state_drop_thread(m, m->state);
        } else if (u.kind == UNDO_BYTES) {
            Seg *seg = seg_of(m->state, u.seg);
            memcpy(seg->data + u.offset, m->undo_bytes + u.at, u.size);
            seg->id = u.id;
        } else {
            undo_block(m->state, &u);
        }
    }
    vec_clear(m->undo_bytes);
}

static void forget_undo(Machine *m) {
    for (size_t i = 0; i < vec_len(m->undo); i++)
        if (m->undo[i].kind == UNDO_BLOCK_DIE || m->undo[i].kind == UNDO_BLOCK_REVIVE) free(m->undo[i].block.seg.data);
    vec_clear(m->undo);
    vec_clear(m->undo_bytes);
}

void step_forget_undo(Machine *m) { forget_undo(m); }

static void set_data_pointers(Machine *m) {
    m->global_data = m->state->segs[0].data;
    m->local_data = m->state->segs[m->state->first[m->thread - 1]].data;
}

/* ---- choices and accesses ---- */

enum { MOST_ENTRIES = 1 << 16 }; /* the most elements that a choice of an array lists */

u128 step_choose(Machine *m, const Choice *what) {
    Choice c = *what;
    const Sort *sort = c.sort;
    c.instr = m->op ? m->op->instr : NULL;
    u128 v = m->chooser && m->chooser->choose ? m->chooser->choose(m->chooser->context, &c) : 0;
    if (c.kind == CHOICE_ONE_OF) return v < c.count ? v : c.count - 1;
    if (c.kind == CHOICE_COUNT) return v < MOST_ENTRIES ? v : MOST_ENTRIES;
    if (sort->kind == SORT_BOOL) return v & 1;
    if (sort->kind == SORT_BV && sort->width < 128) return v & (((u128)1 << sort->width) - 1);
    return v;
}

Value step_choose_value(Machine *m, const Sort *sort, const Choice *about) {
    Choice c = *about;
    c.kind = CHOICE_VALUE;
    c.sort = sort;
    if (sort->kind != SORT_ARRAY) return (Value){.bits = step_choose(m, &c)};
    const ArrayValue *array = array_constant(m->values, step_choose_value(m, sort->element, about));
    c.kind = CHOICE_COUNT;
    for (u128 n = step_choose(m, &c); n > 0; n--) {
        Value index = step_choose_value(m, sort->index, about);
        array = array_store(m->values, array, index, step_choose_value(m, sort->element, about));
    }
    return (Value){.array = array};
}

u128 step_choose_bytes(Machine *m, u128 bits, unsigned mask, const Sort *sort, const Variable *v) {
    unsigned n = (unsigned)__builtin_popcount(mask);
    bool whole = mask == undefined_mask(sort);
    u128 chosen =
        step_choose(m, &(Choice){.kind = CHOICE_VALUE, .sort = whole ? sort : m->byte_sorts[n], .undefined = true, .variable = v});
    if (whole) return chosen;
    for (unsigned i = 0; mask >> i; i++)
        if (mask >> i & 1) {
            bits |= (chosen & 0xff) << 8 * i; /* undefined bytes are 0 before */
            chosen >>= 8;
        }
    return sort->width < 128 ? bits & (((u128)1 << sort->width) - 1) : bits;
}

static void note_reads(Machine *m, const Operand *o, const CompiledInstr *c) {
    for (size_t i = 0; i < vec_len(o->globals); i++) {
        Access a = {
            .kind = ACCESS_READ, .shared = true, .variable = o->globals[i], .instr = c ? c->instr : NULL, .atomic = c && c->instr->atomic};
        a.value = state_variable(m, m->state, o->globals[i], m->thread);
        a.buffered = store_buffer_forwards(m, o->globals[i]);
        vec_push(m->accesses->list, a);
    }
}

static void note_write(Machine *m, const CompiledInstr *c, const Variable *v, Value value) {
    Access a = {.kind = ACCESS_WRITE, .shared = v->global, .variable = v, .value = value, .instr = c->instr, .atomic = c->instr->atomic};
    vec_push(m->accesses->list, a);
}

uint64_t step_address(const Machine *m, const Span *s) {
    uint64_t base = s->seg & HEAP_SEG ? granule_address(m, m->state->blocks[s->seg & ~HEAP_SEG].granule)
                                      : layout_address(m->layout, s->object, s->instance ? s->instance : m->thread);
    return base + s->offset;
}

void step_note_access(Machine *m, AccessKind kind, const CompiledInstr *c, const Span *s, uint64_t address, uint64_t size, Value value) {
    if (!m->accesses) return;
    Access a = {.kind = kind,
                .shared = c->visible,
                .address = address,
                .size = size,
                .value = value,
                .instr = c->instr,
                .atomic = c->instr->atomic};
    if (s) {
        a.object = s->object;
        a.instance = s->instance;
        a.offset = s->offset;
        if (!address) a.address = step_address(m, s);
    }
    vec_push(m->accesses->list, a);
}

/* ---- instructions ---- */

/* An instruction returns FAULT_NONE, a fault, or one of these. */
enum { FALSE_ASSUME = FAULT_COUNT, BLOCKED };

static unsigned slot_mask(const Machine *m, const Slot *slot) {
    uint16_t mask;
    memcpy(&mask, m->local_data + slot->mask, sizeof mask);
    return mask;
}

static void set_mask(Machine *m, const Slot *slot, unsigned mask) {
    uint16_t bits = (uint16_t)mask;
    if (slot_mask(m, slot) == mask) return;
    memcpy(step_writable(m, m->state->first[m->thread - 1], slot->mask, sizeof bits), &bits, sizeof bits);
}

static void write_slot(Machine *m, const Slot *slot, u128 bit, Value value) {
    uint32_t seg = slot->global ? 0 : m->state->first[m->thread - 1];
    step_writable(m, seg, slot->offset, slot->size);
    slot_write(m->state->segs[seg].data, slot, value);
    if (slot->mask) set_mask(m, slot, 0);
    if (m->track) m->track->write |= bit;
}

void step_write_global(Machine *m, const Variable *v, Value value) {
    write_slot(m, &m->globals[v->index], m->global_bits[v->index], value);
}

void step_set_target(Machine *m, const CompiledInstr *c, Value value) {
    if (!c->has_target) return;
    if (m->store_is_delayed && c->target.global) {
        store_buffer_add(m, c, NULL, value);
        if (m->accesses) note_write(m, c, c->instr->target, value);
        if (m->accesses) vec_last(m->accesses->list).buffered = true;
        return;
    }
    write_slot(m, &c->target, c->target_bit, value);
    if (m->accesses) note_write(m, c, c->instr->target, value);
}

Fault step_define(Machine *m, unsigned local) {
    const CompiledTemplate *t = &m->templates[state_template(m->state, m->thread)];
    const Variable *v = t->template_->locals[local];
    const Slot *slot = &t->slots[local];
    if (m->no_choices) return FAULT_RANGE;
    Value value = slot_read(m->local_data, slot);
    if (slot->rep == REP_ARRAY) value = step_choose_value(m, v->sort, &(Choice){.undefined = true, .variable = v});
    else {
        value.bits = step_choose_bytes(m, value.bits, slot_mask(m, slot), v->sort, v);
        origins_settle(m, origin_local(m, slot), slot_mask(m, slot), value.bits);
    }
    write_slot(m, slot, 0, value);
    if (m->accesses) {
        Access a = {.kind = ACCESS_WRITE, .chosen = true, .variable = v, .value = value, .instr = m->op ? m->op->instr : NULL};
        vec_push(m->accesses->list, a);
    }
    return FAULT_NONE;
}

/* Moves a local to the target, undefined bytes included. */
static void do_move(Machine *m, const CompiledInstr *c) {
    Value v = slot_read(m->local_data, &c->moved);
    unsigned mask = slot_mask(m, &c->moved);
    step_set_target(m, c, v);
    set_mask(m, &c->target, mask);
    origins_copy_mask(m, origin_local(m, &c->target), origin_local(m, &c->moved), mask);
    if (m->accesses) vec_last(m->accesses->list).undefined = mask != 0;
}

static int do_assign(Machine *m, const CompiledInstr *c) {
    Value v;
    if (c->moves) {
        do_move(m, c);
        return FAULT_NONE;
    }
    Fault f = evaluate_value(m, &c->value, &v);
    if (!f) step_set_target(m, c, v);
    return (int)f;
}

static int do_havoc(Machine *m, const CompiledInstr *c) {
    const Sort *sort = c->instr->target->sort;
    bool undefined = c->instr->undefined;
    if (undefined && c->target.mask) {
        write_slot(m, &c->target, 0, (Value){0});
        set_mask(m, &c->target, undefined_mask(sort));
        origins_forget(m, origin_local(m, &c->target), 16);
        return FAULT_NONE;
    }
    step_set_target(m, c, step_choose_value(m, sort, &(Choice){.undefined = undefined}));
    if (m->accesses) vec_last(m->accesses->list).chosen = undefined;
    return FAULT_NONE;
}

static int do_load(Machine *m, const CompiledInstr *c) {
    uint64_t address = 0;
    Span span;
    Value v = {0};
    Fault f = FAULT_NONE;
    if (!c->object) f = evaluate_narrow(m, &c->address, &address);
    if (!f) f = memory_find(m, c, address, c->bytes, false, &span);
    if (f) return (int)f;
    bool buffered = false;
    if (vec_len(m->overlays) && store_buffer_blocks_load(m, &span, c->bytes, &buffered)) return FALSE_ASSUME;
    const Sort *sort = c->instr->target->sort;
    v.bits = memory_load(m, &span, c->bytes);
    unsigned mask = memory_mask(m, &span, c->bytes), open = c->carries ? mask : 0;
    if (mask && !open) v.bits = memory_settle(m, &span, v.bits, mask, sort, c->bytes);
    unsigned width = sort->kind == SORT_BV ? sort->width : 1;
    if (width < 128) v.bits &= ((u128)1 << width) - 1;
    step_note_access(m, ACCESS_READ, c, &span, 0, c->bytes, v);
    if (m->accesses) vec_last(m->accesses->list).buffered = buffered;
    if (m->accesses) vec_last(m->accesses->list).chosen = mask && !open;
    if (m->accesses) vec_last(m->accesses->list).undefined = open;
    step_set_target(m, c, v);
    if (open) {
        set_mask(m, &c->target, open);
        origins_copy_mask(m, origin_local(m, &c->target), origin_memory(m, &span), open);
    }
    return FAULT_NONE;
}

static int do_store(Machine *m, const CompiledInstr *c) {
    uint64_t address = 0;
    Span span;
    Value v;
    Fault f = FAULT_NONE;
    if (c->moves) v = slot_read(m->local_data, &c->moved);
    else f = evaluate_value(m, &c->value, &v);
    if (!f && !c->object) f = evaluate_narrow(m, &c->address, &address);
    if (!f) f = memory_find(m, c, address, c->bytes, true, &span);
    if (f) return (int)f;
    unsigned mask = c->moves ? slot_mask(m, &c->moved) : 0;
    bool waits = m->store_is_delayed && c->visible;
    if (mask && (span.shadow == NO_PLACE || waits)) {
        v.bits = step_choose_bytes(m, v.bits, mask, c->instr->value->sort, NULL);
        origins_settle(m, origin_local(m, &c->moved), mask, v.bits);
        mask = 0;
    }
    if (waits) store_buffer_add(m, c, &span, v);
    else memory_store(m, &span, v.bits, mask, c->bytes);
    if (mask) origins_copy_mask(m, origin_memory(m, &span), origin_local(m, &c->moved), mask);
    step_note_access(m, ACCESS_WRITE, c, &span, 0, c->bytes, v);
    if (m->accesses) vec_last(m->accesses->list).undefined = mask != 0;
    if (m->accesses) vec_last(m->accesses->list).buffered = waits;
    return FAULT_NONE;
}

/* Mutex words; see doc/ir.md. */
enum { OWNER_BITS = 16, COUNT_ONE = 1 << 16, COUNT_BITS = 0xfff << 16, KIND_SHIFT = 28 };
enum { KIND_NORMAL, KIND_RECURSIVE, KIND_CHECKED, KIND_DESTROYED = 15 };
enum { NOT_OWNER = 1, BUSY = 16, WOULD_DEADLOCK = 35, TOO_OFTEN = 11 };

static int take(Machine *m, InstrKind how, uint32_t *word, unsigned *result) {
    unsigned owner = *word & 0xffff, kind = *word >> KIND_SHIFT;
    *result = 0;
    if (owner == 0) {
        *word |= m->thread;
    } else if (owner == m->thread && kind == KIND_RECURSIVE) {
        if ((*word & COUNT_BITS) == COUNT_BITS) *result = TOO_OFTEN;
        else *word += COUNT_ONE;
    } else if (how == INSTR_TRYLOCK) {
        *result = BUSY;
    } else if (owner == m->thread && kind == KIND_CHECKED) {
        *result = WOULD_DEADLOCK;
    } else {
        m->blocker = owner <= state_threads(m->state) ? owner : 0; /* an invalid mutex word may hold any number */
        return BLOCKED;
    }
    return FAULT_NONE;
}

static void release(const Machine *m, uint32_t *word, unsigned *result) {
    unsigned owner = *word & 0xffff, kind = *word >> KIND_SHIFT;
    *result = 0;
    if (owner == m->thread && (*word & COUNT_BITS)) *word -= COUNT_ONE;
    else if (owner == m->thread || kind == KIND_NORMAL) *word &= ~(uint32_t)0xffff;
    else *result = NOT_OWNER;
}

/* Returns the fault of a misused mutex, if the rules have this check. */
static Fault misuse(const Machine *m, const CompiledInstr *c, const Span *span, uint32_t word) {
    unsigned owner = word & 0xffff, kind = word >> KIND_SHIFT;
    if (!m->rules.misuse) return FAULT_NONE;
    if (!c->has_cell && memory_mask(m, span, c->bytes)) return FAULT_MUTEX;
    if (kind == KIND_DESTROYED) return FAULT_DESTROYED;
    return c->kind == INSTR_UNLOCK && kind == KIND_NORMAL && owner != m->thread ? FAULT_UNLOCK : FAULT_NONE;
}

static int do_mutex(Machine *m, const CompiledInstr *c) {
    uint64_t address = 0;
    u128 bits = 0;
    Span span = {0};
    Fault f = FAULT_NONE;
    u128 cell_bit = c->has_cell && c->cell.global ? m->global_bits[c->instr->cell->index] : 0;
    if (c->has_cell) {
        if (c->cell.mask && slot_mask(m, &c->cell)) f = step_define(m, c->instr->cell->index);
        if (f) return (int)f;
        bits = slot_read_narrow(c->cell.global ? m->global_data : m->local_data, &c->cell);
        if (m->track) m->track->write |= cell_bit;
    } else {
        if (!c->object) f = evaluate_narrow(m, &c->address, &address);
        if (!f) f = memory_find(m, c, address, c->bytes, true, &span);
        if (f) return (int)f;
        memcpy(&bits, seg_of(m->state, span.seg)->data + span.base + span.offset, c->bytes);
    }
    uint32_t word = (uint32_t)bits;
    unsigned result;
    int end = (int)misuse(m, c, &span, word);
    if (!end && c->kind == INSTR_UNLOCK) release(m, &word, &result);
    else if (!end) end = take(m, c->kind, &word, &result);
    if (end) m->fault_address = c->has_cell ? 0 : step_address(m, &span);
    if (end) return end;
    if (c->kind != INSTR_UNLOCK) machine_record_lock_site(m, c, &span);
    if (c->has_cell) write_slot(m, &c->cell, cell_bit, (Value){.bits = word});
    else memory_store(m, &span, word, 0, c->bytes);
    if (m->accesses) {
        step_note_access(m, c->kind == INSTR_UNLOCK ? ACCESS_UNLOCK : ACCESS_LOCK, c, c->has_cell ? NULL : &span, 0, c->bytes,
                         (Value){.bits = word});
        vec_last(m->accesses->list).variable = c->instr->cell;
    }
    step_set_target(m, c, (Value){.bits = result});
    return FAULT_NONE;
}

static int do_create(Machine *m, const CompiledInstr *c) {
    uint64_t argument;
    Fault f = evaluate_narrow(m, &c->value, &argument);
    if (f) return (int)f;
    if (m->track) m->track->write |= footprint_threads;
    if (state_threads(m->state) >= layout_max_threads(m->layout)) return FAULT_RESOURCE;
    unsigned number = state_add_thread(m, m->state, c->instr->template_, argument);
    Undo u = {.kind = UNDO_THREAD};
    vec_push(m->undo, u);
    set_data_pointers(m);
    step_note_access(m, ACCESS_CREATE, c, NULL, number, 0, (Value){.bits = argument});
    step_set_target(m, c, (Value){.bits = number});
    return FAULT_NONE;
}

static int do_join(Machine *m, const CompiledInstr *c) {
    uint64_t number;
    Fault f = evaluate_narrow(m, &c->address, &number);
    if (f) return (int)f;
    if (m->track) m->track->read |= footprint_threads;
    if (number == 0 || number > state_threads(m->state)) return is_misuse(number) ? (int)(number - MISUSE) : FAULT_THREAD;
    unsigned other = (unsigned)number;
    if (m->track) m->track->read |= footprint_thread(other);
    m->blocker = join_group_awaits(m, m->state, other);
    if (!m->blocker && store_buffer_any(m->state, other)) m->blocker = other; /* its stores have not arrived yet */
    if (m->blocker) return BLOCKED;
    join_group_mark_joined(m, other);
    const CompiledTemplate *t = &m->templates[state_template(m->state, other)];
    Value v = {0};
    if (t->result.size) v = slot_read(m->state->segs[m->state->first[other - 1]].data, &t->result);
    step_note_access(m, ACCESS_JOIN, c, NULL, number, 0, v);
    if (c->has_target && c->target.size < 8) v.bits &= ((u128)1 << 8 * c->target.size) - 1;
    step_set_target(m, c, v);
    return FAULT_NONE;
}

static int do_assume(Machine *m, const CompiledInstr *c) {
    uint64_t holds, of = 0;
    Fault f = evaluate_narrow(m, &c->value, &holds);
    if (f || holds) return (int)f;
    if (c->instr->address) f = evaluate_narrow(m, &c->address, &of);
    m->blocker = of <= state_threads(m->state) ? (unsigned)of : 0;
    return f ? (int)f : FALSE_ASSUME;
}

static int do_instr(Machine *m, const CompiledInstr *c) {
    Fault f = FAULT_NONE;
    const Object *lost;
    m->op = c;
    if (m->accesses) {
        note_reads(m, &c->address, c);
        note_reads(m, &c->value, c);
        note_reads(m, &c->size, c);
    }
    switch (c->kind) {
    case INSTR_ASSIGN: return do_assign(m, c);
    case INSTR_HAVOC: return do_havoc(m, c);
    case INSTR_ASSUME: return do_assume(m, c);
    case INSTR_LOAD: return do_load(m, c);
    case INSTR_STORE: return do_store(m, c);
    case INSTR_COPY: return (int)memory_copy(m, c);
    case INSTR_FILL: return (int)memory_fill(m, c);
    case INSTR_ALLOC: return (int)heap_alloc(m, c);
    case INSTR_FREE: return (int)heap_free(m, c);
    case INSTR_SIZE: return (int)heap_size(m, c);
    case INSTR_WRITTEN: return (int)memory_written(m, c);
    case INSTR_ALIVE:
    case INSTR_DEAD: memory_begin_life(m, c->instr->object, c->kind == INSTR_ALIVE); return FAULT_NONE;
    case INSTR_INVALID: return memory_is_invalid(m, c, &f) ? (int)f : FALSE_ASSUME;
    case INSTR_LOST: return state_leak(m, m->state, &lost) ? FAULT_NONE : FALSE_ASSUME;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK: return do_mutex(m, c);
    case INSTR_CREATE: return do_create(m, c);
    case INSTR_JOIN: return do_join(m, c);
    case INSTR_FENCE:
    case INSTR_CALL: return FAULT_NONE; /* no CALL: see machine_new */
    }
    die("no such instruction");
}

/* ---- steps ---- */

/* Clears a thread that has ended, except for its result. */
static void end_thread(Machine *m, const CompiledTemplate *t) {
    uint32_t first = m->state->first[m->thread - 1];
    Seg *seg = &m->state->segs[first];
    Value result = {0};
    if (t->result.size) result = slot_read(seg->data, &t->result);
    memset(seg->data + sizeof(ThreadHead), 0, seg->size - sizeof(ThreadHead));
    if (t->result.size) slot_write(seg->data, &t->result, result);
    for (size_t k = 1; k < vec_len(t->seg_sizes); k++) {
        memset(seg[k].data, 0, seg[k].size);
        seg[k].id = 0;
    }
}

static void commit(Machine *m, const CompiledTemplate *t, const CompiledAction *a) {
    State *s = m->state;
    Seg *seg = &s->segs[s->first[m->thread - 1]];
    forget_undo(m);
    seg->id = 0;
    state_move_thread(m, s, m->thread, a->action->target);
    if (t->template_->locations[a->action->target].kind == LOCATION_END) {
        if (m->track) m->track->write |= footprint_thread(m->thread) | a->kills;
        end_thread(m, t);
    } else {
        for (size_t i = 0; i < vec_len(a->clear); i++) memset(seg->data + a->clear[i].offset, 0, a->clear[i].size);
    }
    if (s->dead_blocks) heap_tidy(m, s);
}

/* Returns true unless the process has ended, or another thread, *blocker, is in an atomic section. */
bool step_may_move(Machine *m, const State *s, unsigned thread, unsigned *blocker) {
    for (unsigned t = 1; s->stopping && t <= state_threads(s); t++) {
        const ThreadHead *h = thread_head(s, t);
        const Location *l = &m->program->templates[h->template_]->locations[h->location];
        if (l->kind == LOCATION_HALT) return false;
        if (l->atomic) {
            *blocker = t;
            if (t != thread) return false;
            *blocker = 0;
            return true;
        }
    }
    return true;
}

void step_begin(Machine *m, State *s, unsigned thread, const Chooser *chooser, Accesses *accesses) {
    ensure(thread && thread <= state_threads(s));
    m->state = s;
    m->thread = thread;
    m->chooser = chooser;
    m->accesses = accesses;
    set_data_pointers(m);
}

/* ---- weak memory ---- */

static void begin_weak(Machine *m, const CompiledAction *a) {
    m->action = a;
    if (a->weak.kind >= WEAK_BLOCK) return;
    if (a->weak.kind == WEAK_BARRIER || a->weak.barrier) store_buffer_add_barrier(m);
    store_buffer_show(m);
    m->store_is_delayed = a->weak.kind == WEAK_STORE;
}

static void end_weak(Machine *m) {
    store_buffer_hide(m);
    m->store_is_delayed = false;
}

/* Forgets overlays and new waiting stores after undo_all, which has restored memory. */
static void forget_weak(Machine *m, size_t waiting) {
    vec_clear(m->overlays);
    m->store_is_delayed = false;
    vec_resize(m->state->pending, waiting);
}

StepResult machine_step(Machine *m, State *s, unsigned thread, unsigned action, const Chooser *chooser, Accesses *accesses) {
    ensure(thread && thread <= state_threads(s));
    StepResult r = {.status = STEP_DISABLED};
    const CompiledTemplate *t = &m->templates[state_template(s, thread)];
    ensure(action < vec_len(t->actions));
    const CompiledAction *a = &t->actions[action];
    if (a->action->source != state_location(s, thread)) return r;
    bool weak = memory_is_buffered(m->program->memory);
    if (!step_may_move(m, s, thread, &r.blocker)) {
        r.blocked = r.blocker != 0;
        return r;
    }
    if (weak && a->weak.kind >= WEAK_BLOCK && store_buffer_any(s, thread)) return r;
    step_begin(m, s, thread, chooser, accesses);
    size_t waiting = vec_len(s->pending);
    if (weak) begin_weak(m, a);
    size_t before = accesses ? vec_len(accesses->list) : 0;
    uint64_t holds = 0;
    m->op = NULL;
    if (accesses) note_reads(m, &a->guard, NULL);
    int end = (int)evaluate_narrow(m, &a->guard, &holds);
    if (!end && !holds) end = FALSE_ASSUME;
    for (size_t i = 0; i < vec_len(a->ops) && !end; i++) {
        end = do_instr(m, &a->ops[i]);
        r.instr = a->ops[i].instr;
    }
    if (!end) {
        if (weak) end_weak(m);
        commit(m, t, a);
        ensure_slow(state_valid(m, s));
        return (StepResult){.status = STEP_DONE};
    }
    undo_all(m);
    if (weak) forget_weak(m, waiting);
    ensure_slow(state_valid(m, s));
    r.blocked = end == BLOCKED || (end == FALSE_ASSUME && r.instr && r.instr->waits);
    r.blocker = r.blocked ? m->blocker : 0;
    if (end == BLOCKED && r.instr->kind == INSTR_LOCK) r.address = m->fault_address;
    if (accesses && !r.blocked) vec_resize(accesses->list, before);
    if (end < FAULT_COUNT) {
        r.status = STEP_FAULT;
        r.fault = (Fault)end;
        r.address = m->fault_address;
    }
    return r;
}

unsigned machine_joined_thread(Machine *m, State *s, unsigned thread, unsigned action, u128 *reads) {
    ensure(thread && thread <= state_threads(s));
    const CompiledInstr *c = &m->templates[state_template(s, thread)].actions[action].ops[0];
    ensure(c->kind == INSTR_JOIN);
    *reads = c->address.reads;
    m->state = s;
    m->thread = thread;
    set_data_pointers(m);
    Footprint *track = m->track;
    m->track = NULL;
    m->no_choices = true;
    uint64_t number;
    Fault f = evaluate_narrow(m, &c->address, &number);
    m->no_choices = false;
    m->track = track;
    if (f || number == 0 || number > state_threads(s)) return 0;
    return join_group_awaits(m, s, (unsigned)number);
}
