/* SPDX-License-Identifier: Apache-2.0 */
/* All states of a small program with procedures, by an interpreter with a stack of frames for each thread. It is what the pass inline is
   compared by: it shares no code with the pass, and evaluates nothing but expressions by the code of Heddle.

   It knows what random programs with procedures have (inline_random_test.c): values of at most 64 bits, global and local objects of at most 4
   bytes that are accessed byte by byte, threads that are created and joined. A thread that stops has the error that `stop_text` names. */
#pragma once
#include "explore.h"

enum { MOST_THREADS = 4, MOST_FRAMES = 48, MOST_LOCALS = 12, MOST_INSTANCES = 400, NO_NODE = ~0u };
enum { STOP_RECURSION = 1, STOP_WAYS, STOP_NULL, STOP_POINTER, STOP_BODY };

static inline const char *stop_text(unsigned why) {
    static const char *const texts[] = {"", "1 recursion", "2 recursion through a pointer", "3 null", "4 pointer", "5 no body"};
    return texts[why];
}

/* A place in the tree of calls: each has its own local objects. */
typedef struct Node {
    unsigned parent, action; /* the call, in the body of the parent */
    const Template *body;
    uint32_t closed; /* a bit for each parameter that stands for a constant or address */
    uint64_t used;   /* a bit for each body on the way here; not exact beyond 64 bodies */
} Node;

typedef struct FrameState {
    unsigned node, location; /* of a caller: behind the call */
    uint64_t locals[MOST_LOCALS];
} FrameState;

typedef struct ThreadState {
    unsigned frames, stop; /* the reason why it stopped, or 0 */
    bool ended;
    uint64_t result;
    FrameState frame[MOST_FRAMES];
} ThreadState;

/* An object, of a thread and node; thread 0: a global one. Its number + 1 is the high half of its address. */
typedef struct Instance {
    unsigned thread, node;
    const Object *object;
} Instance;

typedef struct World {
    uint64_t globals[8];
    unsigned threads;
    uint8_t alive[MOST_INSTANCES];
    uint32_t bytes[MOST_INSTANCES];
    ThreadState thread[MOST_THREADS];
} World;

typedef struct Frames {
    const Program *program;
    unsigned recursion;
    Values *values;
    Node *nodes; /* vecs */
    Instance *instances;
    bool *taken;    /* by procedure: its address is used as a value */
    bool **written; /* by procedure and parameter: it is assigned */
    uint64_t **work;
    Interner *keys;
    Map *known;
    Seen *seen;
    unsigned *choices; /* a vec: what the step chose, out of 4 */
    size_t next;
    World *now, *world; /* the state, and what a step makes of it */
    unsigned t;         /* the thread that moves */
    bool cut;
    unsigned calls, deepest;
} Frames;

/* ---- what a program says ---- */

static inline bool calls_symbol(const Instr *i) { return i->kind == INSTR_CALL && i->address && i->address->op == OP_SYMBOL; }

static inline void frames_take(void *context, const Symbol *s) {
    Frames *f = context;
    for (size_t i = 0; i < vec_len(f->program->procedures); i++)
        if (f->program->procedures[i]->address && f->program->procedures[i]->address->symbol == s) f->taken[i] = true;
}

static inline void frames_read(Frames *f, const Template *t) {
    vec_each_at(const Action, a, t->actions) {
        expr_symbols(a->guard, frames_take, f);
        vec_each_at(const Instr, i, a->instrs) {
            if (i->address && !calls_symbol(i)) expr_symbols(i->address, frames_take, f);
            if (i->value) expr_symbols(i->value, frames_take, f);
            for (unsigned k = 0; i->call && k < i->call->narguments; k++) expr_symbols(i->call->arguments[k], frames_take, f);
        }
    }
}

static inline bool *parameters_written(const Template *t) {
    bool *written = NULL;
    vec_resize(written, vec_len(t->parameters) + 1);
    vec_each_at(const Action, a, t->actions)
        vec_each_at(const Instr, i, a->instrs)
            for (size_t k = 0; k < vec_len(t->parameters); k++) {
                written[k] |= i->target == t->parameters[k];
                for (unsigned r = 0; i->call && r < i->call->nresults; r++) written[k] |= i->call->results[r] == t->parameters[k];
            }
    return written;
}

