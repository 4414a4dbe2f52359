/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which waypoints a step passes. A step is a guard and instructions, each with a position; these are its points. A thread is
   before a statement if it comes to a point of the line from another line. The same holds before its first action on the line that other
   threads may observe. Meanwhile other threads may step, and the constraint of a waypoint may hold at any such time. */
#include "witness/points.h"
#include "base/file.h"
#include "base/map.h"
#include "ir/shape.h"
#include "witness/value.h"
#include <string.h>

/* ---- places in the source ---- */

static bool same_file(const char *a, const char *b) { return a == b || !a || !b || !strcmp(base_name(a), base_name(b)); }

static const Activation *own_activation(Position p) {
    const Activation *in = p.in;
    while (in && in->library) in = in->from.in;
    return in;
}

bool spot_is(const Spot *s, Position p) {
    const Activation *in = own_activation(p);
    if (!p.file || p.line != s->line || !same_file(s->file, p.file)) return false;
    if (s->first && p.column > 1 && (p.column < s->first || p.column > s->last)) return false; /* clang reports column 1 for declarations */
    return !s->function || !in || !in->function || !strcmp(in->function, s->function);
}

bool spot_calls(const Spot *s, Position p) {
    for (; p.file; p = p.in->from) {
        if (spot_is(s, p)) return true;
        if (!p.in) return false;
    }
    return false;
}

static bool has_code(const Program *program, const Spot *s) {
    vec_each(const Template *, template_, program->templates) {
        vec_each_at(const Action, action, template_->actions) {
            if (spot_calls(s, action->position)) return true;
            for (size_t i = 0; i < vec_len(action->instrs); i++)
                if (spot_calls(s, action->instrs[i].position)) return true;
        }
        for (size_t l = 0; l < vec_len(template_->locations); l++)
            if (spot_calls(s, template_->locations[l].position)) return true;
    }
    return false;
}

bool points_exist(const Program *program, const Spot *s) {
    Spot line = *s;
    bool declared = false;
    line.function = NULL;
    vec_each(const Object *, o, program->objects) declared |= spot_is(s, o->position);
    return has_code(program, s) || (declared && !has_code(program, &line)); /* an object does not record its function */
}

/* Returns whether it is known which steps of the program pass the waypoint. Heddle may miss that a branch is taken, or a call of a
   function without code. */
static bool is_plain(const Program *program, const ClaimedWaypoint *w) {
    if (w->kind == CLAIMED_ASSUME || w->kind == CLAIMED_TARGET || w->starts) return true;
    if (w->kind == CLAIMED_BRANCH) return false;
    program_each_instr(const Instr, i, program) {
        Position at = i->position.file ? i->position : i_action_->position;
        const Activation *in = own_activation(at);
        if (w->kind == CLAIMED_ENTER && in && in->from.file && spot_is(&w->spot, in->from)) return true;
        if (i->kind == (w->kind == CLAIMED_ENTER ? INSTR_CREATE : INSTR_HAVOC) && spot_is(&w->spot, at)) return true;
    }
    return false;
}

Points points_new(const Program *p, Machine *m, const Witness *w) {
    Points points = {.program = p, .machine = m, .witness = w};
    vec_resize(points.live, vec_len(p->templates));
    for (size_t i = 0; i < vec_len(w->ways); i++) {
        unsigned line = w->ways[i].spot.line;
        points.unsure |= !is_plain(p, &w->ways[i]);
        if (line > 1 << 24) continue;
        if (line >= vec_len(points.lines)) vec_resize(points.lines, line + 1);
        points.lines[line] = true;
        if (w->ways[i].kind == CLAIMED_ASSUME && w->ways[i].spot.first) vec_push(points.statements, w->ways[i].spot);
    }
    return points;
}

void points_free(Points *points) {
    vec_free(points->lines);
    vec_free(points->statements);
    vec_each(Liveness *, live, points->live)
        if (live) live_free(live);
    vec_free(points->live);
}

/* ---- progress ---- */

