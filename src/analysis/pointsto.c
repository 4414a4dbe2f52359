/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis visits all instructions in rounds until nothing changes. It ends, since sets only grow, and the congruence of an object only
   becomes coarser (a divisor replaces its modulus). An operator that is not pointer arithmetic keeps the objects of its operands, with any
   offset. So a cast of a pointer to an integer and back loses the offset and keeps the object. The numbers that become addresses in a way
   that data flow does not see are found by pointsto_flow.c. */
#include "analysis/pointsto_flow.h"
#include "analysis/graph.h"
#include "base/map.h"
#include <stdlib.h>

enum { MOST_OFFSETS = 4 }; /* limits the congruences of an object in a set */

/* The values in `size` bytes at offsets with a congruence. */
typedef struct Content {
    Congruence offset;
    uint64_t size;
    Targets targets;
} Content;

struct PointsTo {
    const Program *program;
    Map *variables;   /* Symbol → Targets */
    Content **memory; /* by object index: a vec, with one element for a congruence and a size */
    Map *results;     /* Expr → Targets: the answers of pointsto after the fixpoint */
    Targets **sets;   /* a vec of all sets that the two maps own */
    Arena *arena;
    bool *many; /* by object index: the site may allocate more than once */
    bool changed;
    Flow *wild, *threads; /* flows of wild numbers and of numbers of threads */
};

/* ---- sets ---- */

static bool is_before(Target a, Target b) {
    return a.object->index != b.object->index ? a.object->index < b.object->index : a.word < b.word;
}

/* Adds a target. A word has up to MOST_OFFSETS congruences of an object, and none includes another. If there are more, they are joined. */
static void add_target(PointsTo *p, Targets *t, Target n) {
    size_t first = 0, last, kept;
    while (first < vec_len(t->list) && is_before(t->list[first], n)) first++;
    for (last = first; last < vec_len(t->list) && !is_before(n, t->list[last]); last++)
        if (congruence_includes(t->list[last].offset, n.offset)) return;
    p->changed = true;
    if (last - first == MOST_OFFSETS)
        for (size_t i = first; i < last; i++) n.offset = congruence_join(n.offset, t->list[i].offset);
    kept = first;
    for (size_t i = first; i < last; i++)
        if (!congruence_includes(n.offset, t->list[i].offset)) t->list[kept++] = t->list[i];
    if (kept == last) { /* room for another one is needed */
        vec_push(t->list, n);
        for (size_t i = vec_len(t->list) - 1; i > kept; i--) t->list[i] = t->list[i - 1];
        t->list[kept] = n;
        return;
    }
    t->list[kept++] = n;
    for (size_t i = last; i < vec_len(t->list); i++) t->list[kept++] = t->list[i];
    vec_resize(t->list, kept);
}

static void add_other(PointsTo *p, Targets *t) {
    if (!t->other) t->other = p->changed = true;
}

static void add_all(PointsTo *p, Targets *t, const Targets *from) {
    for (size_t i = 0; i < vec_len(from->list); i++) add_target(p, t, from->list[i]);
    if (from->other) add_other(p, t);
}

/* Returns the set of a symbol or expression in a map. A new set is empty. */
static Targets *set_of(PointsTo *p, Map *m, const void *key, bool *is_new) {
    Targets *t = map_find(m, key);
    *is_new = !t;
    if (t) return t;
    t = arena_new_of(p->arena, Targets);
    vec_push(p->sets, t);
    map_set(m, key, t);
    return t;
}

static Targets *variable_targets(PointsTo *p, const Symbol *s) {
    bool is_new;
    return set_of(p, p->variables, s, &is_new);
}

/* ---- expressions ---- */

static void evaluate(PointsTo *, const Expr *, Targets *out);

/* Evaluates into a temporary set, whose changes do not count. */
static void evaluate_now(PointsTo *p, const Expr *e, Targets *out) {
    bool changed = p->changed;
    evaluate(p, e, out);
    p->changed = changed;
}

static void shifted(PointsTo *p, const Expr *pointer, Congruence by, Targets *out) {
    Targets t = {0};
    evaluate_now(p, pointer, &t);
    for (size_t i = 0; i < vec_len(t.list); i++) add_target(p, out, (Target){t.list[i].object, congruence_add(t.list[i].offset, by), 0});
    if (t.other) add_other(p, out);
    vec_free(t.list);
}

