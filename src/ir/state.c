/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, copies, reads and encodes states. A segment is encoded as groups of up to 64 words: a mask of the words that are not 0, then
   these words. */
#include "ir/machine.h"
#include <stdlib.h>
#include <string.h>

Seg seg_new(uint64_t size) {
    Seg s = {.size = (uint32_t)((size + 7) & ~UINT64_C(7))};
    s.data = zeroed(1, s.size ? s.size : 1);
    return s;
}

static uint64_t machine_address(const Machine *m, const Symbol *symbol, unsigned thread) {
    const Object *o = symbol->user;
    return o->kind == OBJECT_HEAP ? 0 : layout_address(m->layout, o, thread);
}

/* ---- making ---- */

static void init_object(const Machine *m, const Object *o, uint8_t *data, unsigned thread) {
    if (o->bytes) memcpy(data, o->bytes, o->size);
    for (unsigned i = 0; i < o->nrelocations; i++) {
        const Relocation *r = &o->relocations[i];
        uint64_t address = machine_address(m, r->target, thread) + (uint64_t)r->addend;
        memcpy(data + r->offset, &address, m->pointer_bytes);
    }
}

static bool is_stopping(const Machine *m, const State *s, unsigned thread) {
    const ThreadHead *h = thread_head(s, thread);
    const Location *l = &m->program->templates[h->template_]->locations[h->location];
    return l->kind == LOCATION_HALT || l->atomic;
}

void state_move_thread(const Machine *m, State *s, unsigned thread, unsigned location) {
    ensure_slow(location < vec_len(m->program->templates[state_template(s, thread)]->locations));
    s->stopping -= is_stopping(m, s, thread);
    thread_head(s, thread)->location = location;
    s->stopping += is_stopping(m, s, thread);
}

static void add_segs(State *s, const uint32_t *sizes) {
    for (size_t i = 0; i < vec_len(sizes); i++) vec_push(s->segs, seg_new(sizes[i]));
}

unsigned state_add_thread(Machine *m, State *s, unsigned template_, uint64_t argument) {
    ensure(template_ < vec_len(m->program->templates) && vec_len(s->first) < layout_max_threads(m->layout));
    const CompiledTemplate *c = &m->templates[template_];
    uint32_t first = (uint32_t)vec_len(s->segs);
    vec_push(s->first, first);
    unsigned number = (unsigned)vec_len(s->first);
    add_segs(s, c->seg_sizes);
    *thread_head(s, number) = (ThreadHead){.location = c->template_->entry, .template_ = (uint16_t)template_};
    s->stopping += is_stopping(m, s, number);
    for (size_t i = 0; i < vec_len(m->program->objects); i++) {
        const Object *o = m->program->objects[i];
        if (o->kind != OBJECT_THREAD) continue;
        const Place *p = &m->places[i];
        init_object(m, o, s->segs[first + p->seg].data + p->offset, number);
    }
    if (c->argument.size) slot_write(s->segs[first].data, &c->argument, (Value){.bits = argument});
    return number;
}

/* Removes the last thread and its segments. */
static void remove_thread(State *s) {
    uint32_t first = vec_pop(s->first);
    while (vec_len(s->segs) > first) free(vec_pop(s->segs).data);
}

void state_drop_thread(Machine *m, State *s) {
    s->stopping -= is_stopping(m, s, state_threads(s));
    remove_thread(s);
}

static Value zero_of(Machine *m, const Sort *sort) {
    if (sort->kind != SORT_ARRAY) return (Value){0};
    return (Value){.array = array_constant(m->values, zero_of(m, sort->element))};
}

static Fault look_up_address(void *machine, const Symbol *s, unsigned n, const Value *args, Value *result) {
    (void)n, (void)args;
    *result = (Value){.bits = machine_address(machine, s, 1)};
    return FAULT_NONE;
}

static Value initial_value(Machine *m, const Variable *v) {
    if (!v->init) return step_choose_value(m, v->sort, &(Choice){.undefined = true, .variable = v});
    EvalEnv environment = {m->values, look_up_address, m};
    Value value;
    Fault f = expr_eval(&environment, v->init, &value);
    ensure(!f);
    return value;
}

State *state_initial(Machine *m, const Chooser *chooser) {
    State *s = zeroed(1, sizeof *s);
    const Program *p = m->program;
    add_segs(s, m->seg_sizes);
    m->chooser = chooser;
    m->op = NULL;
    for (size_t i = 0; i < vec_len(p->globals); i++) slot_write(s->segs[0].data, &m->globals[i], initial_value(m, p->globals[i]));
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        const Object *o = p->objects[i];
        const Place *place = &m->places[i];
        if (o->kind == OBJECT_GLOBAL) init_object(m, o, s->segs[place->seg].data + place->offset, 1);
    }
    state_add_thread(m, s, 0, 0);
    ensure(state_valid(m, s));
    return s;
}

