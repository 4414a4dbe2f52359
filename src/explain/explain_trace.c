/* SPDX-License-Identifier: Apache-2.0 */
/* The replay reports every access of every step. A counterexample shows accesses of shared data. It also shows named local variables that get an
   input, or that hold a value without initialisation. Each access stands at its own source line. Consecutive accesses of one thread on one line
   make one line of the counterexample. The value before a write is known from the accesses and initial contents so far, byte by byte. */
#include "explain/elements.h"
#include "explain/trace_explainer.h"
#include <string.h>

enum { MUTEX_OWNER = 0xffff }; /* the bits of a mutex word with the owner's number; see doc/ir.md */

/* ---- inputs: values from outside, on their way through temporaries ---- */
typedef struct InputSearch {
    const TraceExplainer *explainer;
    unsigned thread;
    bool found;
} InputSearch;

static void visit_symbol(void *context, const Symbol *symbol) {
    InputSearch *s = context;
    uint64_t is_input = 0;
    if (symbol->kind == SYM_VARIABLE && map_get(s->explainer->inputs, local_key(symbol->user, s->thread), &is_input))
        s->found |= is_input != 0;
}

/* True if the access writes an input, directly or from a temporary that holds an input. */
static bool is_input(TraceExplainer *t, const Access *a, unsigned thread) {
    InputSearch s = {.explainer = t, .thread = thread};
    if (a->kind != ACCESS_WRITE || !a->instr || a->chosen) return false;
    if (a->instr->kind == INSTR_HAVOC) s.found = true;
    else if (a->instr->kind == INSTR_ASSIGN || a->instr->kind == INSTR_STORE) expr_symbols(a->instr->value, visit_symbol, &s);
    if (a->variable && a->variable->temporary) map_put(t->inputs, local_key(a->variable, thread), s.found);
    return s.found;
}

static bool is_of_library(const char *name) { return !strncmp(name, LIBRARY_PREFIX, strlen(LIBRARY_PREFIX)); }

/* True for the stores of main's arguments, which have no place in the source. */
static bool is_before_main(const TraceExplainer *t, const Access *a) {
    const Template *main_ = t->program->templates[0];
    return !vec_len(t->counterexample->moments) && main_->locations[main_->entry].position.file && a->instr && !a->instr->position.file;
}

/* True for the begin and the end of a local variable's life, which are not shown. */
static bool is_lifetime(const Access *a) { return (a->kind == ACCESS_ALLOC || a->kind == ACCESS_FREE) && a->object && a->object->stack; }

/* True for accesses of shared data, and for named local variables that get an input or are uninitialised; never for temporaries and constants. */
static bool is_shown(const TraceExplainer *t, const Access *a, bool input) {
    if ((a->kind == ACCESS_ALLOC || a->kind == ACCESS_FREE) && a->object && is_of_library(a->object->name)) return false;
    if (a->kind != ACCESS_READ && a->kind != ACCESS_WRITE) return !is_lifetime(a);
    if (is_before_main(t, a)) return false;
    if (a->variable && (a->variable->temporary || is_of_library(a->variable->name))) return false;
    if (a->object && (a->object->readonly || is_of_library(a->object->name))) return false;
    return a->shared || input || a->chosen;
}