Passed passed_copy(const Passed *p) { return (Passed){.ways = p->ways, .ids = vec_copy(p->ids), .marks = vec_copy(p->marks)}; }

void passed_free(Passed *p) {
    vec_free(p->ids);
    vec_free(p->marks);
}

bool way_is_of(const Passed *p, const ClaimedWaypoint *w, unsigned thread) {
    return w->any_thread || (w->thread < vec_len(p->ids) && p->ids[w->thread] == thread);
}

/* ---- values ---- */

typedef struct Scope {
    Points *points;
    const State *state;
    unsigned thread;
    const Action *action;
    size_t point;           /* 0: the guard of the action; otherwise 1 + the index of the next instruction */
    const Access *accesses; /* up to this point of the step */
    size_t naccesses;
    bool has_result, unsure;
    Number result;
} Scope;

static Number as_number(u128 bits, unsigned width, bool is_signed) {
    return (Number){value_of_bits(bits, width, is_signed), width, is_signed, width <= 64};
}

/* Finds the last value of a variable in the accesses. writer: the instruction that wrote it; NULL: any. */
static bool last_value(const Scope *s, const Variable *v, const Instr *writer, Value *value) {
    for (size_t i = s->naccesses; i-- > 0;)
        if (s->accesses[i].variable == v && (!writer || s->accesses[i].instr == writer)) {
            *value = s->accesses[i].value;
            return true;
        }
    return false;
}

/* Finds the value of a variable before the point of the action. The accesses do not have a local that is moved to another one. */
static bool value_now(const Scope *s, const Variable *v, size_t point, Value *value) {
    for (size_t i = point; !v->global && i-- > 1;) {
        const Instr *writer = &s->action->instrs[i - 1];
        const Variable *moved = writer->kind == INSTR_ASSIGN ? expr_variable(writer->value) : NULL;
        if (instr_written(writer) != v) continue;
        return last_value(s, v, writer, value) || (moved && value_now(s, moved, i, value));
    }
    if (!last_value(s, v, NULL, value)) *value = state_variable(s->points->machine, s->state, v, s->thread);
    return true;
}

typedef struct Reads {
    const Symbol *symbol;
    bool any;
} Reads;

static void note_read(void *context, const Expr *e) {
    Reads *r = context;
    r->any |= expr_mentions(e, r->symbol);
}

/* Returns whether the local is read before it is written, from the present point on. Otherwise its value may be an old one. */
static bool is_live(const Scope *s, const Variable *v) {
    const Action *a = s->action;
    Reads reads = {.symbol = v->symbol};
    if (!s->point) note_read(&reads, a->guard);
    for (size_t i = s->point ? s->point - 1 : 0; i < vec_len(a->instrs) && !reads.any; i++) {
        instr_expressions(&a->instrs[i], note_read, &reads);
        if (reads.any || a->instrs[i].cell == v) return true;
        if (instr_written(&a->instrs[i]) == v) return false;
    }
    Liveness **live = &s->points->live[v->template_];
    if (!*live) *live = live_new(s->points->program, s->points->program->templates[v->template_]);
    return reads.any || live_at(*live, a->target, v);
}

/* Finds the value of a variable by its name. A local that is no longer needed may have been removed, so results about locals are unsure. */
static bool find_variable(Scope *s, Variable *const *list, const char *name, Number *value) {
    unsigned found = 0;
    vec_each(const Variable *, v, list) {
        if (v->temporary || strcmp(v->name, name) || (v->sort->kind != SORT_BV && v->sort->kind != SORT_BOOL)) continue;
        s->unsure |= !v->global;
        if (!v->global && !is_live(s, v)) continue;
        Value bits;
        found++;
        if (!value_now(s, v, s->point, &bits)) return false;
        *value = as_number(bits.bits, v->sort->kind == SORT_BV ? v->sort->width : 1, v->is_signed);
    }
    s->unsure |= found > 1;
    return found == 1 && value->known;
}