static void clear_state(State *s) {
    for (size_t i = 0; i < vec_len(s->segs); i++) free(s->segs[i].data);
    for (size_t i = 0; i < vec_len(s->blocks); i++) free(s->blocks[i].seg.data);
    vec_clear(s->segs);
    vec_clear(s->blocks);
    vec_clear(s->first);
    vec_clear(s->pending);
}

void state_free(Machine *m, State *s) {
    (void)m;
    if (!s) return;
    clear_state(s);
    vec_free(s->segs);
    vec_free(s->blocks);
    vec_free(s->first);
    vec_free(s->pending);
    free(s);
}

static Seg seg_copy(const Seg *from) {
    Seg to = seg_new(from->size);
    if (from->size) memcpy(to.data, from->data, from->size);
    to.id = from->id;
    return to;
}

static bool same_shape(const State *a, const State *b) {
    if (vec_len(a->segs) != vec_len(b->segs)) return false;
    for (size_t i = 0; i < vec_len(a->segs); i++)
        if (a->segs[i].size != b->segs[i].size) return false;
    return vec_len(a->first) == vec_len(b->first) && !vec_len(a->blocks) && !vec_len(b->blocks);
}

void state_assign(Machine *m, State *to, const State *from) {
    (void)m;
    if (to == from) return;
    to->stopping = from->stopping;
    if (same_shape(to, from) && !vec_len(to->pending) && !vec_len(from->pending)) {
        for (size_t i = 0; i < vec_len(from->segs); i++) {
            memcpy(to->segs[i].data, from->segs[i].data, from->segs[i].size);
            to->segs[i].id = from->segs[i].id;
        }
        for (size_t i = 0; i < vec_len(from->first); i++) to->first[i] = from->first[i];
        return;
    }
    clear_state(to);
    for (size_t i = 0; i < vec_len(from->segs); i++) vec_push(to->segs, seg_copy(&from->segs[i]));
    for (size_t i = 0; i < vec_len(from->first); i++) vec_push(to->first, from->first[i]);
    vec_each(Block, b, from->blocks) {
        b.seg = seg_copy(&b.seg);
        vec_push(to->blocks, b);
    }
    for (size_t i = 0; i < vec_len(from->pending); i++) vec_push(to->pending, from->pending[i]);
    to->dead_blocks = from->dead_blocks;
}

State *state_copy(Machine *m, const State *s) {
    State *copy = zeroed(1, sizeof *copy);
    state_assign(m, copy, s);
    return copy;
}

/* ---- reading ---- */

unsigned state_threads(const State *s) { return (unsigned)vec_len(s->first); }
unsigned state_template(const State *s, unsigned thread) { return thread_head(s, thread)->template_; }
unsigned state_location(const State *s, unsigned thread) { return thread_head(s, thread)->location; }

static const Location *location_of(const Machine *m, const State *s, unsigned thread) {
    const ThreadHead *h = thread_head(s, thread);
    return &m->program->templates[h->template_]->locations[h->location];
}

bool state_ended(const Machine *m, const State *s, unsigned thread) { return location_of(m, s, thread)->kind == LOCATION_END; }

bool state_halted(const Machine *m, const State *s) {
    for (unsigned t = 1; s->stopping && t <= state_threads(s); t++)
        if (location_of(m, s, t)->kind == LOCATION_HALT) return true;
    return false;
}

/* Returns the lowest such thread: a thread that was created inside a section may start at an atomic location, and waits. */
unsigned state_atomic_thread(const Machine *m, const State *s) {
    for (unsigned t = 1; s->stopping && t <= state_threads(s); t++)
        if (location_of(m, s, t)->atomic) return t;
    return 0;
}

Value state_variable(const Machine *m, const State *s, const Variable *v, unsigned thread) {
    ensure(v->global || (thread && thread <= state_threads(s) && state_template(s, thread) == v->template_));
    Value value = {0};
    if (v->global) {
        value = slot_read(s->segs[0].data, &m->globals[v->index]);
    } else {
        const CompiledTemplate *c = &m->templates[v->template_];
        if (c->template_->self == v) return (Value){.bits = thread};
        if (state_template(s, thread) != v->template_) return value;
        value = slot_read(s->segs[s->first[thread - 1]].data, &c->slots[v->index]);
    }
    /* A dead array is a null pointer; return zeros. */
    if (v->sort->kind == SORT_ARRAY && !value.array) value = zero_of((Machine *)(uintptr_t)m, v->sort);
    return value;
}