/* ---- nodes and objects ---- */

typedef struct Closed {
    const Node *node;
    bool is;
} Closed;

static inline void note_open(void *context, const Symbol *s) {
    Closed *c = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && (v->global || v->index >= vec_len(c->node->body->parameters) || !(c->node->closed >> v->index & 1))) c->is = false;
}

static inline bool expr_is_closed(const Frames *f, unsigned node, const Expr *e) {
    Closed c = {&f->nodes[node], true};
    expr_symbols(e, note_open, &c);
    return c.is;
}

static inline unsigned node_of(Frames *f, unsigned parent, unsigned action, const Template *body) {
    for (unsigned i = 0; i < vec_len(f->nodes); i++)
        if (f->nodes[i].parent == parent && f->nodes[i].action == action && f->nodes[i].body == body) return i;
    Node n = {.parent = parent, .action = action, .body = body};
    const CallParts *call = parent == NO_NODE ? NULL : vec_last(f->nodes[parent].body->actions[action].instrs).call;
    for (unsigned k = 0; call && k < call->narguments; k++)
        if (!f->written[body->index & ~(unsigned)PROCEDURE][k] && expr_is_closed(f, parent, call->arguments[k])) n.closed |= 1u << k;
    vec_push(f->nodes, n);
    return (unsigned)vec_len(f->nodes) - 1;
}

static inline unsigned times_within(const Frames *f, unsigned node, const Template *body) {
    unsigned times = 0;
    for (; node != NO_NODE; node = f->nodes[node].parent) times += f->nodes[node].body == body;
    return times;
}

static inline unsigned instance_of(Frames *f, unsigned thread, unsigned node, const Object *o) {
    for (unsigned i = 0; i < vec_len(f->instances); i++)
        if (f->instances[i].thread == thread && f->instances[i].node == node && f->instances[i].object == o) return i;
    vec_push(f->instances, ((Instance){thread, node, o}));
    f->cut |= vec_len(f->instances) > MOST_INSTANCES;
    return f->cut ? 0 : (unsigned)vec_len(f->instances) - 1;
}

static inline FrameState *top(Frames *f) {
    ThreadState *t = &f->world->thread[f->t];
    return &t->frame[t->frames - 1];
}

static inline unsigned own_instance(Frames *f, const Object *o) {
    return o->kind == OBJECT_GLOBAL ? instance_of(f, 0, NO_NODE, o) : instance_of(f, f->t + 1, top(f)->node, o);
}

static inline uint64_t address_of(Frames *f, const Object *o) {
    return o->kind == OBJECT_FUNCTION ? 256 + 16 * (uint64_t)o->index : (uint64_t)(own_instance(f, o) + 1) << 32;
}

/* Finds the byte at the address. */
static inline Fault find_byte(const Frames *f, uint64_t address, unsigned *instance, unsigned *byte) {
    uint64_t number = address >> 32, offset = address & 0xffffffff;
    if (!number) return address < 256 ? FAULT_NULL : FAULT_BOUNDS;
    if (number > vec_len(f->instances)) return FAULT_BOUNDS;
    *instance = (unsigned)number - 1;
    *byte = (unsigned)offset;
    if (offset >= f->instances[*instance].object->size) return FAULT_BOUNDS;
    return f->instances[*instance].thread && !f->world->alive[*instance] ? FAULT_SCOPE : FAULT_NONE;
}

/* ---- values ---- */

static inline uint64_t *place_of(Frames *f, FrameState *frame, const Variable *v) {
    return v->global ? &f->world->globals[v->index] : &frame->locals[v->index];
}

static inline Fault frames_lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    Frames *f = context;
    (void)n, (void)args;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    bool self = v && v == f->nodes[top(f)->node].body->self;
    result->array = NULL;
    result->bits = self ? f->t + 1 : v ? *place_of(f, top(f), v) : address_of(f, s->user);
    return FAULT_NONE;
}