/* Finds the offset of a part by its path (.next, [1]), up to FARTHEST bytes into the object. */
static bool find_part(const char *shape, const char *path, uint64_t size, uint64_t *offset) {
    enum { FARTHEST = 1 << 14 };
    bool found = false;
    for (*offset = 0; *offset < size && *offset < FARTHEST && !found; *offset += !found) {
        Buf here = {0};
        if (shape_scalar(shape, *offset)) {
            shape_path(&here, shape, *offset, NULL);
            found = !strcmp(buf_string(&here), path);
        }
        buf_free(&here);
    }
    return found;
}

static bool find_object(Scope *s, const char *name, Number *value) {
    const Program *p = s->points->program;
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        const Object *o = p->objects[i];
        size_t n = strlen(o->name);
        uint64_t offset;
        if (o->kind != OBJECT_GLOBAL || strncmp(o->name, name, n) || (name[n] && name[n] != '.' && name[n] != '[')) continue;
        if (!o->shape || !find_part(o->shape, name + n, o->size, &offset)) continue;
        ShapeScalar part[SHAPE_SCALARS_MAX];
        u128 bits;
        uint64_t size = o->size - offset < 8 ? o->size - offset : 8;
        while (size && shape_scalars(o->shape, offset, size, part) != 1) size--;
        if (!size || part[0].kind == 'f' || !state_bytes(s->points->machine, s->state, o, offset, part[0].size, &bits)) continue;
        *value = as_number(bits, (unsigned)(8 * part[0].size), part[0].kind == 'i');
        return true;
    }
    return false;
}

static bool find_place(void *context, const char *name, Number *value) {
    Scope *s = context;
    const Program *p = s->points->program;
    if (!strcmp(name, "\\result")) {
        *value = s->result;
        return s->has_result;
    }
    return find_variable(s, p->templates[state_template(s->state, s->thread)]->locals, name, value) ||
           find_variable(s, p->globals, name, value) || find_object(s, name, value);
}

static bool is_called(const char *full, const char *name) {
    size_t n = strcspn(name, ".[");
    return !strncmp(full, name, n) && (!full[n] || full[n] == '.' || full[n] == '[');
}

bool points_named(const Program *p, const char *name) {
    for (size_t i = 0; i < vec_len(p->globals); i++)
        if (is_called(p->globals[i]->name, name)) return true;
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (is_called(p->objects[i]->name, name)) return true;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t i = 0; i < vec_len(p->templates[t]->locals); i++)
            if (is_called(p->templates[t]->locals[i]->name, name)) return true;
    return false;
}

static bool holds(Scope *s, const char *constraint) {
    s->unsure = false;
    Truth t = constraint ? value_holds(constraint, s->points->program->pointer_width, find_place, s, NULL) : TRUTH_YES;
    if (t == TRUTH_UNKNOWN || (t == TRUTH_NO && s->unsure)) s->points->unsure = true;
    return t == TRUTH_YES;
}

/* Returns whether the constraint on a function's result holds. The type is unknown, so the value is tried as unsigned and as signed. */
static bool result_holds(Scope *s, const char *constraint, const Access *a) {
    const Sort *sort = a->instr->target->sort;
    unsigned width = sort->kind == SORT_BV ? sort->width : 1;
    s->has_result = true;
    s->result = as_number(a->value.bits, width, false);
    bool good = holds(s, constraint);
    s->result = as_number(a->value.bits, width, true);
    good = good || holds(s, constraint);
    s->has_result = false;
    return good;
}

/* ---- points ---- */

typedef struct Point {
    Position position;
    const Instr *instr;  /* NULL: the guard */
    size_t first, count; /* of the accesses */
    bool seen;           /* other threads may observe it */
} Point;

static bool is_seen(const Access *a) { return a->shared || (a->kind != ACCESS_READ && a->kind != ACCESS_WRITE); }

/* Returns a mark for the line of a position. All lines that the witness does not mention have the same mark. The upper half identifies
   the call, so that a line in two calls of a function has two marks. It also identifies the statement, if the witness gives its column. */