bool state_bytes(const Machine *m, const State *s, const Object *o, uint64_t offset, uint64_t size, u128 *bits) {
    if (o->kind != OBJECT_GLOBAL || size > sizeof *bits || offset > o->size || size > o->size - offset) return false;
    const Place *place = &m->places[o->index];
    const uint8_t *data = s->segs[place->seg].data;
    *bits = 0;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t at = offset + i;
        if (place->shadow != NO_PLACE && data[place->shadow + at / 8] >> (at % 8) & 1) return false;
        *bits |= (u128)data[place->offset + at] << (8 * i);
    }
    return true;
}

/* ---- components ---- */

static void put_word(Buf *out, uint64_t w) { buf_bytes(out, &w, sizeof w); }

static void encode_words(Buf *out, const uint8_t *data, uint32_t size) {
    for (uint32_t at = 0; at < size; at += 64 * 8) {
        uint32_t n = (size - at) / 8 < 64 ? (size - at) / 8 : 64;
        uint64_t words[65], mask = 0;
        unsigned used = 1;
        for (uint32_t i = 0; i < n; i++) {
            uint64_t w;
            memcpy(&w, data + at + i * 8, 8);
            mask |= (uint64_t)(w != 0) << i;
            words[used] = w;
            used += w != 0;
        }
        words[0] = mask;
        buf_bytes(out, words, used * 8);
    }
}

static const uint8_t *decode_words(const uint8_t *in, uint8_t *data, uint32_t size) {
    for (uint32_t at = 0; at < size; at += 64 * 8) {
        uint32_t n = (size - at) / 8 < 64 ? (size - at) / 8 : 64;
        uint64_t mask;
        memcpy(&mask, in, 8);
        in += 8;
        memset(data + at, 0, n * 8);
        for (; mask; mask &= mask - 1) {
            memcpy(data + at + (unsigned)__builtin_ctzll(mask) * 8, in, 8);
            in += 8;
        }
    }
    return in;
}

static void encode_block(Buf *out, const Block *b) {
    put_word(out, b->granule);
    put_word(out, b->size);
    put_word(out, (uint64_t)b->site << 32 | b->granules);
    put_word(out, b->alive);
    encode_words(out, b->seg.data, b->seg.size);
}

static const uint8_t *decode_block(const uint8_t *in, Block *b) {
    uint64_t head[4];
    memcpy(head, in, sizeof head);
    uint64_t size = head[3] ? ((head[1] + 7) & ~UINT64_C(7)) + (head[1] + 7) / 8 : 0;
    if (b->seg.size != ((size + 7) & ~UINT64_C(7)) || !b->seg.data) {
        free(b->seg.data);
        b->seg = seg_new(size);
    }
    b->granule = head[0];
    b->size = head[1];
    b->site = (uint32_t)(head[2] >> 32);
    b->granules = (uint32_t)head[2];
    b->alive = head[3] != 0;
    return decode_words(in + sizeof head, b->seg.data, b->seg.size);
}

/* Returns the template of a thread whose encoded main segment begins here: its ThreadHead is the first word. */
static unsigned peek_template(const uint8_t *in) {
    uint64_t words[2];
    memcpy(words, in, sizeof words[0]);
    if (!(words[0] & 1)) return 0;
    memcpy(words, in, sizeof words);
    ThreadHead head;
    memcpy(&head, &words[1], sizeof head);
    return head.template_;
}

size_t state_tuple_length(const State *s) { return 1 + vec_len(s->segs) + vec_len(s->blocks); }

void state_to_tuple(Machine *m, State *s, const ComponentStore *store, uint32_t *tuple) {
    Buf *scratch = &m->scratch;
    *tuple++ = (uint32_t)vec_len(s->first);
    vec_each_at(Seg, seg, s->segs) {
        if (!seg->id) {
            buf_clear(scratch);
            encode_words(scratch, seg->data, seg->size);
            seg->id = store->put(store->context, scratch->text, scratch->length);
        }
        *tuple++ = seg->id;
    }
    vec_each_at(Block, b, s->blocks) {
        if (!b->seg.id) {
            buf_clear(scratch);
            encode_block(scratch, b);
            b->seg.id = store->put(store->context, scratch->text, scratch->length);
        }
        *tuple++ = b->seg.id;
    }
}

static void restore_seg(Seg *seg, const ComponentStore *store, uint32_t id) {
    size_t size;
    if (seg->id == id) return;
    decode_words(store->get(store->context, id, &size), seg->data, seg->size);
    seg->id = id;
}

/* Makes t a thread of that template, with segments of the right sizes. Threads behind it may be removed. */
static void reshape_thread(Machine *m, State *s, unsigned t, unsigned template_) {
    if (t <= state_threads(s)) {
        if (state_template(s, t) == template_) return;
        while (state_threads(s) >= t) remove_thread(s);
    }
    vec_push(s->first, (uint32_t)vec_len(s->segs));
    add_segs(s, m->templates[template_].seg_sizes);
}

