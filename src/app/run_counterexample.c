/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample has the synchronisation, and the accesses that other threads could observe: those of places that several threads access and that
   are written. A line of the counterexample has consecutive steps of one thread on one line of the source. */
#include "app/run_counterexample.h"
#include "app/run_end.h"
#include "app/run_slice.h"
#include "base/file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is shown ---- */

static bool is_access(const RunStep *s) { return s->kind == RUN_ACCESS || s->kind == RUN_ATOMIC; }

typedef struct Touched { /* bytes of memory, and how threads accessed them */
    uint64_t word;
    unsigned thread;
    bool several, written;
} Touched;

/* Returns the entry of this word, from an open hash table. */
static Touched *touched(RunExplainer *t, uint64_t word) {
    size_t n = vec_len(t->touched), i = (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> 20) % n;
    while (t->touched[i].word && t->touched[i].word != word) i = (i + 1) % n;
    t->touched[i].word = word;
    return &t->touched[i];
}

static void touch(RunExplainer *t, const RunStep *s) {
    enum { MOST_WORDS = 64 };
    for (uint64_t w = s->address / 8, n = 0; w <= (s->address + (s->size ? s->size - 1 : 0)) / 8 && n < MOST_WORDS; w++, n++) {
        Touched *e = touched(t, w);
        if (!e->thread) e->thread = s->thread + 1;
        e->several |= e->thread != s->thread + 1;
        e->written |= s->write;
    }
}

static bool is_shared(RunExplainer *t, const RunStep *s) {
    const Touched *e = touched(t, s->address / 8);
    return e->several && e->written;
}

static bool concerns(const RunExplainer *t, const RunStep *block) {
    uint64_t a = t->v->address;
    bool memory = t->v->outcome != RUN_END_DEADLOCK && t->v->outcome != RUN_END_ASSERTION;
    return memory && a + 64 >= block->address && a < block->address + block->value + 64;
}

static bool is_shown(RunExplainer *t, const RunStep *s) {
    switch (s->kind) {
    case RUN_ACCESS:
    case RUN_ATOMIC: return is_shared(t, s);
    case RUN_ALLOCATE:
    case RUN_FREE: return concerns(t, s);
    case RUN_START:
    case RUN_FENCE:
    case RUN_EXIT:
    case RUN_YIELD:
    case RUN_SLEEP:
    case RUN_CLOCK:
    case RUN_DESCRIPTOR:
    case RUN_ARRIVE:
    case NRUNEVENTS: return false;
    case RUN_LOCK:
    case RUN_TRY:
    case RUN_UNLOCK:
    case RUN_READ_LOCK:
    case RUN_WAIT:
    case RUN_SIGNAL:
    case RUN_BROADCAST:
    case RUN_DOWN:
    case RUN_POST:
    case RUN_BARRIER:
    case RUN_ONCE:
    case RUN_CREATE:
    case RUN_JOIN:
    case RUN_CANCEL: break;
    }
    return true;
}

/* ---- names and values ---- */

static RunBlock *find_block(RunExplainer *t, uint64_t address) {
    for (size_t i = vec_len(t->blocks); i-- > 0;) {
        RunBlock *b = &t->blocks[i];
        if (address - b->address < (b->size ? b->size : 1)) return b;
    }
    return NULL;
}

/* Blocks are numbered in the order in which the counterexample names them. */
const char *run_name(RunExplainer *t, uint64_t address) {
    const char *name = run_symbols_data(t->symbols, address);
    RunBlock *b = name ? NULL : find_block(t, address);
    if (name) return name;
    if (!b) return "a local variable";
    if (!b->number) b->number = ++t->named;
    uint64_t offset = address - b->address;
    return offset ? arena_printf(t->c->arena, "block#%u+%" PRIu64, b->number, offset) : arena_printf(t->c->arena, "block#%u", b->number);
}

static bool is_known(RunExplainer *t, uint64_t address) { return run_symbols_data(t->symbols, address) || find_block(t, address); }

static const char *value_text(RunExplainer *t, const RunStep *s, uint64_t value) {
    if (!s->has_value) return NULL;
    if (s->size == 8 && value > UINT32_MAX) {
        if (is_known(t, value)) return arena_printf(t->c->arena, "&%s", run_name(t, value));
        if (value < UINT64_C(1) << 48) return arena_printf(t->c->arena, "0x%" PRIx64, value);
    }
    unsigned unused = 64 - 8 * s->size;
    return arena_printf(t->c->arena, "%" PRId64, (int64_t)(value << unused) >> unused);
}

/* ---- events ---- */