static inline Fault value_of(Frames *f, const Expr *e, uint64_t *value) {
    EvalEnv env = {f->values, frames_lookup, f};
    Value v = {0};
    Fault fault = expr_eval(&env, e, &v);
    *value = (uint64_t)v.bits;
    return fault;
}

static inline unsigned frames_choose(Frames *f, unsigned most) {
    if (f->next == vec_len(f->choices)) vec_push(f->choices, 0u);
    unsigned chosen = f->choices[f->next++];
    if (chosen >= most) f->cut = true;
    return chosen;
}

/* ---- calls ---- */

enum { DISABLED = -1 };

static inline void stop_thread(Frames *f, unsigned why) {
    f->world->thread[f->t].stop = why;
    f->world->thread[f->t].frames = 0;
}

static inline bool sorts_fit(const CallParts *c, const Template *t) {
    bool fit = c->narguments == vec_len(t->parameters) && (!c->nresults || c->nresults == vec_len(t->results));
    for (unsigned k = 0; k < c->narguments && fit; k++) fit = c->arguments[k]->sort == t->parameters[k]->sort;
    for (unsigned k = 0; k < c->nresults && fit; k++) fit = c->results[k]->sort == t->results[k]->sort;
    return fit;
}

/* Finds the procedure that a call through a pointer runs: NULL for none. *ways is the number of those that it might run. */
static inline const Template *pointed_at(Frames *f, const Instr *i, uint64_t target, unsigned *ways) {
    const Template *found = NULL;
    *ways = 0;
    for (size_t k = 0; k < vec_len(f->program->procedures); k++) {
        const Template *t = f->program->procedures[k];
        if (!t->address || !sorts_fit(i->call, t)) continue;
        *ways += f->taken[k];
        if (address_of(f, t->address) == target) found = t;
    }
    if (expr_is_closed(f, top(f)->node, i->address)) *ways = 1;
    return found;
}

static inline bool enter_frame(Frames *f, const Instr *i, unsigned action, const Template *callee, unsigned ways) {
    ThreadState *t = &f->world->thread[f->t];
    unsigned node = top(f)->node, times = times_within(f, node, callee);
    bool constant = i->call->narguments > 0;
    for (unsigned k = 0; k < i->call->narguments; k++) constant &= expr_is_closed(f, node, i->call->arguments[k]);
    if (!vec_len(callee->locations)) return stop_thread(f, STOP_BODY), true;
    if (ways > 1 && times && times >= f->recursion / ways) return stop_thread(f, STOP_WAYS), true;
    if (times >= f->recursion && !(constant && times < 200)) return stop_thread(f, STOP_RECURSION), true;
    if (t->frames == MOST_FRAMES) return false;
    FrameState fresh = {.node = node_of(f, node, action, callee), .location = callee->entry};
    for (unsigned k = 0; k < i->call->narguments; k++)
        if (value_of(f, i->call->arguments[k], &fresh.locals[k])) return false; /* evaluated before */
    top(f)->location = f->nodes[node].body->actions[action].target;
    t->frame[t->frames++] = fresh;
    f->calls++;
    if (t->frames > f->deepest) f->deepest = t->frames;
    return true;
}

static inline int do_call(Frames *f, const Instr *i, unsigned action) {
    unsigned ways = 1;
    uint64_t target = 0, ignored;
    const Template *callee = i->address ? NULL : program_body(f->program, i->template_);
    if (i->address) {
        Fault fault = value_of(f, i->address, &target);
        if (fault || !target) return fault ? (int)fault : FAULT_NULL;
        callee = pointed_at(f, i, target, &ways);
    }
    if (!callee) return stop_thread(f, STOP_POINTER), FAULT_NONE;
    for (unsigned k = 0; k < i->call->narguments; k++) {
        Fault fault = value_of(f, i->call->arguments[k], &ignored);
        if (fault) return (int)fault;
    }
    f->cut |= !enter_frame(f, i, action, callee, ways);
    return FAULT_NONE;
}

