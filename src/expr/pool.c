/* SPDX-License-Identifier: Apache-2.0 */
/* Interns sorts, symbols and nodes: each is made once. Nodes are in an open-addressing table that is at most half full. A node keeps its
   hash, which depends only on operators and ids, so that runs are reproducible.

   Commutative operators: (add b a) finds (add a b) if that was made first. So the order in the program stays visible, and still a + b
   and b + a are one node. If both operands may fault, the order decides which fault is reported, and the two nodes differ. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"
#include <limits.h>
#include <string.h>

struct Exprs {
    Arena *arena;
    Interner *names;
    const Expr **table; /* has `capacity` slots, a power of two */
    size_t capacity, count;
    Symbol **symbols;
    Map *by_name;  /* interned name to Symbol */
    Map *suffixes; /* interned name to the next number that may make it unique */
    const Sort *boolean, *integer, *bv[129];
    const Sort **arrays;
};

Exprs *exprs_new(void) {
    Arena *arena = arena_new();
    Exprs *p = arena_new_of(arena, Exprs);
    p->arena = arena;
    p->names = interner_new();
    p->by_name = map_new();
    p->suffixes = map_new();
    p->capacity = 1024;
    vec_resize(p->table, p->capacity);
    Sort *boolean = arena_new_of(arena, Sort), *integer = arena_new_of(arena, Sort);
    boolean->kind = SORT_BOOL;
    integer->kind = SORT_INT;
    p->boolean = boolean;
    p->integer = integer;
    return p;
}

void exprs_free(Exprs *p) {
    if (!p) return;
    Arena *arena = p->arena;
    vec_free(p->table);
    vec_free(p->symbols);
    vec_free(p->arrays);
    map_free(p->by_name);
    map_free(p->suffixes);
    interner_free(p->names);
    arena_free(arena);
}

size_t exprs_count(const Exprs *p) { return p->count; }
size_t exprs_symbol_count(const Exprs *p) { return vec_len(p->symbols); }
const char *exprs_intern(Exprs *p, const char *text) { return intern(p->names, text); }

/* ---- sorts ---- */
const Sort *sort_bool(Exprs *p) { return p->boolean; }
const Sort *sort_int(Exprs *p) { return p->integer; }

const Sort *sort_bv(Exprs *p, unsigned width) {
    ensure(width >= 1 && width <= 128);
    if (!p->bv[width]) {
        Sort *s = arena_new_of(p->arena, Sort);
        s->kind = SORT_BV;
        s->width = width;
        p->bv[width] = s;
    }
    return p->bv[width];
}

/* Finds the sort in a list, which suffices, since programs have few array sorts. */
const Sort *sort_array(Exprs *p, const Sort *index, const Sort *element) {
    ensure(index && element);
    for (size_t i = 0; i < vec_len(p->arrays); i++)
        if (p->arrays[i]->index == index && p->arrays[i]->element == element) return p->arrays[i];
    Sort *s = arena_new_of(p->arena, Sort);
    s->kind = SORT_ARRAY;
    s->index = index;
    s->element = element;
    vec_push(p->arrays, s);
    return s;
}

/* ---- symbols ---- */
static const char *free_name(Exprs *p, const char *name) {
    const char *base = intern(p->names, name), *unique;
    uint64_t next = 2;
    if (!map_find(p->by_name, base)) return base;
    map_get(p->suffixes, map_key(base), &next);
    do unique = intern(p->names, arena_printf(p->arena, "%s#%llu", name, (unsigned long long)next++));
    while (map_find(p->by_name, unique));
    map_put(p->suffixes, map_key(base), next);
    return unique;
}

Symbol *symbol_new(Exprs *p, SymbolKind kind, const char *name, const Sort *sort) {
    ensure(name && sort);
    Symbol *s = arena_new_of(p->arena, Symbol);
    s->kind = kind;
    s->name = free_name(p, name);
    s->sort = sort;
    s->id = (unsigned)vec_len(p->symbols);
    map_set(p->by_name, s->name, s);
    vec_push(p->symbols, s);
    return s;
}

Symbol *symbol_function(Exprs *p, const char *name, const Sort *result, unsigned n, const Sort *const *params) {
    Symbol *s = symbol_new(p, SYM_FUNCTION, name, result);
    s->nparams = n;
    s->params = arena_copy(p->arena, params, n * sizeof *params);
    return s;
}

Symbol *symbol_find(const Exprs *p, const char *name) { return map_find(p->by_name, intern(p->names, name)); }

/* ---- nodes ---- */
static bool any_may_fault(const NodeKey *k) {
    for (unsigned i = 0; i < k->n; i++)
        if (k->args[i]->may_fault) return true;
    return false;
}

/* Returns true if the operands can be exchanged without any difference, including reported faults. */
static bool commutes(const NodeKey *k) {
    switch (k->op) {
    case OP_EQ:
    case OP_ADD:
    case OP_MUL:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_FEQ:
    case OP_FUNO: return !(k->args[0]->may_fault && k->args[1]->may_fault);
    case OP_AND:
    case OP_OR: return !any_may_fault(k);
    default: return false;
    }
}

static uint64_t mix(uint64_t h, uint64_t word) { return hash_word(h * 0x9e3779b97f4a7c15u + word); }

