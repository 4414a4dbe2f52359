/* SPDX-License-Identifier: Apache-2.0 */
/* Represents array values: a default, and a map of the entries that differ from it. The map is a binary trie over the bits of the index,
   without one-way branches (Morrison: PATRICIA, JACM 1968), with hash-consed nodes. Its shape depends only on the set of entries, so
   arrays with equal contents are the same node. A store makes new nodes only on the path to its entry, and all versions of an array
   share the rest. In-order traversal is ascending by index (as unsigned). */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"

typedef struct Node {
    uint64_t hash;
    unsigned entries; /* number of entries below and at this node */
    int bit;          /* fork: the highest bit in which the indices below differ; leaf: -1 */
    u128 key;         /* leaf: the index as bits; fork: the bits above `bit`, which all indices below share */
} Node;

typedef struct Fork {
    Node node;
    const Node *zero, *one; /* indices with `bit` clear and set */
} Fork;

typedef struct Leaf {
    Node node;
    Value element;
    const ArrayValue *index; /* the index, if it is an array; then node.key is its id */
} Leaf;

struct ArrayValue {
    uint64_t hash;
    Value otherwise;
    const Node *root; /* NULL: no entry differs */
    u128 id;          /* dense; stands for the array if it is an index */
};

/* A hash table of pointers with open addressing, at most half full. */
typedef struct Table {
    const void **slots; /* each to a struct that starts with its hash */
    size_t count;
} Table;

struct Values {
    Arena *arena;
    Table nodes, arrays;
};

Values *values_new(void) {
    Arena *arena = arena_new();
    Values *v = arena_new_of(arena, Values);
    v->arena = arena;
    vec_resize(v->nodes.slots, 256);
    vec_resize(v->arrays.slots, 256);
    return v;
}

void values_free(Values *v) {
    if (!v) return;
    Arena *arena = v->arena;
    vec_free(v->nodes.slots);
    vec_free(v->arrays.slots);
    arena_free(arena);
}

/* ---- interning ---- */
static void table_place(const void **slots, const void *item) {
    size_t last = vec_len(slots) - 1, i = *(const uint64_t *)item & last;
    while (slots[i]) i = (i + 1) & last;
    slots[i] = item;
}

static void table_add(Table *t, const void *item) {
    if (++t->count * 2 > vec_len(t->slots)) {
        const void **larger = NULL;
        vec_resize(larger, vec_len(t->slots) * 2);
        for (size_t i = 0; i < vec_len(t->slots); i++)
            if (t->slots[i]) table_place(larger, t->slots[i]);
        vec_free(t->slots);
        t->slots = larger;
    }
    table_place(t->slots, item);
}

static uint64_t mix(uint64_t h, uint64_t word) { return hash_word(h * 0x9e3779b97f4a7c15u + word); }
static uint64_t mix_value(uint64_t h, Value v) {
    h = mix(mix(h, (uint64_t)v.bits), (uint64_t)(v.bits >> 64));
    return v.array ? mix(h, (uint64_t)v.array->id) : h;
}
static bool same_value(Value a, Value b) { return a.bits == b.bits && a.array == b.array; }

static const Fork *as_fork(const Node *n) { return (const Fork *)n; }
static const Leaf *as_leaf(const Node *n) { return (const Leaf *)n; }

static bool same_node(const Node *a, const Node *b) {
    if (a->hash != b->hash || a->bit != b->bit || a->key != b->key) return false;
    if (a->bit >= 0) return as_fork(a)->zero == as_fork(b)->zero && as_fork(a)->one == as_fork(b)->one;
    return as_leaf(a)->index == as_leaf(b)->index && same_value(as_leaf(a)->element, as_leaf(b)->element);
}

/* Returns the only node with the contents of n, which is the head of a Fork or a Leaf. */
static const Node *node_intern(Values *v, Node *n) {
    size_t last = vec_len(v->nodes.slots) - 1;
    n->hash = mix(mix((uint64_t)n->key, (uint64_t)(n->key >> 64)), (uint64_t)n->bit);
    if (n->bit >= 0) n->hash = mix(mix(n->hash, as_fork(n)->zero->hash), as_fork(n)->one->hash);
    else n->hash = mix_value(n->hash, as_leaf(n)->element);
    for (size_t i = n->hash & last; v->nodes.slots[i]; i = (i + 1) & last)
        if (same_node(v->nodes.slots[i], n)) return v->nodes.slots[i];
    const Node *kept = arena_copy(v->arena, n, n->bit >= 0 ? sizeof(Fork) : sizeof(Leaf));
    table_add(&v->nodes, kept);
    return kept;
}