/* Programs use the low bits of an address for marks, since objects lie at multiples of at least this number. */
enum { MARKS = 8 };

/* Evaluates a pointer whose marks are set, cleared or flipped: its offset changes. The marks alone are no address. False for other
   expressions. */
static bool marked(PointsTo *p, const Expr *e, Targets *out) {
    uint64_t bits;
    if ((e->op != OP_BAND && e->op != OP_BOR && e->op != OP_BXOR) || e->nargs != 2 || !congruence_constant(e->args[1], &bits)) return false;
    if (e->op == OP_BAND && bits < MARKS) {
        add_other(p, out);
        return true;
    }
    if (e->op == OP_BAND ? ~bits >= MARKS : bits >= MARKS) return false;
    Targets t = {0};
    evaluate_now(p, e->args[0], &t);
    for (size_t i = 0; i < vec_len(t.list); i++) {
        Congruence o = t.list[i].offset;
        uint64_t r = e->op == OP_BAND ? o.residue & bits : e->op == OP_BOR ? o.residue | bits : o.residue ^ bits;
        add_target(p, out, (Target){t.list[i].object, o.modulus % MARKS ? congruence_any : congruence_of(o.modulus, r), 0});
    }
    if (t.other) add_other(p, out);
    vec_free(t.list);
    return true;
}

static unsigned words_of(const PointsTo *p, const Sort *s) {
    unsigned word = p->program->pointer_width;
    return s->kind == SORT_BV && s->width > word ? (s->width + word - 1) / word : 1;
}

static void add_in_each_word(PointsTo *p, Target t, unsigned nwords, Targets *out) {
    for (t.word = 0; t.word < nwords; t.word++) add_target(p, out, t);
}

/* Evaluates an operator that leaves the words and the offsets unknown. */
static void evaluate_opaque(PointsTo *p, const Expr *e, Targets *out) {
    Targets t = {0};
    add_other(p, out);
    if (e->sort->kind == SORT_BOOL) return;
    for (unsigned i = 0; i < e->nargs; i++)
        if (e->args[i]->sort->kind == SORT_BV) evaluate_now(p, e->args[i], &t);
    vec_each_at(const Target, a, t.list) add_in_each_word(p, (Target){a->object, congruence_any, 0}, words_of(p, e->sort), out);
    vec_free(t.list);
}

/* Evaluates an operator that takes some bits of its operand. Whole words keep their offsets. */
static void evaluate_extract(PointsTo *p, const Expr *e, Targets *out) {
    unsigned word = p->program->pointer_width, first = e->low / word, last = (e->low + e->sort->width - 1) / word;
    bool whole = e->low % word == 0 && e->sort->width % word == 0;
    Targets t = {0};
    add_other(p, out);
    evaluate_now(p, e->args[0], &t);
    vec_each_at(const Target, a, t.list) {
        if (a->word < first || a->word > last) continue;
        if (whole) add_target(p, out, (Target){a->object, a->offset, a->word - first});
        else add_in_each_word(p, (Target){a->object, congruence_any, 0}, words_of(p, e->sort), out);
    }
    vec_free(t.list);
}

static void evaluate(PointsTo *p, const Expr *e, Targets *out) {
    bool wide = words_of(p, e->sort) > 1;
    if (!wide && marked(p, e, out)) return;
    if (wide && (e->op == OP_ADD || e->op == OP_SUB)) {
        evaluate_opaque(p, e, out);
        return;
    }
    switch (e->op) {
    case OP_CONST: add_other(p, out); return;
    case OP_SYMBOL:
        if (e->symbol->kind == SYM_ADDRESS) add_target(p, out, (Target){e->symbol->user, {0, 0}, 0});
        else add_all(p, out, variable_targets(p, e->symbol));
        return;
    case OP_ADD:
        shifted(p, e->args[0], congruence_number(e->args[1]), out);
        shifted(p, e->args[1], congruence_number(e->args[0]), out);
        return;
    case OP_SUB: shifted(p, e->args[0], congruence_negate(congruence_number(e->args[1])), out); return;
    case OP_ITE:
        evaluate(p, e->args[1], out);
        evaluate(p, e->args[2], out);
        return;
    case OP_EXTRACT: evaluate_extract(p, e, out); return;
    default: evaluate_opaque(p, e, out);
    }
}