static uint64_t key_hash(const NodeKey *k, bool symmetric) {
    uint64_t h = mix((uint64_t)k->op | (uint64_t)k->flags << 8 | (uint64_t)k->low << 16 | (uint64_t)k->n << 32,
                     (uint64_t)k->sort->kind << 8 | k->sort->width);
    if (k->op == OP_CONST) return mix(mix(h, (uint64_t)k->value), (uint64_t)(k->value >> 64));
    if (k->symbol) h = mix(h, k->symbol->id);
    uint64_t sum = 0;
    for (unsigned i = 0; i < k->n; i++)
        if (symmetric) sum += k->args[i]->hash;
        else h = mix(h, k->args[i]->id);
    return symmetric ? mix(h, sum) : h;
}

static bool contains(const Expr *e, const Expr *arg) {
    for (unsigned i = 0; i < e->nargs; i++)
        if (e->args[i] == arg) return true;
    return false;
}

static bool same_args(const Expr *e, const NodeKey *k, bool symmetric) {
    if (!k->n || !memcmp(e->args, k->args, k->n * sizeof *k->args)) return true;
    if (!symmetric) return false;
    if (k->n == 2) return e->args[0] == k->args[1] && e->args[1] == k->args[0];
    for (unsigned i = 0; i < k->n; i++) /* AND and OR have no operand twice */
        if (!contains(e, k->args[i])) return false;
    return true;
}

static bool matches(const Expr *e, const NodeKey *k, uint64_t hash, bool symmetric) {
    return e->hash == hash && e->op == k->op && e->flags == k->flags && e->low == k->low && e->sort == k->sort && e->value == k->value &&
           e->symbol == k->symbol && e->nargs == k->n && same_args(e, k, symmetric);
}

static void place(const Expr **table, size_t capacity, const Expr *e) {
    size_t i = e->hash & (capacity - 1);
    while (table[i]) i = (i + 1) & (capacity - 1);
    table[i] = e;
}

static void grow(Exprs *p) {
    const Expr **table = NULL;
    size_t capacity = p->capacity * 2;
    ensure(!(capacity & (capacity - 1)));
    vec_resize(table, capacity);
    for (size_t i = 0; i < p->capacity; i++)
        if (p->table[i]) place(table, capacity, p->table[i]);
    vec_free(p->table);
    p->table = table;
    p->capacity = capacity;
}

/* Returns true if the operator itself may fault on valid operands. */
static bool op_may_fault(const NodeKey *k) {
    const Expr *b = k->n >= 2 ? k->args[1] : NULL;
    switch (k->op) {
    case OP_UDIV:
    case OP_UREM:
    case OP_DIV:
    case OP_MOD: return k->flags || b->op != OP_CONST || !b->value;
    case OP_SDIV:
    case OP_SREM: return k->flags || b->op != OP_CONST || !b->value || is_ones(b);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return k->flags || b->op != OP_CONST || b->value >= k->sort->width;
    case OP_FP_TO_SBV:
    case OP_FP_TO_UBV: return true;
    default: return k->flags != 0;
    }
}

/* Checks that operands are older than the node, that exactly SYMBOL and APPLY have a symbol, and that a bit-vector's constant fits its
   width. */
static bool node_valid(const Expr *e) {
    if ((unsigned)e->op >= OP_COUNT || !e->sort || (e->symbol != NULL) != (e->op == OP_SYMBOL || e->op == OP_APPLY)) return false;
    for (unsigned i = 0; i < e->nargs; i++)
        if (e->args[i]->id >= e->id) return false;
    if (e->op != OP_CONST) return e->symbol || e->nargs;
    return e->sort->kind == SORT_BOOL ? e->value <= 1 : e->sort->kind != SORT_BV || e->sort->width == 128 || !(e->value >> e->sort->width);
}

static const Expr *new_node(Exprs *p, const NodeKey *k, uint64_t hash) {
    ensure(p->count < UINT_MAX); /* ids are unsigned */
    Expr *e = arena_alloc(p->arena, sizeof *e + k->n * sizeof *k->args);
    e->op = k->op;
    e->flags = (uint8_t)k->flags;
    e->low = k->low;
    e->sort = k->sort;
    e->value = k->value;
    e->symbol = k->symbol;
    e->nargs = k->n;
    e->hash = hash;
    e->id = (unsigned)p->count++;
    e->may_fault = op_may_fault(k) || any_may_fault(k);
    e->tree = 1;
    for (unsigned i = 0; i < k->n; i++) {
        e->args[i] = k->args[i];
        e->tree = e->tree > UINT_MAX - k->args[i]->tree ? UINT_MAX : e->tree + k->args[i]->tree;
    }
    ensure(node_valid(e));
    return e;
}

const Expr *pool_node(Exprs *p, const NodeKey *k) {
    bool symmetric = commutes(k);
    uint64_t hash = key_hash(k, symmetric);
    for (size_t i = hash & (p->capacity - 1); p->table[i]; i = (i + 1) & (p->capacity - 1))
        if (matches(p->table[i], k, hash, symmetric)) return p->table[i];
    if (p->count * 2 >= p->capacity) grow(p);
    const Expr *e = new_node(p, k, hash);
    place(p->table, p->capacity, e);
    return e;
}
