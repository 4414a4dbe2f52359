/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which waypoints a step passes. A step is a guard and instructions, each with a position; these are its points. A thread is
   before a statement if it comes to a point of the line from another line. The same holds before its first action on the line that other
   threads may observe. */
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

bool points_exist(const Program *program, const Spot *s) {
    vec_each(const Template *, template_, program->templates) {
        vec_each_at(const Action, action, template_->actions) {
            if (spot_calls(s, action->position)) return true;
            for (size_t i = 0; i < vec_len(action->instrs); i++)
                if (spot_calls(s, action->instrs[i].position)) return true;
        }
        for (size_t l = 0; l < vec_len(template_->locations); l++)
            if (spot_calls(s, template_->locations[l].position)) return true;
    }
    for (size_t o = 0; o < vec_len(program->objects); o++)
        if (spot_is(s, program->objects[o]->position)) return true;
    return false;
}

Points points_new(const Program *p, Machine *m, const Witness *w) {
    Points points = {.program = p, .machine = m, .witness = w};
    for (size_t i = 0; i < vec_len(w->ways); i++) {
        unsigned line = w->ways[i].spot.line;
        if (line > 1 << 24) continue;
        if (line >= vec_len(points.lines)) vec_resize(points.lines, line + 1);
        points.lines[line] = true;
    }
    return points;
}

void points_free(Points *points) { vec_free(points->lines); }

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
    const Access *accesses; /* up to this point of the step */
    size_t naccesses;
    bool has_result, unsure;
    i128 result;
} Scope;

static i128 as_number(u128 bits, unsigned width, bool is_signed) {
    if (is_signed && width < 128 && bits >> (width - 1) & 1) bits |= ~(u128)0 << width;
    return (i128)bits;
}

static Value value_now(const Scope *s, const Variable *v) {
    for (size_t i = s->naccesses; i-- > 0;)
        if (s->accesses[i].variable == v) return s->accesses[i].value;
    return state_variable(s->points->machine, s->state, v, s->thread);
}

/* Finds the value of a variable by its name. A local that is no longer needed may have been removed, so results about locals are unsure. */
static bool find_variable(Scope *s, Variable *const *list, const char *name, i128 *value) {
    unsigned found = 0;
    vec_each(const Variable *, v, list) {
        if (v->temporary || strcmp(v->name, name) || (v->sort->kind != SORT_BV && v->sort->kind != SORT_BOOL)) continue;
        found++;
        s->unsure |= !v->global;
        *value = as_number(value_now(s, v).bits, v->sort->kind == SORT_BV ? v->sort->width : 1, v->is_signed);
    }
    s->unsure |= found > 1;
    return found;
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

static bool find_object(Scope *s, const char *name, i128 *value) {
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

static bool find_place(void *context, const char *name, i128 *value) {
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
    Truth t = constraint ? value_holds(constraint, find_place, s, NULL) : TRUTH_YES;
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
   the call, so that a line in two calls of a function has two marks. */
static uint64_t line_mark(const Points *points, Position p) {
    if (!p.file) return 0;
    if (p.line >= vec_len(points->lines) || !points->lines[p.line]) return 1;
    return hash_word((uint64_t)(uintptr_t)own_activation(p)) << 32 | (p.line + 2);
}

bool points_is_at(const Passed *p, unsigned thread, unsigned line) {
    return 2 * thread < vec_len(p->marks) && (uint32_t)p->marks[2 * thread] == line + 2;
}

static bool is_input(const Access *a) {
    return a->kind == ACCESS_WRITE && a->instr && a->instr->kind == INSTR_HAVOC && !a->instr->undefined && a->instr->target;
}

/* Returns whether the thread enters a function that is called at the spot. */
static bool enters(const ClaimedWaypoint *w, const Point *p) {
    const Activation *in = own_activation(p->position);
    return !w->starts && in && in->from.file && spot_is(&w->spot, in->from);
}

/* Returns whether the next waypoint is passed at this point. */
static bool passes(const ClaimedWaypoint *w, Scope *s, const Point *p, bool begins, unsigned *started, size_t *input) {
    const Access *list = s->accesses + p->first;
    switch (w->kind) {
    case CLAIMED_ASSUME:
    case CLAIMED_BRANCH:
        s->naccesses = p->first;
        return (begins || w->anywhere) && spot_is(&w->spot, p->position) && (w->kind == CLAIMED_BRANCH || holds(s, w->constraint));
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

static void pass_point(Points *points, Passed *passed, Scope *s, const Point *p) {
    uint64_t *marks = &passed->marks[2 * s->thread], here = line_mark(points, p->position);
    bool begins = (here && marks[0] != here) || (p->seen && marks[1] != here);
    unsigned started = 0;
    size_t input = 0;
    while (passed->ways < vec_len(points->witness->ways)) {
        const ClaimedWaypoint *w = &points->witness->ways[passed->ways];
        unsigned before = started;
        if (w->kind == CLAIMED_TARGET || !way_is_of(passed, w, s->thread) || !passes(w, s, p, begins, &started, &input)) break;
        if (started != before) vec_push(passed->ids, started);
        passed->ways++;
        if (w->kind != CLAIMED_ASSUME && w->kind != CLAIMED_BRANCH) continue;
        begins = w->anywhere; /* a statement passes only one waypoint */
        marks[1] = here;
        if (w->anywhere) break;
    }
    if (here) marks[0] = here;
    if (here && p->seen) marks[1] = here;
}

void points_pass(Points *points, Passed *passed, const State *before, const State *after, unsigned thread, const Action *a,
                 const Accesses *accesses) {
    Scope s = {.points = points, .state = before, .thread = thread, .accesses = accesses->list};
    size_t n = vec_len(accesses->list), at = 0;
    vec_resize(passed->marks, 2 * (state_threads(after) + 1));
    for (size_t i = 0; i <= vec_len(a->instrs); i++) {
        Point p = {.position = a->position, .instr = i ? &a->instrs[i - 1] : NULL, .first = at};
        if (p.instr && p.instr->position.file) p.position = p.instr->position;
        for (; at < n && accesses->list[at].instr == p.instr; at++) p.seen |= is_seen(&accesses->list[at]);
        p.count = at - p.first;
        pass_point(points, passed, &s, &p);
    }
}

bool points_wanted(const Points *points, const Passed *passed, unsigned thread, Position p, unsigned n, i128 *value) {
    const ClaimedWaypoint *ways = points->witness->ways;
    for (unsigned i = passed->ways; i < vec_len(ways); i++)
        if (ways[i].kind == CLAIMED_RETURN && way_is_of(passed, &ways[i], thread) && !n--)
            return spot_is(&ways[i].spot, p) && value_of_result(ways[i].constraint, value);
    return false;
}