/* Fills *e with the access. Returns false if the access is not shown: a read of a member of a library's type. */
static bool event_of(TraceExplainer *t, const Access *a, unsigned thread, TraceLineEvent *e) {
    bool hidden;
    *e = (TraceLineEvent){.kind = a->kind, .shared = a->shared, .uninitialised = a->chosen, .buffered = a->buffered, .arrives = a->arrives};
    e->exchange_fails = a->kind == ACCESS_READ && a->instr && a->instr->failing;
    if (a->kind == ACCESS_CREATE || a->kind == ACCESS_JOIN) {
        e->thread = (unsigned)a->address;
        return true;
    }
    e->failed = a->kind == ACCESS_LOCK && (a->value.bits & MUTEX_OWNER) != thread;
    e->name = access_name(t, a, &hidden);
    const Sort *sort = access_sort(a);
    char kind = access_kind(a);
    Value before;
    uint64_t then = a->kind == ACCESS_READ ? written_at(t, a) : t->now;
    if (a->kind == ACCESS_ALLOC) {
        e->value = arena_printf(t->counterexample->arena, "%llu", (unsigned long long)a->size);
        e->before = address_before(t, a);
    } else if (sort && !a->undefined && (a->kind == ACCESS_READ || a->kind == ACCESS_WRITE))
        e->value = value_text(t, sort, a->value, kind, then);
    bool known = a->kind == ACCESS_WRITE && sort && (a->variable ? variable_before(t, a->variable, &before) : memory_before(t, a, &before));
    if (known) e->before = value_text(t, sort, before, kind, written_at(t, a));
    const char *members = e->value ? access_members(t, a) : NULL;
    if (members) e->value = members_text(t, members, (sort->width + 7) / 8, a->value, then);
    if (members && known) e->before = members_text(t, members, (sort->width + 7) / 8, before, written_at(t, a));
    bool inside = hidden && a->kind == ACCESS_WRITE; /* values in a library's types mean nothing to the reader */
    if (inside) e->value = e->before = NULL;
    return inside || !hidden;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* Adds an event, unless it repeats the last one. A read before a write of the same place is dropped, since the write shows the value before it. */
static void add_event(TraceLine *m, TraceLineEvent e) {
    if (vec_len(m->events)) {
        TraceLineEvent *last = &vec_last(m->events);
        bool looked = last->kind == ACCESS_READ ||
                      (last->kind == ACCESS_LOCK && e.kind == ACCESS_WRITE); /* such as the lock that pthread_mutex_destroy tries */
        if (e.does && looked && same_text(last->name, e.name)) vec_head_(m->events)->length--;
    }
    if (vec_len(m->events)) {
        TraceLineEvent *last = &vec_last(m->events);
        if (last->kind == ACCESS_READ && same_text(last->name, e.name)) {
            if (e.kind == ACCESS_READ && same_text(last->value, e.value)) return;
            if (e.kind == ACCESS_WRITE && same_text(last->value, e.before)) vec_head_(m->events)->length--;
        } else if (last->kind == ACCESS_WRITE && same_text(last->name, e.name) && !last->value && e.kind == ACCESS_WRITE && !e.value) {
            if (same_text(last->does, e.does)) return;
        }
    }
    vec_push(m->events, e);
}

/* ---- lines of the counterexample ---- */
static bool same_line(Position a, Position b) { return a.file && a.line == b.line && same_text(a.file, b.file); }

/* Returns the thread's last line so far, or NULL. */
static TraceLine *last_moment_of(const TraceExplainer *t, unsigned thread) {
    for (size_t i = vec_len(t->counterexample->moments); i-- > 0;)
        if (t->counterexample->moments[i].thread == thread) return &t->counterexample->moments[i];
    return NULL;
}

static uint64_t line_key(Position p) { return hash_word((uint64_t)(uintptr_t)p.file) ^ p.line; }

/* Records the line where the thread is, even if no access there is shown. So a loop that returns to a line is recognised. */
static void note_line(TraceExplainer *t, unsigned thread, Position p) {
    if (p.file) map_put(t->lines, thread, line_key(p));
}

static bool is_still_at(const TraceExplainer *t, unsigned thread, Position p) {
    uint64_t key;
    return !map_get(t->lines, thread, &key) || key == line_key(p);
}

static TraceLine *moment_at(TraceExplainer *t, const ReplayStep *s, Position p) {
    Counterexample *counterexample = t->counterexample;
    const Location *source = &s->template_->locations[s->action->source];
    if (vec_len(counterexample->moments) && !(counterexample->endless && counterexample->loop == vec_len(counterexample->moments))) {
        TraceLine *m = &vec_last(counterexample->moments);
        if (m->thread == s->thread && m->flush == s->flush && same_line(m->position, p) &&
            own_activation(m->position) == own_activation(p)) {
            m->last_step = t->step;
            return m;
        }
    }
    const TraceLine *earlier = last_moment_of(t, s->thread);
    const Activation *in = own_activation(p);
    TraceLine m = {
        .thread = s->thread,
        .position = p,
        .function = in ? in->function : source->function,
        .callers = callers_text(t, p),
        .location = source->index,
        .atomic = source->atomic,
        .flush = s->flush,
        .resumes = !s->flush && earlier && same_line(earlier->position, p) && own_activation(earlier->position) == in &&
                   is_still_at(t, s->thread, p),
        .first_step = t->step,
        .last_step = t->step,
    };
    if (vec_len(counterexample->moments) && vec_last(counterexample->moments).thread != s->thread) counterexample->switches++;
    vec_push(counterexample->moments, m);
    return &vec_last(counterexample->moments);
}

static void name_threads(TraceExplainer *t, const State *after) {
    while (vec_len(t->counterexample->threads) < state_threads(after)) {
        unsigned n = (unsigned)vec_len(t->counterexample->threads) + 1;
        const Template *template_ = t->program->templates[state_template(after, n)];
        int length = (int)strcspn(template_->name, "#"); /* without the suffix of templates that share a name */
        const char *name = n == 1 ? "main" : arena_printf(t->counterexample->arena, "thread %u (%.*s)", n, length, template_->name);
        vec_push(t->counterexample->threads, name);
    }
}

/* Adds an access of an array variable by its elements. Returns false if the elements are not known. */
static bool add_elements(TraceExplainer *t, const ReplayStep *s, const Access *a, Position p) {
    Element *list = NULL;
    Value before = {0};
    if (!a->variable || a->variable->sort->kind != SORT_ARRAY || (a->kind != ACCESS_READ && a->kind != ACCESS_WRITE)) return false;
    if (a->kind == ACCESS_WRITE) variable_before(t, a->variable, &before);
    if (!elements_of(s, a, before.array, &list)) return false;
    note_named(t, a);
    for (size_t i = 0; i < vec_len(list); i++) {
        TraceLineEvent e = {.kind = a->kind, .shared = a->shared, .value = value_text(t, list[i].sort, list[i].value, 0, t->now)};
        put_which(t, &list[i].name, a->variable, NULL, 0);
        e.name = kept(t, &list[i].name);
        if (a->kind == ACCESS_WRITE) e.before = value_text(t, list[i].sort, list[i].before, 0, t->now);
        add_event(moment_at(t, s, p), e);
    }
    vec_free(list);
    return true;
}

/* ---- bit-fields ---- */

/* Bytes with the bit-fields that share them. */
typedef struct Unit {
    const char *name; /* s.in, of s.in.a and s.in.b */
    ShapeBits fields[SHAPE_BITS_MAX];
    size_t n;
} Unit;

static bool unit_of(TraceExplainer *t, const Access *a, Unit *u) {
    const Variable *v = a->variable;
    const Sort *sort = access_sort(a);
    bool hidden;
    if ((a->kind != ACCESS_READ && a->kind != ACCESS_WRITE) || !sort || sort->kind != SORT_BV || a->undefined) return false;
    if (v) u->n = shape_bits(v->shape, 0, (sort->width + 7) / 8, u->fields);
    else u->n = a->object ? shape_bits(a->object->shape, a->offset, a->size, u->fields) : 0;
    if (!u->n) return false;
    const char *name = access_name(t, a, &hidden);
    u->name = arena_strndup(t->counterexample->arena, name, shape_prefix(name));
    return true;
}

static const char *field_value(TraceExplainer *t, const ShapeBits *b, Value bytes) {
    i128 v = shape_bits_value(b, bytes.bits);
    return arena_printf(t->counterexample->arena, b->is_signed ? "%lld" : "%llu", (long long)v);
}

static TraceLineEvent field_event(TraceExplainer *t, const Unit *u, size_t i, const Access *a, const Value *before) {
    TraceLineEvent e = {.kind = a->kind, .shared = a->shared, .uninitialised = a->chosen};
    e.name = arena_printf(t->counterexample->arena, "%s.%.*s", u->name, (int)u->fields[i].length, u->fields[i].name);
    e.value = field_value(t, &u->fields[i], a->value);
    e.before = before ? field_value(t, &u->fields[i], *before) : NULL;
    return e;
}

/* {a = 1, b = -2} */
static const char *unit_value(TraceExplainer *t, const Unit *u, Value bytes) {
    Buf out = {0};
    for (size_t i = 0; i < u->n; i++)
        buf_printf(&out, "%s%.*s = %s", i ? ", " : "{", (int)u->fields[i].length, u->fields[i].name, field_value(t, &u->fields[i], bytes));
    buf_char(&out, '}');
    return kept(t, &out);
}

/* Describes all bit-fields of the bytes: it is not known which of them a read is for, or a write that changes no bit-field. */
static TraceLineEvent unit_event(TraceExplainer *t, const Unit *u, const Access *a, const Value *before) {
    if (u->n == 1) return field_event(t, u, 0, a, before);
    TraceLineEvent e = {
        .kind = a->kind, .shared = a->shared, .uninitialised = a->chosen, .name = u->name, .value = unit_value(t, u, a->value)};
    if (before) e.before = unit_value(t, u, *before);
    return e;
}

/* Adds an access of bit-fields; a write becomes an event for each bit-field that it changes. Returns false for other accesses. */
static bool add_bits(TraceExplainer *t, const ReplayStep *s, const Access *a, Position p, bool input) {
    Unit u;
    Value before;
    unsigned changed = 0;
    if (!unit_of(t, a, &u)) return false;
    bool known = a->kind == ACCESS_WRITE && (a->variable ? variable_before(t, a->variable, &before) : memory_before(t, a, &before));
    TraceLine *m = moment_at(t, s, p);
    TraceLineEvent whole = unit_event(t, &u, a, known ? &before : NULL);
    whole.input = input;
    for (size_t i = 0; i < u.n && known; i++)
        changed += shape_bits_value(&u.fields[i], before.bits) != shape_bits_value(&u.fields[i], a->value.bits);
    add_event(m, whole);
    if (!changed) return true;
    vec_head_(m->events)->length--; /* first the event of all bit-fields has replaced the read before it; now its parts replace it */
    for (size_t i = 0; i < u.n; i++) {
        TraceLineEvent e = field_event(t, &u, i, a, &before);
        e.input = input;
        if (!same_text(e.before, e.value)) vec_push(m->events, e);
    }
    return true;
}

static bool step_has_line(const TraceExplainer *t) {
    return vec_len(t->counterexample->moments) && vec_last(t->counterexample->moments).last_step == t->step;
}

static void end_fault(TraceExplainer *t, Machine *m, const ReplayStep *s) {
    const Instr *i = s->fault->instr;
    Position p = i && i->position.file ? i->position : s->action->position;
    if (p.file || !step_has_line(t)) moment_at(t, s, p);
    t->counterexample->fault = true;
    t->counterexample->kind = told_fault(t, s);
    t->counterexample->outcome = "undefined behaviour";
    t->counterexample->error = fault_text(t->counterexample->kind);
    t->counterexample->position = p;
    tell_memory(t, s->fault);
    tell_mutex(t, s);
    tell_bare(t, s);
    tell_operands(t, m, s);
    t->step++;
}

/* Begins the part that is repeated with a line of its own, even if it has no events. */
static void begin_loop(TraceExplainer *t, const ReplayStep *s) {
    t->counterexample->endless = true;
    t->counterexample->loop = vec_len(t->counterexample->moments);
    moment_at(t, s, s->action->position);
}

/* Records an input of the program itself. Inputs of our models of the library are left out. */
static void note_input(TraceExplainer *t, const ReplayStep *s, const Access *a, Position p) {
    const Sort *sort = a->kind == ACCESS_WRITE && a->instr && a->instr->kind == INSTR_HAVOC && !a->instr->undefined ? access_sort(a) : NULL;
    if (!sort || (sort->kind != SORT_BV && sort->kind != SORT_BOOL) || !p.file || !p.in || p.in->library) return;
    TraceInput in = {.moment = vec_len(t->counterexample->moments),
                     .threads = t->started,
                     .thread = s->thread,
                     .position = p,
                     .function = p.in->function,
                     .bits = a->value.bits,
                     .width = sort->kind == SORT_BV ? sort->width : 1};
    vec_push(t->counterexample->inputs, in);
}

/* True if the next step flushes the store that this step buffers. The store is then shown as if the thread had no store buffer. */
static bool arrives_next(const TraceExplainer *t, const ReplayStep *s) {
    const TraceStep *next = t->step + 1 < vec_len(t->trace->steps) ? &t->trace->steps[t->step + 1] : NULL;
    return !s->flush && next && next->action == TRACE_FLUSH && next->thread == s->thread &&
           next->choices[0] + 1 == state_buffered_stores(s->after, s->thread);
}

/* True in the last two steps of a race, which have the accesses that race. */
static bool is_racing(const TraceExplainer *t) { return t->trace->end == TRACE_RACE && t->step + 2 >= vec_len(t->trace->steps); }

static void add_access(TraceExplainer *t, const ReplayStep *s, const Access *access) {
    Access copy = *access, *a = &copy;
    Position p = a->instr && a->instr->position.file ? a->instr->position : s->action->position;
    TraceLineEvent e;
    if (t->at_once && a->kind == ACCESS_WRITE) a->buffered = false;
    t->now++;
    if (a->kind == ACCESS_ALLOC) add_heap_place(t, a, s->thread, p);
    if (a->kind == ACCESS_FREE) end_heap_place(t, a, s->thread, p);
    note_input(t, s, a, p);
    if (a->kind == ACCESS_CREATE) t->started = (unsigned)a->address;
    if (!is_racing(t)) note_held(t, s->thread, a);
    note_written(t, s->thread, a, p);
    SyncEvent sync = sync_event(t, a, &e);
    bool input = is_input(t, a, s->thread) || (a->chosen && a->object && a->object->input);
    if (sync == SYNC_TOLD) add_event(moment_at(t, s, p), e);
    if (sync == SYNC_NONE && is_shown(t, a, input) && !add_elements(t, s, a, p) && !add_bits(t, s, a, p, input) &&
        event_of(t, a, s->thread, &e)) {
        e.input = input;
        e.uninitialised &= !input;
        note_wait(t, a, s->thread, &e);
        add_event(moment_at(t, s, p), e);
    }
    bool seen = !a->buffered && !is_racing(t); /* both accesses of a race happen in the same state */
    if ((a->kind == ACCESS_WRITE || a->kind == ACCESS_READ) && seen) remember(t, a);
    if (!s->flush) note_line(t, s->thread, p);
}

/* Ends the step in which a store has left its store buffer; if this is the last step, ends the counterexample. */
static void end_flush(TraceExplainer *t, Machine *machine, const ReplayStep *s) {
    if (t->step + 1 == vec_len(t->trace->steps)) tell_end(t, machine, s, t->trace);
    t->step++;
}

static void add_step(void *context, Machine *machine, const ReplayStep *s) {
    TraceExplainer *t = context;
    uint64_t own = 0;
    name_threads(t, s->after);
    if (TRACE_LOOPS(t->trace->end) && t->step == t->trace->loop) begin_loop(t, s);
    if (s->flush && t->at_once) {
        t->at_once = false;
        end_flush(t, machine, s);
        return;
    }
    t->at_once = arrives_next(t, s);
    for (size_t i = 0; i < vec_len(s->action->instrs) && !s->flush; i++)
        if (s->action->instrs[i].kind == INSTR_ALIVE) {
            const Object *o = s->action->instrs[i].object;
            forget(t, layout_address(t->layout, o, s->thread), o->size, false);
        }
    for (size_t i = 0; i < s->naccesses; i++) add_access(t, s, &s->accesses[i]);
    if (s->fault) {
        end_fault(t, machine, s);
        return;
    }
    if (s->flush) {
        end_flush(t, machine, s);
        return;
    }
    note_bare(t, s, NULL);
    const Location *target = &s->template_->locations[s->action->target];
    if (target->kind == LOCATION_ERROR) {
        Position p = target->position.file ? target->position : s->action->position;
        if (p.file || !step_has_line(t)) moment_at(t, s, p);
        t->counterexample->error = target->text;
        t->counterexample->position = p;
    }
    tell_end(t, machine, s, t->trace);
    map_get(t->own, s->thread, &own);
    map_put(t->own, s->thread, own + 1);
    t->step++;
}

/* Makes the counterexample in one pass over the trace. This pass adds the names that it finds to *named. If *again is set, it makes shared names
   distinct; otherwise it sets *again if names are shared. */
static Counterexample *explain_once(const Program *program, const Question *question, const Trace *trace, Namesake **named, bool *again) {
    TraceExplainer t = {.named = *named,
                        .again = *again,
                        .program = program,
                        .question = question,
                        .trace = trace,
                        .counterexample = counterexample_new(),
                        .layout = layout_new(program),
                        .bytes = map_new(),
                        .variables = map_new(),
                        .inputs = map_new(),
                        .started = 1,
                        .written = map_new(),
                        .own = map_new(),
                        .bare = map_new(),
                        .waits = map_new(),
                        .lines = map_new()};
    vec_push(t.counterexample->threads, "main");
    if (trace->end == TRACE_UNORDERED) t.clocks = clocks_new();
    tell_start(&t, trace);
    replay(program, question, trace, add_step, &t, NULL);
    t.counterexample->steps = t.step;
    layout_free(t.layout);
    map_free(t.bytes);
    map_free(t.variables);
    map_free(t.inputs);
    map_free(t.written);
    map_free(t.own);
    map_free(t.bare);
    map_free(t.waits);
    map_free(t.lines);
    vec_free(t.values);
    vec_free(t.heap);
    vec_free(t.racing);
    vec_free(t.held);
    vec_free(t.writes);
    vec_free(t.asked);
    if (t.clocks) clocks_free(t.clocks);
    *again = !t.again && names_differ(&t);
    *named = t.named;
    return t.counterexample;
}

Counterexample *explain_trace(const Program *program, const Question *question, const Trace *trace) {
    Namesake *named = NULL;
    bool again = false;
    Counterexample *counterexample = explain_once(program, question, trace, &named, &again);
    if (again) {
        counterexample_free(counterexample);
        counterexample = explain_once(program, question, trace, &named, &again);
    }
    vec_free(named);
    return counterexample;
}