/* The thread arrives at the location of its top frame: it returns, or ends. */
static inline void arrive(Frames *f) {
    ThreadState *t = &f->world->thread[f->t];
    while (f->nodes[top(f)->node].body->locations[top(f)->location].kind == LOCATION_RETURN) {
        FrameState *from = top(f), *to = from - 1;
        const Node *n = &f->nodes[from->node];
        const CallParts *call = vec_last(f->nodes[n->parent].body->actions[n->action].instrs).call;
        for (unsigned k = 0; k < call->nresults; k++) *place_of(f, to, call->results[k]) = from->locals[n->body->results[k]->index];
        memset(from, 0, sizeof *from);
        t->frames--;
    }
    if (f->nodes[top(f)->node].body->locations[top(f)->location].kind != LOCATION_END) return;
    const Template *body = f->nodes[t->frame[0].node].body;
    t->result = body->result ? t->frame[0].locals[body->result->index] : 0;
    t->ended = true;
    t->frames = 0;
    for (unsigned i = 0; i < vec_len(f->instances); i++)
        if (f->instances[i].thread == f->t + 1) f->world->alive[i] = 0, f->world->bytes[i] = 0;
}

/* ---- instructions ---- */

static inline int do_access(Frames *f, const Instr *i) {
    uint64_t address, value = 0;
    unsigned instance, byte;
    Fault fault = value_of(f, i->address, &address);
    if (!fault && i->value) fault = value_of(f, i->value, &value);
    if (!fault) fault = find_byte(f, address, &instance, &byte);
    if (fault) return (int)fault;
    uint32_t *bytes = &f->world->bytes[instance];
    if (i->kind == INSTR_LOAD) *place_of(f, top(f), i->target) = *bytes >> 8 * byte & 255;
    else if (i->value->sort->width == 32) *bytes = (uint32_t)value;
    else *bytes = (*bytes & ~(UINT32_C(255) << 8 * byte)) | (uint32_t)value << 8 * byte;
    return FAULT_NONE;
}

static inline int do_new_thread(Frames *f, const Instr *i) {
    uint64_t argument;
    Fault fault = value_of(f, i->value, &argument);
    if (fault) return (int)fault;
    if (f->world->threads == MOST_THREADS) return f->cut = true, DISABLED;
    const Template *body = f->program->templates[i->template_];
    ThreadState *t = &f->world->thread[f->world->threads++];
    t->frames = 1;
    t->frame[0].node = node_of(f, NO_NODE, 0, body);
    t->frame[0].location = body->entry;
    t->frame[0].locals[body->argument->index] = argument;
    if (i->target) *place_of(f, top(f), i->target) = f->world->threads;
    return FAULT_NONE;
}

static inline int do_join_thread(Frames *f, const Instr *i) {
    uint64_t number;
    Fault fault = value_of(f, i->address, &number);
    if (fault) return (int)fault;
    if (!number || number > f->world->threads) return FAULT_THREAD;
    if (!f->world->thread[number - 1].ended) return DISABLED;
    if (i->target) *place_of(f, top(f), i->target) = f->world->thread[number - 1].result;
    return FAULT_NONE;
}

static inline int do_one(Frames *f, const Instr *i, unsigned action) {
    uint64_t value;
    Fault fault;
    switch (i->kind) {
    case INSTR_ASSIGN:
        fault = value_of(f, i->value, &value);
        if (!fault) *place_of(f, top(f), i->target) = value;
        return (int)fault;
    case INSTR_HAVOC: *place_of(f, top(f), i->target) = frames_choose(f, 4); return FAULT_NONE;
    case INSTR_ASSUME: fault = value_of(f, i->value, &value); return fault ? (int)fault : value ? FAULT_NONE : DISABLED;
    case INSTR_LOAD:
    case INSTR_STORE: return do_access(f, i);
    case INSTR_ALIVE:
    case INSTR_DEAD:
        f->world->alive[own_instance(f, i->object)] = i->kind == INSTR_ALIVE;
        f->world->bytes[own_instance(f, i->object)] = 0;
        return FAULT_NONE;
    case INSTR_CREATE: return do_new_thread(f, i);
    case INSTR_JOIN: return do_join_thread(f, i);
    case INSTR_CALL: return do_call(f, i, action);
    default: die("no such instruction in these programs");
    }
}