static uint64_t line_mark(const Points *points, Position p) {
    uint64_t statement = 0;
    if (!p.file) return 0;
    if (p.line >= vec_len(points->lines) || !points->lines[p.line]) return 1;
    vec_each_at(const Spot, s, points->statements)
        if (spot_is(s, p) && p.column > 1) statement = s->first;
    return hash_word((uint64_t)(uintptr_t)own_activation(p) + statement) << 32 | (p.line + 2);
}

bool points_is_at(const Passed *p, unsigned thread, unsigned line) {
    return MARKS * thread < vec_len(p->marks) && (uint32_t)p->marks[MARKS * thread + MARK_LINE] == line + 2;
}

static bool is_input(const Access *a) {
    return a->kind == ACCESS_WRITE && a->instr && a->instr->kind == INSTR_HAVOC && !a->instr->undefined && a->instr->target;
}

/* Returns whether the thread enters a function that is called at the spot. */
static bool enters(const ClaimedWaypoint *w, const Point *p) {
    const Activation *in = own_activation(p->position);
    return !w->starts && in && in->from.file && spot_is(&w->spot, in->from);
}

static bool is_in(const TextRange *r, const Spot *spot, Position p) {
    bool behind = p.line > r->line || (p.line == r->line && p.column >= r->column);
    bool before = p.line < r->last_line || (p.line == r->last_line && p.column < r->last_column);
    return r->line && p.file && same_file(spot->file, p.file) && behind && before;
}

/* Returns whether the position, or a call that leads to it, is in the range. */
static bool is_in_or_called(const TextRange *r, const Spot *spot, Position p) {
    for (; p.file; p = p.in->from) {
        if (is_in(r, spot, p)) return true;
        if (!p.in) return false;
    }
    return false;
}

/* Returns whether the branch is taken as the waypoint says: after points in its condition, this point is in its body, or not. */
static bool branches(const ClaimedWaypoint *w, uint64_t *marks, unsigned way, const Point *p) {
    uint64_t head = (uint64_t)way + 1;
    bool was = marks[MARK_HEAD] == head, is = is_in_or_called(&w->head, &w->spot, p->position);
    if (!p->position.file) return false;
    marks[MARK_HEAD] = is ? head : 0;
    bool taken = w->constraint && !strcmp(w->constraint, "true"), known = taken || (w->constraint && !strcmp(w->constraint, "false"));
    return known && was && !is && is_in_or_called(&w->body, &w->spot, p->position) == taken;
}

/* Returns whether the next waypoint is passed at this point. */
static bool passes(const ClaimedWaypoint *w, Scope *s, const Point *p, bool begins, unsigned *started, size_t *input) {
    const Access *list = s->accesses + p->first;
    switch (w->kind) {
    case CLAIMED_ASSUME:
        s->naccesses = p->first;
        return (begins || w->anywhere) && spot_is(&w->spot, p->position) && holds(s, w->constraint);
    case CLAIMED_ENTER:
        for (size_t i = 0; i < p->count; i++)
            if (list[i].kind == ACCESS_CREATE && spot_is(&w->spot, p->position) && !*started) {
                *started = (unsigned)list[i].address;
                return true;
            }
        return enters(w, p);
    case CLAIMED_RETURN:
        for (; *input < p->count; ++*input)
            if (is_input(&list[*input]) && spot_is(&w->spot, p->position)) return result_holds(s, w->constraint, &list[(*input)++]);
        return false;
    default: return false;
    }
}

/* Returns whether the thread comes to a statement with this point. again: it comes from the end of a loop. */
static bool begins(const Passed *passed, unsigned thread, const Point *p, uint64_t here, bool again) {
    const uint64_t *marks = &passed->marks[MARKS * thread];
    if (!here || (marks[MARK_PASSED] == here && !again)) return false;
    return again || marks[MARK_LINE] != here || (p->seen && marks[MARK_SEEN] != here);
}