static const ArrayValue *array_intern(Values *v, Value otherwise, const Node *root) {
    size_t last = vec_len(v->arrays.slots) - 1;
    uint64_t hash = mix(mix_value(1, otherwise), root ? root->hash : 0);
    for (size_t i = hash & last; v->arrays.slots[i]; i = (i + 1) & last) {
        const ArrayValue *a = v->arrays.slots[i];
        if (a->hash == hash && a->root == root && same_value(a->otherwise, otherwise)) return a;
    }
    ArrayValue *a = arena_new_of(v->arena, ArrayValue);
    *a = (ArrayValue){.hash = hash, .otherwise = otherwise, .root = root, .id = v->arrays.count};
    table_add(&v->arrays, a);
    return a;
}

/* ---- the trie ---- */
static u128 key_of(Value index) { return index.array ? index.array->id : index.bits; }
static bool bit_set(u128 key, int bit) { return key >> bit & 1; }
static u128 above(u128 key, int bit) { return bit >= 127 ? 0 : key >> (bit + 1) << (bit + 1); }

static int highest_difference(u128 a, u128 b) {
    u128 d = a ^ b;
    uint64_t high = (uint64_t)(d >> 64), low = (uint64_t)d;
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low);
}

static const Node *leaf(Values *v, Value index, Value element) {
    Leaf n = {.node = {.entries = 1, .bit = -1, .key = key_of(index)}, .element = element, .index = index.array};
    return node_intern(v, &n.node);
}

/* Returns a fork of two tries. zero or one may be NULL: then the other trie is returned. */
static const Node *fork_of(Values *v, int bit, const Node *zero, const Node *one) {
    if (!zero || !one) return zero ? zero : one;
    Fork n = {.node = {.entries = zero->entries + one->entries, .bit = bit, .key = above(zero->key, bit)}, .zero = zero, .one = one};
    return node_intern(v, &n.node);
}

static const Node *insert(Values *v, const Node *n, const Node *entry) {
    if (!n) return entry;
    u128 key = entry->key;
    if (n->bit < 0 ? n->key != key : above(key, n->bit) != n->key) { /* the path to the entry branches off above n */
        int bit = highest_difference(n->key, key);
        return bit_set(key, bit) ? fork_of(v, bit, n, entry) : fork_of(v, bit, entry, n);
    }
    if (n->bit < 0) return entry;
    if (bit_set(key, n->bit)) return fork_of(v, n->bit, as_fork(n)->zero, insert(v, as_fork(n)->one, entry));
    return fork_of(v, n->bit, insert(v, as_fork(n)->zero, entry), as_fork(n)->one);
}

static const Node *erase(Values *v, const Node *n, u128 key) {
    if (!n) return NULL;
    if (n->bit < 0) return n->key == key ? NULL : n;
    if (above(key, n->bit) != n->key) return n;
    if (bit_set(key, n->bit)) return fork_of(v, n->bit, as_fork(n)->zero, erase(v, as_fork(n)->one, key));
    return fork_of(v, n->bit, erase(v, as_fork(n)->zero, key), as_fork(n)->one);
}

/* ---- interface ---- */
const ArrayValue *array_constant(Values *v, Value element) { return array_intern(v, element, NULL); }

Value array_select(const ArrayValue *a, Value index) {
    u128 key = key_of(index);
    const Node *n = a->root;
    while (n && n->bit >= 0) n = bit_set(key, n->bit) ? as_fork(n)->one : as_fork(n)->zero;
    return n && n->key == key ? as_leaf(n)->element : a->otherwise;
}

const ArrayValue *array_store(Values *v, const ArrayValue *a, Value index, Value element) {
    const Node *root = same_value(element, a->otherwise) ? erase(v, a->root, key_of(index)) : insert(v, a->root, leaf(v, index, element));
    return root == a->root ? a : array_intern(v, a->otherwise, root);
}

size_t array_entries(const ArrayValue *a) { return a->root ? a->root->entries : 0; }

void array_entry(const ArrayValue *a, size_t i, Value *index, Value *element) {
    const Node *n = a->root;
    ensure(n && i < n->entries);
    while (n->bit >= 0) {
        size_t before = as_fork(n)->zero->entries;
        n = i < before ? as_fork(n)->zero : as_fork(n)->one;
        i -= i < before ? 0 : before;
    }
    const Leaf *l = as_leaf(n);
    *index = l->index ? (Value){.array = l->index} : (Value){.bits = n->key};
    *element = l->element;
}

Value array_default(const ArrayValue *a) { return a->otherwise; }