static void describe(RunExplainer *t, const RunStep *s, TraceLineEvent *e) {
    static const char *const does[] = {[RUN_WAIT] = "wakes up at",
                                       [RUN_SIGNAL] = "signals",
                                       [RUN_BROADCAST] = "wakes up all at",
                                       [RUN_DOWN] = "passes",
                                       [RUN_POST] = "posts",
                                       [RUN_BARRIER] = "passes the barrier",
                                       [RUN_ONCE] = "runs or passes",
                                       [RUN_READ_LOCK] = "locks to read"};
    const char *name = s->address ? run_name(t, s->address) : NULL;
    if (s->kind < sizeof does / sizeof *does && does[s->kind]) {
        const char *failed = !s->flag ? "" : s->kind == RUN_WAIT ? " by its time-out" : " in vain";
        e->does = arena_printf(t->c->arena, "%s %s%s", does[s->kind], name ? name : "it", failed);
    }
    if (s->kind == RUN_CANCEL) e->does = arena_printf(t->c->arena, "cancels thread %u", s->other + 1);
    e->name = name;
}

static TraceLineEvent event_of(RunExplainer *t, const RunStep *s) {
    TraceLineEvent e = {.shared = true};
    describe(t, s, &e);
    if (is_access(s)) {
        e.kind = s->write ? ACCESS_WRITE : ACCESS_READ;
        e.value = value_text(t, s, s->value);
        e.before = s->write ? value_text(t, s, s->before) : NULL;
    }
    if (s->kind == RUN_LOCK || s->kind == RUN_TRY) e.kind = ACCESS_LOCK, e.failed = s->flag;
    if (s->kind == RUN_UNLOCK) e.kind = ACCESS_UNLOCK, e.waits = s->flag;
    if (s->kind == RUN_CREATE) e.kind = ACCESS_CREATE, e.thread = s->other + 1;
    if (s->kind == RUN_JOIN) e.kind = ACCESS_JOIN, e.thread = s->other + 1;
    if (s->kind == RUN_FREE) e.kind = ACCESS_FREE;
    if (s->kind == RUN_ALLOCATE) e.kind = ACCESS_ALLOC, e.value = arena_printf(t->c->arena, "%" PRIu64, s->value);
    return e;
}

/* ---- lines ---- */

const char *run_callers(RunExplainer *t, const uint64_t *calls) {
    Buf text = {0};
    for (size_t i = 0; i < vec_len(calls); i++) {
        RunPlace p = run_symbols_place(t->symbols, calls[i]);
        if (p.position.file && i == MOST_CALLERS) buf_text(&text, " ← …");
        if (i == MOST_CALLERS) break;
        if (!p.position.file || !p.function) break;
        buf_printf(&text, "%s%s:%u", text.length ? " ← " : "", p.function, p.position.line);
    }
    const char *kept = text.length ? arena_strdup(t->c->arena, buf_string(&text)) : NULL;
    buf_free(&text);
    return kept;
}

static bool continues(const TraceLine *l, unsigned thread, Position p) {
    return l->thread == thread && l->position.line == p.line && l->position.file == p.file;
}

/* Returns whether the last line of this thread is the same, though another thread ran in between. */
static bool resumes(const RunExplainer *t, unsigned thread, Position p) {
    for (size_t i = vec_len(t->c->moments); i-- > 0;)
        if (t->c->moments[i].thread == thread) return continues(&t->c->moments[i], thread, p);
    return false;
}

/* Returns whether a read is followed by a write of the same place, as in x++. Then the write shows the value. */
static bool is_updated(const RunStep *read, const RunStep *write) {
    return is_access(read) && is_access(write) && !read->write && write->write && read->address == write->address &&
           read->size == write->size;
}

/* Returns whether a read has the same value as before, as in a loop that waits. */
static bool is_repeated(const RunStep *a, const RunStep *b) {
    return is_access(a) && is_access(b) && !a->write && !b->write && a->pc == b->pc && a->address == b->address && a->value == b->value;
}

static void add_step(RunExplainer *t, const RunStep *s, size_t index) {
    RunPlace p = run_symbols_place(t->symbols, s->pc);
    unsigned thread = s->thread + 1;
    size_t n = vec_len(t->c->moments);
    if (!n || !continues(&t->c->moments[n - 1], thread, p.position)) {
        TraceLine line = {.thread = thread, .position = p.position, .function = p.function, .first_step = index};
        line.resumes = resumes(t, thread, p.position);
        line.callers = run_callers(t, s->calls);
        if (n && t->c->moments[n - 1].thread != thread) t->c->switches++;
        vec_push(t->c->moments, line);
    }
    TraceLine *last = &vec_last(t->c->moments);
    last->last_step = index;
    if (vec_len(last->events) && is_repeated(&t->v->steps[t->shown], s)) return;
    if (vec_len(last->events) && is_updated(&t->v->steps[t->shown], s)) (void)vec_pop(last->events);
    t->shown = index;
    vec_push(last->events, event_of(t, s));
}

static void note_block(RunExplainer *t, const RunStep *s) {
    if (s->kind != RUN_ALLOCATE) return;
    RunBlock b = {.address = s->address, .size = s->value};
    vec_push(t->blocks, b);
}

