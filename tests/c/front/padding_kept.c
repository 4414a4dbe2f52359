// expect: SAFE
/* memcpy and memset have to do with bytes, those between the members as well. Members that are written leave them alone. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct key {
    char kind;
    int value;
};
struct inner {
    char a;
    short b;
};
struct outer {
    char c;
    struct inner in[2];
    double d;
    char last;
};
struct wide {
    _Bool b;
    long double d;
    unsigned low : 3, : 2, high : 4;
};

static struct key global, keys[3], more[3];
static struct outer first, second;

static unsigned hash(const void *memory, size_t size) {
    const unsigned char *bytes = memory;
    unsigned h = 0;
    for (size_t i = 0; i < size; i++) h = h * 31 + bytes[i];
    return h;
}

static void copied(void) {
    unsigned char raw[sizeof(struct outer)], *bytes = (unsigned char *)&second;
    for (unsigned i = 0; i < sizeof raw; i++) raw[i] = (unsigned char)(i + 1);
    memcpy(&first, raw, sizeof first);
    second = first;
    for (unsigned i = 0; i < sizeof raw; i++) assert(bytes[i] == i + 1);
}

static void filled(void) {
    struct key a, b;
    memset(&global, 0xff, sizeof global);
    global.value = 1;
    assert(((unsigned char *)&global)[2] == 0xff);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.kind = b.kind = 1;
    a.value = b.value = 7;
    assert(hash(&a, sizeof a) == hash(&b, sizeof b) && !memcmp(&a, &b, sizeof a));
}

static void several(void) {
    memset(keys, 9, sizeof keys);
    for (int i = 0; i < 3; i++) keys[i].kind = (char)i, keys[i].value = 10 + i;
    memcpy(more, keys, 2 * sizeof *keys);
    assert(more[1].value == 11 && more[2].value == 0 && ((char *)more)[9] == 9 && ((char *)more)[17] == 0);
    memmove(keys + 1, keys, 2 * sizeof *keys);
    assert(keys[1].value == 10 && keys[2].value == 11 && ((char *)keys)[18] == 9);
    memcpy(&more[2], &keys[2], 6);
    assert(more[2].kind == 1 && more[2].value == 11 && ((char *)more)[18] == 9);
}

static void on_heap(void) {
    struct key *p = calloc(2, sizeof *p), local;
    if (!p) return;
    p[0].kind = 1;
    p[1] = p[0];
    local = p[1];
    assert(((char *)p)[9] == 0 && p[1].kind == 1 && ((char *)&local)[3] == 0);
    memset(p, 3, sizeof *p);
    struct key *q = realloc(p, 3 * sizeof *p);
    if (q) assert(((char *)q)[2] == 3);
}

static void scalars(void) {
    struct wide a, b;
    memset(&a, 0xff, sizeof a);
    a.b = 1, a.d = 1.5L, a.low = 2, a.high = 3;
    memcpy(&b, &a, sizeof a);
    assert(b.b && b.d == 1.5L && b.low == 2 && b.high == 3 && !memcmp(&a, &b, sizeof a));
    assert(((unsigned char *)&b)[27] == 0xff);
}

int main(void) {
    copied();
    filled();
    several();
    on_heap();
    scalars();
    return 0;
}