static void pass_point(Points *points, Passed *passed, Scope *s, const Point *p, bool again) {
    uint64_t *marks = &passed->marks[MARKS * s->thread], here = line_mark(points, p->position);
    bool first = begins(passed, s->thread, p, here, again);
    unsigned started = 0;
    size_t input = 0;
    while (passed->ways < vec_len(points->witness->ways)) {
        const ClaimedWaypoint *w = &points->witness->ways[passed->ways];
        unsigned before = started;
        if (w->kind == CLAIMED_TARGET || !way_is_of(passed, w, s->thread)) break;
        if (w->kind == CLAIMED_BRANCH ? !branches(w, marks, passed->ways, p) : !passes(w, s, p, first, &started, &input)) break;
        if (started != before) vec_push(passed->ids, started);
        passed->ways++;
        if (w->kind != CLAIMED_ASSUME) continue;
        first = w->anywhere; /* a statement passes only one waypoint */
        marks[MARK_SEEN] = here;
        if (w->anywhere) break;
        marks[MARK_PASSED] = here;
    }
    if (here && marks[MARK_PASSED] != here) marks[MARK_PASSED] = 0;
    if (here) marks[MARK_LINE] = here;
    if (here && p->seen) marks[MARK_SEEN] = here;
}

/* Notes that the thread is in the condition of a branch, if that is the next waypoint. */
static void pass_condition(const Points *points, Passed *passed, unsigned thread, Position p) {
    const ClaimedWaypoint *w = passed->ways < vec_len(points->witness->ways) ? &points->witness->ways[passed->ways] : NULL;
    if (w && w->kind == CLAIMED_BRANCH && way_is_of(passed, w, thread) && is_in_or_called(&w->head, &w->spot, p))
        passed->marks[MARKS * thread + MARK_HEAD] = passed->ways + 1;
}

/* Finds the i-th point of an action: its guard, or an instruction. *at is the number of accesses before it. */
static Point point_of(const Action *a, size_t i, const Accesses *accesses, size_t *at) {
    Point p = {.position = a->position, .instr = i ? &a->instrs[i - 1] : NULL, .first = *at};
    if (p.instr && p.instr->position.file) p.position = p.instr->position;
    for (; *at < vec_len(accesses->list) && accesses->list[*at].instr == p.instr; ++*at) p.seen |= is_seen(&accesses->list[*at]);
    p.count = *at - p.first;
    return p;
}

/* Returns whether an instruction has the position of the action. The guard then is no point of its own. */
static bool has_own_point(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (!a->instrs[i].position.file || a->instrs[i].position.line == a->position.line) return true;
    return false;
}

static const Template *template_of(const Points *points, const State *s, unsigned thread) {
    return points->program->templates[state_template(s, thread)];
}

void points_pass(Points *points, Passed *passed, const State *before, const State *after, unsigned thread, const Action *a,
                 const Accesses *accesses, size_t last) {
    Scope s = {.points = points, .state = before, .thread = thread, .action = a, .accesses = accesses->list};
    const Location *from = &template_of(points, before, thread)->locations[a->source];
    bool again = from->loop_head;
    size_t at = 0;
    vec_resize(passed->marks, MARKS * (state_threads(after) + 1));
    if (!expr_is_true(a->guard)) pass_condition(points, passed, thread, from->position);
    for (size_t i = 0; i <= vec_len(a->instrs) && i <= last; i++) {
        Point p = point_of(a, i, accesses, &at);
        s.point = i;
        if (i || !has_own_point(a)) pass_point(points, passed, &s, &p, again), again = false;
    }
}

/* ---- threads that stand before a statement ---- */

typedef struct FirstValues {
    bool any; /* a value was chosen */
} FirstValues;

static u128 choose_first(void *context, const Choice *c) {
    (void)c;
    ((FirstValues *)context)->any = true;
    return 0;
}

/* Returns whether the guard of a disabled step held, as far as is known. */
static bool is_past_guard(const Action *a, const Accesses *accesses) {
    bool past = expr_is_true(a->guard);
    vec_each_at(const Access, x, accesses->list) past |= x->instr != NULL;
    return past;
}