/* Returns whether the program itself made the step, and not a library. */
static bool is_of_program(const RunExplainer *t, const RunStep *s) {
    return run_symbols_place(t->symbols, s->pc).position.file || s->kind == RUN_CREATE || s->kind == RUN_JOIN;
}

static bool *find_candidates(RunExplainer *t) {
    bool *list = NULL;
    vec_each_at(const RunStep, s, t->v->steps) vec_push(list, is_shown(t, s) && is_of_program(t, s));
    return list;
}

/* Returns how many lines the flagged steps take. */
static size_t count_lines(void *context, const bool *shown) {
    const RunExplainer *t = context;
    const RunStep *last = NULL;
    size_t n = 0;
    for (size_t i = 0; i < vec_len(t->v->steps); i++) {
        const RunStep *s = &t->v->steps[i];
        if (!shown[i]) continue;
        n += !last || last->thread != s->thread ||
             run_symbols_place(t->symbols, last->pc).position.line != run_symbols_place(t->symbols, s->pc).position.line;
        last = s;
    }
    return n;
}

static void add_steps(RunExplainer *t) {
    bool *candidates = find_candidates(t), *shown = t->all ? vec_copy(candidates) : run_slice(t->v, candidates, count_lines, t);
    size_t *folded = NULL; /* by thread: the steps since its last line */
    for (size_t i = 0; i < vec_len(t->v->steps); i++) {
        const RunStep *s = &t->v->steps[i];
        if (vec_len(folded) <= s->thread) vec_resize(folded, s->thread + 1);
        note_block(t, s);
        if (s->thread == t->v->other && s->pc == t->v->other_pc && t->v->outcome == RUN_END_RACE)
            t->first = vec_len(t->c->moments) + 1, t->first_step = i;
        if (shown[i]) {
            size_t lines = vec_len(t->c->moments);
            add_step(t, s, i);
            if (vec_len(t->c->moments) > lines) vec_last(t->c->moments).folded = folded[s->thread];
            folded[s->thread] = 0;
        } else {
            folded[s->thread] += candidates[i];
        }
        if (t->first > vec_len(t->c->moments)) t->first = vec_len(t->c->moments);
    }
    vec_free(folded);
    vec_free(candidates);
    vec_free(shown);
}

/* ---- threads ---- */

static void name_threads(RunExplainer *t) {
    vec_push(t->c->threads, "main");
    vec_each_at(const RunStep, s, t->v->steps) {
        if (s->kind != RUN_CREATE) continue;
        while (vec_len(t->c->threads) <= s->other)
            vec_push(t->c->threads, arena_printf(t->c->arena, "thread %zu", vec_len(t->c->threads) + 1));
    }
    vec_each_at(const RunStep, s, t->v->steps) {
        size_t n = vec_len(s->calls);
        RunPlace last = {0};
        if (s->thread && s->thread >= vec_len(t->c->threads)) continue;
        if (!s->thread || strchr(t->c->threads[s->thread], '(')) continue;
        last = run_symbols_place(t->symbols, s->pc);
        for (size_t i = 0; i < n; i++) {
            RunPlace p = run_symbols_place(t->symbols, s->calls[i]);
            if (p.position.file) last = p;
        }
        if (n < MOST_SHOWN_CALLS && last.function)
            t->c->threads[s->thread] = arena_printf(t->c->arena, "thread %u (%s)", s->thread + 1, last.function);
    }
}

static void ask(RunExplainer *t) {
    run_symbols_ask(t->symbols, t->v->pc, false);
    run_symbols_ask(t->symbols, t->v->other_pc, false);
    run_symbols_ask(t->symbols, t->v->address, true);
    vec_each_at(const RunStep, s, t->v->steps) {
        run_symbols_ask(t->symbols, s->pc, false);
        for (size_t i = 0; i < vec_len(s->calls); i++) run_symbols_ask(t->symbols, s->calls[i], false);
        run_symbols_ask(t->symbols, s->address, true);
        if (s->has_value && s->size == 8) run_symbols_ask(t->symbols, s->value, true), run_symbols_ask(t->symbols, s->before, true);
    }
    run_ask_waits(t);
    run_symbols_resolve(t->symbols);
}

Counterexample *run_counterexample(const RunResult *r, const RunViolation *v, const char *program, bool all) {
    Counterexample *c = counterexample_new();
    RunExplainer t = {.all = all, .v = v, .c = c, .symbols = run_symbols_new(c->arena, program, r->modules)};
    size_t room = 64;
    while (room < 4 * vec_len(v->steps) * 2) room *= 2;
    vec_resize(t.touched, room);
    vec_each_at(const RunStep, s, v->steps)
        if (is_access(s)) touch(&t, s);
    ask(&t);
    name_threads(&t);
    add_steps(&t);
    c->steps = vec_len(v->steps);
    run_describe_end(&t);
    run_symbols_free(t.symbols);
    vec_free(t.touched);
    vec_free(t.blocks);
    return c;
}