static inline int do_action(Frames *f, const Action *a) {
    uint64_t holds;
    Fault fault = value_of(f, a->guard, &holds);
    if (fault || !holds) return fault ? (int)fault : DISABLED;
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        int result = do_one(f, &a->instrs[i], a->index);
        if (result) return result;
    }
    if (!action_call(a)) top(f)->location = a->target, arrive(f);
    return FAULT_NONE;
}

/* ---- states ---- */

static inline void put(uint64_t **words, uint64_t x) { vec_push(*words, x); }

static inline uint64_t *pack(const Frames *f, const World *w) {
    uint64_t *out = NULL;
    size_t globals = vec_len(f->program->globals), n = vec_len(f->instances);
    for (size_t i = 0; i < globals; i++) put(&out, w->globals[i]);
    put(&out, w->threads);
    for (unsigned t = 0; t < w->threads; t++) {
        const ThreadState *s = &w->thread[t];
        put(&out, (uint64_t)s->frames << 8 | s->stop << 1 | s->ended);
        put(&out, s->result);
        for (unsigned k = 0; k < s->frames; k++) {
            put(&out, (uint64_t)s->frame[k].node << 32 | s->frame[k].location);
            for (size_t v = 0; v < vec_len(f->nodes[s->frame[k].node].body->locals); v++) put(&out, s->frame[k].locals[v]);
        }
    }
    while (n && !w->alive[n - 1] && !w->bytes[n - 1]) n--;
    for (size_t i = 0; i < n; i++) put(&out, (uint64_t)w->alive[i] << 32 | w->bytes[i]);
    return out;
}

static inline void unpack(const Frames *f, const uint64_t *in, World *w) {
    const uint64_t *end = in + vec_len(in);
    memset(w, 0, offsetof(World, thread));
    for (size_t i = 0; i < vec_len(f->program->globals); i++) w->globals[i] = *in++;
    w->threads = (unsigned)*in++;
    for (unsigned t = 0; t < MOST_THREADS; t++) {
        ThreadState *s = &w->thread[t];
        *s = (ThreadState){.ended = false};
        if (t >= w->threads) continue;
        s->frames = (unsigned)(*in >> 8);
        s->stop = *in >> 1 & 127;
        s->ended = *in++ & 1;
        s->result = *in++;
        for (unsigned k = 0; k < s->frames; k++) {
            s->frame[k].node = (unsigned)(*in >> 32);
            s->frame[k].location = (unsigned)*in++;
            for (size_t v = 0; v < vec_len(f->nodes[s->frame[k].node].body->locals); v++) s->frame[k].locals[v] = *in++;
        }
    }
    for (unsigned i = 0; in < end; i++, in++) w->alive[i] = (uint8_t)(*in >> 32), w->bytes[i] = (uint32_t)*in;
}

static inline const Location *location_at(const Frames *f, const FrameState *s) { return &f->nodes[s->node].body->locations[s->location]; }

/* True if no other thread moves: the thread is at an atomic location, or has left one by a call. */
static inline bool is_atomic(const Frames *f, const ThreadState *t) {
    bool atomic = false, plain = t->frames && location_at(f, &t->frame[t->frames - 1])->kind == LOCATION_PLAIN;
    for (unsigned k = 0; k < t->frames && plain; k++) atomic |= location_at(f, &t->frame[k])->atomic;
    return atomic;
}

/* Returns the thread that alone may move, -1 if all may, -2 if none may. */
static inline int who_moves(const Frames *f, const World *w) {
    int only = -1;
    for (unsigned t = 0; t < w->threads; t++) {
        const ThreadState *s = &w->thread[t];
        if (s->frames && location_at(f, &s->frame[s->frames - 1])->kind == LOCATION_HALT) return -2;
        if (is_atomic(f, s)) only = (int)t;
    }
    return only;
}