static bool is_in_library(Position p) { return p.in && p.in->library; }

/* Returns the mark of the line if the thread is before the action's part at the spot, and the constraint holds there; otherwise 0. Only
   thread-local work may come first. A thread that waits in a library function is still before the statement that calls the function. */
static uint64_t stands_at_action(Points *points, const Passed *passed, const State *s, unsigned thread, const Action *a,
                                 const ClaimedWaypoint *w) {
    Accesses accesses = {0};
    FirstValues values = {0};
    Chooser chooser = {choose_first, &values};
    State *copy = state_copy(points->machine, s);
    StepResult r = machine_step(points->machine, copy, thread, a->index, &chooser, &accesses);
    bool disabled = r.status == STEP_DISABLED, over = disabled && !r.blocked && !is_past_guard(a, &accesses),
         again = template_of(points, s, thread)->locations[a->source].loop_head;
    uint64_t mark = 0;
    size_t at = 0;
    for (size_t i = 0; i <= vec_len(a->instrs) && !over; i++) {
        Scope scope = {.points = points, .state = s, .thread = thread, .action = a, .point = i, .accesses = accesses.list, .naccesses = at};
        Point p = point_of(a, i, &accesses, &at);
        over = p.seen || (disabled && p.instr && p.instr->kind == INSTR_ASSUME); /* this may be what does not hold */
        if ((!i && has_own_point(a)) || !spot_is(&w->spot, p.position)) continue;
        uint64_t here = line_mark(points, p.position);
        bool waits = disabled && is_in_library(p.position) && passed->marks[MARKS * thread + MARK_PASSED] != here;
        over = true;
        if (values.any) points->unsure = true;
        else if ((waits || begins(passed, thread, &p, here, again)) && holds(&scope, w->constraint)) mark = here;
    }
    state_free(points->machine, copy);
    vec_free(accesses.list);
    return mark;
}

static uint64_t stands_at(Points *points, const Passed *passed, const State *s, unsigned thread, const ClaimedWaypoint *w) {
    const Template *t = template_of(points, s, thread);
    const unsigned *out = t->locations[state_location(s, thread)].out;
    uint64_t mark = 0;
    for (size_t i = 0; i < vec_len(out) && !mark; i++) {
        const Action *a = &t->actions[out[i]];
        bool there = spot_is(&w->spot, a->position);
        for (size_t k = 0; k < vec_len(a->instrs); k++) there |= spot_is(&w->spot, a->instrs[k].position);
        if (there) mark = stands_at_action(points, passed, s, thread, a, w);
    }
    return mark;
}

/* Passes one waypoint at which a thread stands. */
static bool pass_standing(Points *points, Passed *passed, const State *s) {
    const ClaimedWaypoint *w = passed->ways < vec_len(points->witness->ways) ? &points->witness->ways[passed->ways] : NULL;
    if (!w || w->kind != CLAIMED_ASSUME || w->anywhere) return false;
    for (unsigned t = 1; t <= state_threads(s); t++) {
        uint64_t mark = way_is_of(passed, w, t) ? stands_at(points, passed, s, t, w) : 0;
        if (!mark) continue;
        passed->marks[MARKS * t + MARK_PASSED] = mark;
        passed->ways++;
        return true;
    }
    return false;
}

void points_stand(Points *points, Passed *passed, const State *s) {
    vec_resize(passed->marks, MARKS * (state_threads(s) + 1));
    if (!state_atomic_thread(points->machine, s))
        while (pass_standing(points, passed, s)) {
        }
}

bool points_wanted(const Points *points, const Passed *passed, unsigned thread, Position p, unsigned n, i128 *value) {
    const ClaimedWaypoint *ways = points->witness->ways;
    for (unsigned i = passed->ways; i < vec_len(ways); i++)
        if (ways[i].kind == CLAIMED_RETURN && way_is_of(passed, &ways[i], thread) && !n--)
            return spot_is(&ways[i].spot, p) && value_of_result(ways[i].constraint, value);
    return false;
}