/* ---- memory ---- */

Meet pointsto_meet(Bytes a, Bytes b) {
    Congruence d = congruence_add(a.offset, congruence_negate(b.offset));
    int64_t after = (int64_t)d.residue, before = (int64_t)(d.modulus - d.residue); /* distance from the start of b to that of a, and back */
    if (!after) return SAME_START;
    return (after > 0 && (uint64_t)after < b.size) || (before > 0 && (uint64_t)before < a.size) ? OVERLAP : APART;
}

static uint64_t word_size(const PointsTo *p) { return p->program->pointer_width / 8; }

/* Returns the bytes of a word of a value. */
static Bytes word_at(const PointsTo *p, Bytes value, unsigned word) {
    uint64_t from = word * word_size(p), rest = value.size - from;
    return (Bytes){congruence_add(value.offset, congruence_of(0, from)), rest < word_size(p) ? rest : word_size(p)};
}

/* Adds a target that lies at some bytes and is read. If only a part of a pointer is read, its offset is unknown. */
static void add_content(PointsTo *p, Target t, Bytes read, Bytes at, Targets *out) {
    unsigned nwords = (unsigned)((read.size + word_size(p) - 1) / word_size(p));
    Congruence d = congruence_add(at.offset, congruence_negate(read.offset));
    Meet how = pointsto_meet(read, at);
    bool whole = d.modulus % word_size(p) == 0 && d.residue % word_size(p) == 0;
    if (how == APART) return;
    t.word = 0;
    if (how != SAME_START && (nwords == 1 || !whole)) t.offset = congruence_any;
    if (nwords > 1 && whole && !d.modulus && d.residue / word_size(p) < nwords) t.word = (unsigned)(d.residue / word_size(p));
    else if (nwords > 1) add_in_each_word(p, t, nwords, out);
    add_target(p, out, t);
}

static void content(PointsTo *p, const Target *at, uint64_t size, Targets *out) {
    Bytes here = {at->offset, size};
    vec_each_at(const Content, m, p->memory[at->object->index])
        for (size_t i = 0; i < vec_len(m->targets.list); i++) {
            Target t = m->targets.list[i];
            add_content(p, t, here, word_at(p, (Bytes){m->offset, m->size}, t.word), out);
        }
    for (unsigned r = 0; r < at->object->nrelocations; r++) {
        const Relocation *l = &at->object->relocations[r];
        add_content(p, (Target){l->target->user, {0, (uint64_t)l->addend}, 0}, here, (Bytes){{0, l->offset}, word_size(p)}, out);
    }
    add_other(p, out);
}

static Content *content_of(PointsTo *p, const Object *o, Congruence offset, uint64_t size) {
    Content *m = p->memory[o->index];
    for (size_t i = 0; i < vec_len(m); i++)
        if (m[i].offset.modulus == offset.modulus && m[i].offset.residue == offset.residue && m[i].size == size) return &m[i];
    return NULL;
}

static void store(PointsTo *p, const Target *at, uint64_t size, const Targets *value) {
    Content **m = &p->memory[at->object->index], *here = content_of(p, at->object, at->offset, size);
    if (!vec_len(value->list)) return; /* numbers: every content may be a number anyway */
    if (!here && vec_len(*m) >= MOST_CONTENTS) here = content_of(p, at->object, congruence_any, size = MOST_BYTES);
    if (!here) {
        vec_push(*m, ((Content){.offset = vec_len(*m) < MOST_CONTENTS ? at->offset : congruence_any, .size = size}));
        here = &vec_last(*m);
    }
    add_all(p, &here->targets, value);
}

/* Copies the content of some bytes if the access reads a part of them. The distance from the start stays the same. */
static void copy_content(PointsTo *p, const Target *to, const Target *from, uint64_t size, Bytes at, const Targets *value) {
    Congruence shift = congruence_add(to->offset, congruence_negate(from->offset));
    if (pointsto_meet((Bytes){from->offset, size}, at) == APART) return;
    store(p, &(Target){to->object, congruence_add(at.offset, shift), 0}, at.size, value);
}

