/* SPDX-License-Identifier: Apache-2.0 */
/* Array values: a default and a map of the entries that differ from it.
   The map is a binary trie over the index bits without one-way branches (Patricia), its nodes hash-consed. Its shape
   depends only on the set of entries, so equal contents are the same node; a store makes new nodes only on the path
   to its entry, and all versions of an array share the rest. In-order is ascending by index (as unsigned). */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"

typedef struct Node Node;
struct Node {
    uint64_t hash;
    size_t entries;       /* below and at this node */
    u128 key;             /* leaf: the index as bits; fork: the bits that all below have in common above `bit` */
    int bit;              /* fork: the highest bit in which indices below differ; leaf: -1 */
    const Node *zero, *one; /* of a fork: indices with `bit` clear and set */
    Value index, element; /* of a leaf */
};

struct ArrayValue {
    uint64_t hash;
    Value otherwise;
    const Node *root; /* NULL: no entry differs */
    u128 id;          /* dense: what an array used as an index is known by */
};

/* Tables of pointers, open addressing, at most half full. */
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
    if (!v)
        return;
    Arena *arena = v->arena;
    vec_free(v->nodes.slots);
    vec_free(v->arrays.slots);
    arena_free(arena);
}

/* ---- interning ---- */
static void table_place(const void **slots, const void *item) {
    size_t last = vec_len(slots) - 1, i = *(const uint64_t *)item & last;
    while (slots[i])
        i = (i + 1) & last;
    slots[i] = item;
}

static void table_add(Table *t, const void *item) {
    if (++t->count * 2 > vec_len(t->slots)) {
        const void **larger = NULL;
        vec_resize(larger, vec_len(t->slots) * 2);
        for (size_t i = 0; i < vec_len(t->slots); i++)
            if (t->slots[i])
                table_place(larger, t->slots[i]);
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

static bool same_node(const Node *a, const Node *b) {
    return a->hash == b->hash && a->key == b->key && a->bit == b->bit && a->zero == b->zero && a->one == b->one &&
           same_value(a->index, b->index) && same_value(a->element, b->element);
}

static const Node *node_intern(Values *v, Node *n) {
    size_t last = vec_len(v->nodes.slots) - 1;
    n->hash = mix_value(mix(mix((uint64_t)n->key, (uint64_t)(n->key >> 64)), (uint64_t)n->bit), n->element);
    if (n->zero)
        n->hash = mix(mix(n->hash, n->zero->hash), n->one->hash);
    for (size_t i = n->hash & last; v->nodes.slots[i]; i = (i + 1) & last)
        if (same_node(v->nodes.slots[i], n))
            return v->nodes.slots[i];
    const Node *kept = arena_copy(v->arena, n, sizeof *n);
    table_add(&v->nodes, kept);
    return kept;
}

static const ArrayValue *array_intern(Values *v, Value otherwise, const Node *root) {
    size_t last = vec_len(v->arrays.slots) - 1;
    uint64_t hash = mix(mix_value(1, otherwise), root ? root->hash : 0);
    for (size_t i = hash & last; v->arrays.slots[i]; i = (i + 1) & last) {
        const ArrayValue *a = v->arrays.slots[i];
        if (a->hash == hash && a->root == root && same_value(a->otherwise, otherwise))
            return a;
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
    return node_intern(v, &(Node){.entries = 1, .key = key_of(index), .bit = -1, .index = index, .element = element});
}

/* zero and one may be NULL: then there is no fork. */
static const Node *fork_of(Values *v, int bit, const Node *zero, const Node *one) {
    if (!zero || !one)
        return zero ? zero : one;
    return node_intern(v, &(Node){.entries = zero->entries + one->entries, .key = above(zero->key, bit), .bit = bit,
                                  .zero = zero, .one = one});
}

static const Node *insert(Values *v, const Node *n, const Node *entry) {
    if (!n)
        return entry;
    u128 key = entry->key;
    if (n->bit < 0 ? n->key != key : above(key, n->bit) != n->key) { /* entry leaves the trie above n */
        int bit = highest_difference(n->key, key);
        return bit_set(key, bit) ? fork_of(v, bit, n, entry) : fork_of(v, bit, entry, n);
    }
    if (n->bit < 0)
        return entry;
    if (bit_set(key, n->bit))
        return fork_of(v, n->bit, n->zero, insert(v, n->one, entry));
    return fork_of(v, n->bit, insert(v, n->zero, entry), n->one);
}

static const Node *erase(Values *v, const Node *n, u128 key) {
    if (!n)
        return NULL;
    if (n->bit < 0)
        return n->key == key ? NULL : n;
    if (above(key, n->bit) != n->key)
        return n;
    if (bit_set(key, n->bit))
        return fork_of(v, n->bit, n->zero, erase(v, n->one, key));
    return fork_of(v, n->bit, erase(v, n->zero, key), n->one);
}

/* ---- interface ---- */
const ArrayValue *array_constant(Values *v, Value element) { return array_intern(v, element, NULL); }

Value array_select(const ArrayValue *a, Value index) {
    u128 key = key_of(index);
    const Node *n = a->root;
    while (n && n->bit >= 0)
        n = bit_set(key, n->bit) ? n->one : n->zero;
    return n && n->key == key ? n->element : a->otherwise;
}

const ArrayValue *array_store(Values *v, const ArrayValue *a, Value index, Value element) {
    const Node *root = same_value(element, a->otherwise) ? erase(v, a->root, key_of(index))
                                                         : insert(v, a->root, leaf(v, index, element));
    return root == a->root ? a : array_intern(v, a->otherwise, root);
}

size_t array_entries(const ArrayValue *a) { return a->root ? a->root->entries : 0; }

void array_entry(const ArrayValue *a, size_t i, Value *index, Value *element) {
    const Node *n = a->root;
    ensure(n && i < n->entries);
    while (n->bit >= 0) {
        size_t before = n->zero->entries;
        n = i < before ? n->zero : n->one;
        i -= i < before ? 0 : before;
    }
    *index = n->index;
    *element = n->element;
}

Value array_default(const ArrayValue *a) { return a->otherwise; }