static void count_stopping(const Machine *m, State *s) {
    s->stopping = 0;
    for (unsigned t = 1; t <= state_threads(s); t++) s->stopping += is_stopping(m, s, t);
}

static void resize_blocks(State *s, size_t n) {
    while (vec_len(s->blocks) > n) free(vec_pop(s->blocks).seg.data);
    vec_resize(s->blocks, n);
}

void state_from_tuple(Machine *m, State *s, const ComponentStore *store, const uint32_t *tuple, size_t length) {
    unsigned nthreads = *tuple;
    size_t size;
    const uint32_t *end = tuple++ + length;
    for (size_t i = 0; i < vec_len(m->seg_sizes); i++) restore_seg(&s->segs[i], store, *tuple++);
    for (unsigned t = 1; t <= nthreads; t++) {
        if (t > state_threads(s) || s->segs[s->first[t - 1]].id != *tuple)
            reshape_thread(m, s, t, peek_template(store->get(store->context, *tuple, &size)));
        restore_seg(&s->segs[s->first[t - 1]], store, *tuple++); /* sets the template */
        size_t n = vec_len(m->templates[state_template(s, t)].seg_sizes);
        for (size_t k = 1; k < n; k++) restore_seg(&s->segs[s->first[t - 1] + k], store, *tuple++);
    }
    while (state_threads(s) > nthreads) remove_thread(s);
    count_stopping(m, s);
    size_t nblocks = (size_t)(end - tuple);
    resize_blocks(s, nblocks);
    s->dead_blocks = 0;
    for (size_t i = 0; i < nblocks; i++, tuple++) {
        Block *b = &s->blocks[i];
        if (b->seg.id != *tuple) decode_block(store->get(store->context, *tuple, &size), b);
        b->seg.id = *tuple;
        s->dead_blocks += !b->alive;
    }
    ensure(tuple == end);
    ensure_slow(state_valid(m, s));
}

/* ---- whole states ---- */

static bool threads_valid(const Machine *m, const State *s) {
    size_t next = vec_len(m->seg_sizes);
    unsigned stopping = 0;
    for (unsigned t = 1; t <= vec_len(s->first); t++) {
        if (s->first[t - 1] != next || next >= vec_len(s->segs)) return false;
        const ThreadHead *h = thread_head(s, t);
        if (h->template_ >= vec_len(m->program->templates)) return false;
        if (h->location >= vec_len(m->program->templates[h->template_]->locations)) return false;
        next += vec_len(m->templates[h->template_].seg_sizes);
        stopping += is_stopping(m, s, t);
    }
    return next == vec_len(s->segs) && stopping == s->stopping;
}

bool state_valid(const Machine *m, const State *s) {
    unsigned dead = 0;
    for (size_t i = 0; i < vec_len(s->blocks); i++) {
        if (i && s->blocks[i - 1].granule >= s->blocks[i].granule) return false;
        dead += !s->blocks[i].alive;
    }
    for (size_t i = 0; i < vec_len(s->pending); i++)
        if (!s->pending[i].thread || s->pending[i].thread > vec_len(s->first)) return false;
    return dead == s->dead_blocks && threads_valid(m, s);
}

void state_encode(const Machine *m, const State *s, Buf *out) {
    (void)m;
    put_word(out, vec_len(s->first) | (uint64_t)vec_len(s->blocks) << 32);
    for (size_t i = 0; i < vec_len(s->segs); i++) encode_words(out, s->segs[i].data, s->segs[i].size);
    for (size_t i = 0; i < vec_len(s->blocks); i++) encode_block(out, &s->blocks[i]);
}

void state_decode(Machine *m, State *s, const void *bytes, size_t size) {
    const uint8_t *in = bytes, *end = in + size;
    uint64_t head;
    memcpy(&head, in, sizeof head);
    in += sizeof head;
    for (size_t i = 0; i < vec_len(m->seg_sizes); i++) {
        in = decode_words(in, s->segs[i].data, s->segs[i].size);
        s->segs[i].id = 0;
    }
    while (state_threads(s)) remove_thread(s);
    for (unsigned t = 1; t <= (uint32_t)head; t++) {
        reshape_thread(m, s, t, peek_template(in));
        for (size_t k = s->first[t - 1]; k < vec_len(s->segs); k++) in = decode_words(in, s->segs[k].data, s->segs[k].size);
    }
    count_stopping(m, s);
    resize_blocks(s, head >> 32);
    s->dead_blocks = 0;
    for (size_t i = 0; i < vec_len(s->blocks); i++) {
        in = decode_block(in, &s->blocks[i]);
        s->blocks[i].seg.id = 0;
        s->dead_blocks += !s->blocks[i].alive;
    }
    ensure(in == end);
    ensure_slow(state_valid(m, s));
}