static void copy_object(PointsTo *p, const Target *to, const Target *from, uint64_t size) {
    for (size_t i = 0; i < vec_len(p->memory[from->object->index]); i++) {
        Content *m = &p->memory[from->object->index][i];
        Targets value = {.other = true};
        for (size_t k = 0; k < vec_len(m->targets.list); k++) vec_push(value.list, m->targets.list[k]);
        copy_content(p, to, from, size, (Bytes){m->offset, m->size}, &value);
        vec_free(value.list);
    }
    for (unsigned r = 0; r < from->object->nrelocations; r++) {
        const Relocation *l = &from->object->relocations[r];
        Targets value = {.other = true};
        vec_push(value.list, ((Target){l->target->user, {0, (uint64_t)l->addend}, 0}));
        copy_content(p, to, from, size, (Bytes){{0, l->offset}, word_size(p)}, &value);
        vec_free(value.list);
    }
}

static void copy(PointsTo *p, const Instr *i) {
    Targets to = {0}, from = {0};
    uint64_t size = expr_is_const(i->size) ? (uint64_t)i->size->value : INT64_MAX;
    evaluate_now(p, i->address, &to);
    evaluate_now(p, i->value, &from);
    for (size_t k = 0; k < vec_len(from.list); k++)
        for (size_t n = 0; n < vec_len(to.list); n++) copy_object(p, &to.list[n], &from.list[k], size);
    vec_free(to.list);
    vec_free(from.list);
}

static void load(PointsTo *p, const Instr *i, Targets *out) {
    Targets at = {0};
    evaluate_now(p, i->address, &at);
    if (i->plain) add_other(p, out);
    else
        for (size_t k = 0; k < vec_len(at.list); k++) content(p, &at.list[k], bytes_of(i->target->sort), out);
    vec_free(at.list);
}

static void store_value(PointsTo *p, const Instr *i) {
    Targets at = {0}, value = {0};
    evaluate_now(p, i->address, &at);
    evaluate_now(p, i->value, &value);
    for (size_t k = 0; k < vec_len(at.list); k++) store(p, &at.list[k], bytes_of(i->value->sort), &value);
    vec_free(at.list);
    vec_free(value.list);
}

/* ---- instructions ---- */

static void results(PointsTo *p, Targets *out) {
    for (size_t t = 0; t < vec_len(p->program->templates); t++)
        if (p->program->templates[t]->result) add_all(p, out, variable_targets(p, p->program->templates[t]->result->symbol));
}

static void instruction(PointsTo *p, const Instr *i) {
    Targets *out = i->target ? variable_targets(p, i->target->symbol) : NULL;
    switch (i->kind) {
    case INSTR_ASSIGN: evaluate(p, i->value, out); return;
    case INSTR_LOAD: load(p, i, out); return;
    case INSTR_STORE: store_value(p, i); return;
    case INSTR_COPY: copy(p, i); return;
    case INSTR_ALLOC: add_target(p, out, (Target){i->object, {p->many[i->object->index] ? pointsto_stride(p->program) : 0, 0}, 0}); return;
    case INSTR_JOIN:
        if (out) results(p, out);
        return;
    case INSTR_CREATE:
        evaluate(p, i->value, variable_targets(p, p->program->templates[i->template_]->argument->symbol));
        if (out) add_other(p, out);
        return;
    default:
        if (out) add_other(p, out);
    }
}

/* ---- sites of allocation ---- */

/* Finds the sites that may allocate more than once. */
static void count_allocations(PointsTo *p) {
    bool *seen = NULL;
    vec_resize(seen, vec_len(p->program->objects));
    vec_resize(p->many, vec_len(p->program->objects));
    vec_each(const Template *, template_, p->program->templates) {
        unsigned *component = graph_components(template_);
        for (size_t a = 0; a < vec_len(template_->actions); a++)
            vec_each_at(const Instr, in, template_->actions[a].instrs) {
                if (in->kind != INSTR_ALLOC) continue;
                bool again = seen[in->object->index] || template_->count != 1 || graph_repeats(component, &template_->actions[a]);
                p->many[in->object->index] |= again;
                seen[in->object->index] = true;
            }
        vec_free(component);
    }
    vec_free(seen);
}

