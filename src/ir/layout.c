/* SPDX-License-Identifier: Apache-2.0 */
/* Gives every static object a run of whole granules, in the order of layout.h. The objects of the threads form one row of granules that
   repeats for each thread number. So an address determines its thread and its place in the row. Invariant: `globals` and `row` are
   sorted by start, and no two runs overlap. */
#include "ir/layout.h"
#include <stdlib.h>

typedef struct Run {
    uint64_t start; /* granule: absolute for globals, in the row for THREAD and LOCAL objects */
    const Object *object;
} Run;

struct Layout {
    uint64_t skew;
    unsigned bits; /* log2 of a granule's size */
    unsigned max_threads;
    uint64_t total;           /* the number of granules */
    uint64_t first;           /* the granule of the functions */
    const Object **functions; /* vecs */
    Run *globals, *row;
    uint64_t *place;          /* by object index: the granule (as Run.start), or the number of a function */
    uint64_t threads, stride; /* the first granule of thread 1's row; the number of granules in a row */
    uint64_t heap;
};

enum { FUNCTION_STEP = 16 };

static uint64_t granules(const Layout *l, uint64_t size) { return (size >> l->bits) + 2; }

/* Places o at *next and moves *next behind it. A size beyond the address space sets *next to its end; then max_threads is 0. */
static void place(Layout *l, Run **runs, const Object *o, uint64_t *next) {
    Run r = {.start = *next, .object = o};
    l->place[o->index] = *next;
    vec_push(*runs, r);
    uint64_t end = *next + granules(l, o->size);
    *next = end < *next || end > l->total ? l->total : end;
}

static void place_functions(Layout *l, const Program *p, uint64_t *next) {
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (p->objects[i]->kind == OBJECT_FUNCTION) {
            l->place[i] = vec_len(l->functions);
            vec_push(l->functions, p->objects[i]);
        }
    *next = l->first + granules(l, vec_len(l->functions) * FUNCTION_STEP);
}

/* Returns the number of threads that fit into a quarter of the granules behind the globals. The heap has the rest. */
static unsigned threads_that_fit(const Layout *l) {
    if (l->threads >= l->total) return 0;
    uint64_t room = (l->total - l->threads) / 4, fit = l->stride ? room / l->stride : MAX_THREADS;
    return fit < MAX_THREADS ? (unsigned)fit : MAX_THREADS;
}

Layout *layout_new(const Program *p) {
    Layout *l = zeroed(1, sizeof *l);
    l->skew = p->skew;
    l->first = layout_first_granule(p);
    l->bits = p->pointer_width == 64 ? 32 : 16;
    /* 64-bit addresses stay below 2^63; the last granule stays free, so that no end of an object wraps to 0. */
    l->total = (p->pointer_width == 64 ? UINT64_C(1) << 31 : UINT64_C(1) << 16) - 1;
    l->place = zeroed(vec_len(p->objects) + 1, sizeof *l->place);
    uint64_t next = 0, in_row = 0;
    place_functions(l, p, &next);
    vec_each(const Object *, o, p->objects) {
        if (o->kind == OBJECT_GLOBAL) place(l, &l->globals, o, &next);
        if (o->kind == OBJECT_THREAD || o->kind == OBJECT_LOCAL) place(l, &l->row, o, &in_row);
    }
    l->threads = next;
    l->stride = in_row;
    l->max_threads = threads_that_fit(l);
    l->heap = l->threads + l->stride * l->max_threads;
    return l;
}

void layout_free(Layout *l) {
    if (!l) return;
    vec_free(l->functions);
    vec_free(l->globals);
    vec_free(l->row);
    free(l->place);
    free(l);
}

unsigned layout_granule_bits(const Layout *l) { return l->bits; }
unsigned layout_max_threads(const Layout *l) { return l->max_threads; }
uint64_t layout_heap_start(const Layout *l) { return (l->heap << l->bits) + l->skew; }
uint64_t layout_heap_granules(const Layout *l) { return l->total - l->heap; }

uint64_t layout_address(const Layout *l, const Object *o, unsigned thread) {
    uint64_t at = l->place[o->index];
    switch (o->kind) {
    case OBJECT_FUNCTION: return (l->first << l->bits) + at * FUNCTION_STEP + l->skew;
    case OBJECT_GLOBAL: return (at << l->bits) + l->skew;
    case OBJECT_THREAD:
    case OBJECT_LOCAL:
        ensure(thread >= 1 && thread <= l->max_threads);
        return ((l->threads + (thread - 1) * l->stride + at) << l->bits) + l->skew;
    case OBJECT_HEAP: break;
    }
    die("an allocation site has no address of its own");
}

/* Returns the last run that starts at or before the granule, or NULL. */
static const Run *run_at(const Run *runs, uint64_t granule) {
    size_t low = 0, high = vec_len(runs);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runs[middle].start <= granule) low = middle + 1;
        else high = middle;
    }
    return low ? &runs[low - 1] : NULL;
}

static const Object *find_function(const Layout *l, uint64_t address, uint64_t *offset) {
    uint64_t distance = address - (l->first << l->bits), k = distance / FUNCTION_STEP;
    if (k >= vec_len(l->functions)) return NULL;
    *offset = distance % FUNCTION_STEP;
    return l->functions[k];
}

const Object *layout_find(const Layout *l, uint64_t address, unsigned *thread, uint64_t *offset) {
    if (address < l->skew) return NULL;
    address -= l->skew;
    uint64_t granule = address >> l->bits;
    const Run *run;
    if (granule < l->first || granule >= l->heap) return NULL;
    if (granule < l->threads) {
        run = run_at(l->globals, granule);
        if (!run) return find_function(l, address, offset);
    } else {
        uint64_t row = (granule - l->threads) / l->stride;
        *thread = (unsigned)row + 1;
        granule -= l->threads + row * l->stride;
        run = run_at(l->row, granule);
    }
    if (!run) return NULL;
    *offset = ((granule - run->start) << l->bits) + (address & ((UINT64_C(1) << l->bits) - 1));
    return run->object;
}