static inline void see(Frames *f, const World *w) {
    unsigned packed = (unsigned)((w->globals[0] & 3) * 16 + (w->globals[1] & 3) * 4 + (w->globals[2] & 3));
    bool atomic = false;
    for (unsigned t = 0; t < w->threads; t++) {
        const ThreadState *s = &w->thread[t];
        const Location *l = s->frames ? location_at(f, &s->frame[s->frames - 1]) : NULL;
        atomic |= is_atomic(f, s);
        if (!s->stop && (!l || l->kind != LOCATION_ERROR)) continue;
        f->seen->error = true;
        f->seen->errors |= error_bit(s->stop ? stop_text(s->stop) : l->text);
    }
    if (!atomic) f->seen->values[packed] = true;
}

static inline void keep_world(Frames *f, const World *w) {
    uint64_t *words = pack(f, w);
    const char *key = intern_n(f->keys, (const char *)words, vec_len(words) * sizeof *words);
    if (map_get(f->known, map_key(key), NULL)) {
        vec_free(words);
        return;
    }
    map_put(f->known, map_key(key), 1);
    see(f, w);
    vec_push(f->work, words);
}

static inline bool next_choices(Frames *f) {
    while (vec_len(f->choices)) {
        if (++vec_last(f->choices) < 4) return true;
        (void)vec_pop(f->choices);
    }
    return false;
}

static inline void take_step(Frames *f, unsigned thread, const Action *a) {
    do {
        memcpy(f->world, f->now, sizeof *f->world);
        f->t = thread;
        f->next = 0;
        int result = do_action(f, a);
        if (result > 0) f->seen->faults[result] = true;
        if (result == FAULT_NONE) keep_world(f, f->world);
    } while (next_choices(f) && !f->cut);
    vec_clear(f->choices);
}

static inline void expand_world(Frames *f) {
    int only = who_moves(f, f->now);
    for (unsigned t = 0; t < f->now->threads && only != -2; t++) {
        const ThreadState *s = &f->now->thread[t];
        if (!s->frames || (only >= 0 && t != (unsigned)only)) continue;
        const FrameState *frame = &s->frame[s->frames - 1];
        const Location *l = location_at(f, frame);
        const Template *body = f->nodes[frame->node].body;
        for (size_t i = 0; i < vec_len(l->out) && !f->cut; i++) take_step(f, t, &body->actions[l->out[i]]);
    }
}

static inline void first_world(Frames *f) {
    World *w = f->now;
    memset(w, 0, sizeof *w);
    w->threads = 1;
    w->thread[0].frames = 1;
    w->thread[0].frame[0].node = node_of(f, NO_NODE, 0, f->program->templates[0]);
    w->thread[0].frame[0].location = f->program->templates[0]->entry;
    keep_world(f, w);
}

/* Everything that can be seen of p, a program with procedures whose globals are 0 at first. *deepest becomes the largest number of frames. */
static inline void frames_explore(const Program *p, unsigned recursion, Seen *seen, unsigned *deepest) {
    Frames f = {.program = p, .recursion = recursion, .values = values_new(), .keys = interner_new(), .known = map_new(), .seen = seen};
    f.now = calloc(1, sizeof *f.now);
    f.world = calloc(1, sizeof *f.world);
    vec_resize(f.taken, vec_len(p->procedures) + 1);
    vec_each(const Template *, t, p->procedures) vec_push(f.written, parameters_written(t));
    vec_each(const Template *, t, p->procedures) frames_read(&f, t);
    vec_each(const Template *, t, p->templates) frames_read(&f, t);
    first_world(&f);
    while (vec_len(f.work)) {
        uint64_t *words = vec_pop(f.work);
        if (map_size(f.known) < MAX_STATES && !f.cut) unpack(&f, words, f.now), expand_world(&f);
        vec_free(words);
    }
    seen->complete = map_size(f.known) < MAX_STATES && !f.cut;
    *deepest = f.deepest;
    vec_free(f.nodes);
    vec_free(f.instances);
    vec_free(f.taken);
    vec_free_rows(f.written);
    vec_free(f.work);
    vec_free(f.choices);
    map_free(f.known);
    interner_free(f.keys);
    values_free(f.values);
    free(f.now);
    free(f.world);
}