bool pointsto_allocates_many(const PointsTo *p, const Object *site) { return p->many[site->index]; }

uint64_t pointsto_stride(const Program *p) { return p->pointer_width == 64 ? (uint64_t)1 << 40 : 1 << 16; }

/* ---- the analysis ---- */

static void find_targets(PointsTo *p) {
    do {
        p->changed = false;
        program_each_instr(const Instr, i, p->program) instruction(p, i);
    } while (p->changed);
}

PointsTo *pointsto_new(const Program *program) {
    PointsTo *p = zeroed(1, sizeof *p);
    p->program = program;
    p->arena = arena_new();
    p->variables = map_new();
    p->results = map_new();
    vec_resize(p->memory, vec_len(program->objects));
    vec_each(const Variable *, v, program->globals)
        if (v->init && v->sort->kind == SORT_BV) evaluate(p, v->init, variable_targets(p, v->symbol));
    count_allocations(p);
    find_targets(p);
    p->wild = flow_of_wild(p, program);
    p->threads = flow_of_threads(p, program);
    return p;
}

const Targets *pointsto(PointsTo *p, const Expr *e) {
    bool is_new;
    Targets *t = set_of(p, p->results, e, &is_new);
    if (is_new) evaluate(p, e, t);
    return t;
}

const Targets *pointsto_content(PointsTo *p, const Target *at, uint64_t size) {
    Targets *t = arena_new_of(p->arena, Targets);
    vec_push(p->sets, t);
    content(p, at, size, t);
    return t;
}

static bool holds_in_word(const Content *m, unsigned word) {
    vec_each_at(const Target, t, m->targets.list)
        if (t->word == word) return true;
    return false;
}

Bytes *pointsto_addresses(const PointsTo *p, const Object *o) {
    Bytes *result = NULL;
    vec_each_at(const Content, m, p->memory[o->index])
        for (unsigned w = 0; (w + 1) * word_size(p) <= m->size; w++)
            if (holds_in_word(m, w)) vec_push(result, word_at(p, (Bytes){m->offset, m->size}, w));
    for (unsigned r = 0; r < o->nrelocations; r++) vec_push(result, ((Bytes){{0, o->relocations[r].offset}, word_size(p)}));
    return result;
}

bool pointsto_is_wild(PointsTo *p, const Expr *e) { return flow_carries(p->wild, e); }

bool pointsto_is_thread(PointsTo *p, const Expr *e) { return flow_carries(p->threads, e); }

bool pointsto_may_write(PointsTo *p, const Instr *i, const Expr *address, uint64_t size) {
    if (i->kind != INSTR_STORE && i->kind != INSTR_COPY && i->kind != INSTR_FILL) return false;
    if (i->address == address || pointsto_is_wild(p, i->address) || pointsto_is_wild(p, address)) return true;
    const Targets *to = pointsto(p, i->address), *at = pointsto(p, address);
    bool stores = i->kind == INSTR_STORE;
    for (size_t k = 0; k < vec_len(to->list); k++)
        for (size_t n = 0; n < vec_len(at->list); n++) {
            if (to->list[k].object != at->list[n].object) continue;
            Bytes written = {stores ? to->list[k].offset : congruence_any, stores ? bytes_of(i->value->sort) : MOST_BYTES};
            if (pointsto_meet(written, (Bytes){at->list[n].offset, size}) != APART) return true;
        }
    return false;
}

void pointsto_free(PointsTo *p) {
    if (!p) return;
    for (size_t i = 0; i < vec_len(p->memory); i++) {
        for (size_t k = 0; k < vec_len(p->memory[i]); k++) vec_free(p->memory[i][k].targets.list);
        vec_free(p->memory[i]);
    }
    for (size_t i = 0; i < vec_len(p->sets); i++) vec_free(p->sets[i]->list);
    flow_free(p->wild);
    flow_free(p->threads);
    vec_free(p->memory);
    vec_free(p->sets);
    vec_free(p->many);
    map_free(p->variables);
    map_free(p->results);
    arena_free(p->arena);
    free(p);
}
