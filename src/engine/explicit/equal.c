/* SPDX-License-Identifier: Apache-2.0 */
/* Finds inputs that a program only compares for equality, with each other and with constants (data independence: Wolper, POPL 1986).

   An input's value is followed, without regard to control flow, through copies into variables and into parts of objects. A Class is the set of the
   variables and parts that may hold it. Everything in a class holds inputs of the class and constants only.
   Invariant: an execution remains an execution if the values other than these constants are permuted. So a few values represent all: the
   constants, and one more value for each input that an execution can have. Where fewer places can hold an input at the same time, one value for each
   place suffices. */
#include "engine/explicit/values.h"
#include "analysis/graph.h"

enum { MOST_VALUES = 10, MOST_CONSTANTS = 16, MOST_CELLS = 32, MOST_OFFSETS = 256 };

typedef struct Cell { /* a part of an object that may hold the value */
    const Object *object;
    Congruence offset;
} Cell;

typedef struct Class {
    const Program *program;
    PointsTo *pointsto;
    unsigned width;
    const Variable **carriers; /* vecs */
    Cell *cells;
    u128 *constants;
    bool lost; /* a use was met that is not a copy or a test for equality */
} Class;

/* ---- what holds the value ---- */

static bool belongs_to_thread(const Class *c, const Variable *v) {
    if (v->global) return false;
    const Template *t = c->program->templates[v->template_];
    return v == t->self || v == t->argument || v == t->result;
}

static void add_carrier(Class *c, const Variable *v) {
    if (vec_has(c->carriers, v)) return;
    if (v->sort->kind != SORT_BV || v->sort->width != c->width || belongs_to_thread(c, v)) c->lost = true;
    if (v->global && !(v->init && expr_is_const(v->init))) c->lost = true;
    else if (v->global) values_add(&c->constants, v->init->value);
    vec_push(c->carriers, v);
}

/* Adds the initial value of a part of an object to the constants. */
static void add_initial(Class *c, const Object *o, uint64_t offset) {
    u128 value = 0;
    uint64_t bytes = c->width / 8;
    if (offset + bytes > o->size) return;
    for (unsigned r = 0; r < o->nrelocations; r++)
        if (o->relocations[r].offset < offset + bytes && offset < o->relocations[r].offset + c->program->pointer_width / 8) c->lost = true;
    for (uint64_t i = 0; o->bytes && i < bytes; i++) value |= (u128)o->bytes[offset + i] << 8 * i;
    values_add(&c->constants, value);
}

static bool same_cell(const Cell *a, const Target *t) {
    return a->object == t->object && a->offset.modulus == t->offset.modulus && a->offset.residue == t->offset.residue;
}

static void add_cell(Class *c, const Target *t) {
    for (size_t i = 0; i < vec_len(c->cells); i++)
        if (same_cell(&c->cells[i], t)) return;
    Congruence at = t->offset;
    if (c->width % 8) c->lost = true;
    if (vec_len(c->cells) == MOST_CELLS || t->object->kind == OBJECT_FUNCTION || (at.modulus && at.modulus < c->width / 8)) c->lost = true;
    vec_push(c->cells, ((Cell){t->object, at}));
    if (t->object->kind != OBJECT_GLOBAL && t->object->kind != OBJECT_THREAD) {
        values_add(&c->constants, 0); /* it may be zeroed */
        return;
    }
    if (at.modulus && t->object->size / at.modulus > MOST_OFFSETS) c->lost = true;
    for (uint64_t o = at.residue; !c->lost && o < t->object->size; o += at.modulus) {
        add_initial(c, t->object, o);
        if (!at.modulus) break;
    }
}

/* Returns true if `size` bytes (0: unknown) at the target may overlap the cell. */
static bool overlaps(const Class *c, const Target *t, uint64_t size, const Cell *cell) {
    if (t->object != cell->object) return false;
    if (!size) return true;
    int64_t m = (int64_t)congruence_join((Congruence){t->offset.modulus, 0}, (Congruence){cell->offset.modulus, 0}).modulus;
    int64_t after = (int64_t)(cell->offset.residue - t->offset.residue), bytes = c->width / 8;
    if (m) after = (after % m + m) % m;
    if (after >= 0 && (uint64_t)after < size) return true;
    int64_t before = m ? m - after : -after;
    return before >= 0 && before < bytes;
}

/* An access is disjoint from all cells, accesses exactly one cell, or overlaps cells in another way. */
typedef enum { DISJOINT, EXACT, PARTIAL } Overlap;

static Overlap overlap_with_cells(const Class *c, const Target *t, uint64_t size) {
    Overlap how = DISJOINT;
    for (size_t i = 0; i < vec_len(c->cells); i++) {
        if (!overlaps(c, t, size, &c->cells[i])) continue;
        how = size == c->width / 8 && same_cell(&c->cells[i], t) && how == DISJOINT ? EXACT : PARTIAL;
    }
    return how;
}

/* ---- expressions ---- */

static void check_use(Class *, const Expr *);

/* Returns true if e may be a value of the class: a variable of the class, or an if-then-else with one in a branch. */
static bool is_value(const Class *c, const Expr *e) {
    if (e->op == OP_ITE) return is_value(c, e->args[1]) || is_value(c, e->args[2]);
    return vec_has(c->carriers, expr_variable(e));
}

/* Adds e to the class: e is copied to a place that holds values of the class, or compared with a value of the class. */
static void add_to_class(Class *c, const Expr *e) {
    if (e->op == OP_ITE) {
        check_use(c, e->args[0]);
        add_to_class(c, e->args[1]);
        add_to_class(c, e->args[2]);
    } else if (expr_is_const(e)) {
        values_add(&c->constants, e->value);
    } else if (expr_variable(e)) {
        add_carrier(c, expr_variable(e)); /* from now on, it may hold values of the class only; otherwise the class is lost */
    } else {
        c->lost = true;
    }
}

/* Checks a use of e that is not a copy: values of the class may only be compared for equality. */
static void check_use(Class *c, const Expr *e) {
    if (c->lost) return;
    if (vec_has(c->carriers, expr_variable(e))) {
        c->lost = true;
    } else if (e->op == OP_EQ && (is_value(c, e->args[0]) || is_value(c, e->args[1]))) {
        add_to_class(c, e->args[0]);
        add_to_class(c, e->args[1]);
    } else {
        for (unsigned i = 0; i < e->nargs; i++) check_use(c, e->args[i]);
    }
}

static void check_use_if(Class *c, const Expr *e) {
    if (e) check_use(c, e);
}

/* ---- instructions ---- */

/* Checks an access of `size` bytes (0: unknown). holds: the value that is loaded or stored is of the class, so the targets become cells.
   Sets *meeting if the access overlaps a cell. */
static void check_access(Class *c, const Expr *address, uint64_t size, bool holds, bool *meeting) {
    const Targets *t = pointsto(c->pointsto, address);
    bool known = vec_len(t->list) && !pointsto_is_wild(c->pointsto, address);
    if (!known && (holds || vec_len(c->cells))) c->lost = true;
    for (size_t i = 0; known && i < vec_len(t->list); i++) {
        Overlap how = overlap_with_cells(c, &t->list[i], size);
        if (how == PARTIAL) c->lost = true;
        if (how != DISJOINT) *meeting = true;
    }
    if (!known || !(holds || *meeting)) return;
    for (size_t i = 0; i < vec_len(t->list); i++) add_cell(c, &t->list[i]);
}

static void follow_memory(Class *c, const Instr *i) {
    bool meeting = false;
    const Sort *sort = i->kind == INSTR_LOAD ? i->target->sort : i->value->sort;
    bool holds = i->kind == INSTR_LOAD ? vec_has(c->carriers, i->target) : is_value(c, i->value);
    check_use(c, i->address);
    check_access(c, i->address, sort->kind == SORT_BV ? (sort->width + 7) / 8 : 0, holds, &meeting);
    if (!holds && !meeting) {
        if (i->kind == INSTR_STORE) check_use(c, i->value);
        return;
    }
    if (i->kind == INSTR_LOAD) add_carrier(c, i->target);
    else add_to_class(c, i->value);
}

static void follow_other(Class *c, const Instr *i) {
    bool meeting = false;
    check_use_if(c, i->address);
    check_use_if(c, i->value);
    check_use_if(c, i->size);
    bool memory =
        i->kind == INSTR_COPY || i->kind == INSTR_FILL || i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK;
    if (memory && i->address) check_access(c, i->address, 0, false, &meeting);
    if (i->kind == INSTR_COPY) check_access(c, i->value, 0, false, &meeting);
    if (meeting || vec_has(c->carriers, i->target) || vec_has(c->carriers, i->cell)) c->lost = true;
}

static void follow_instr(Class *c, const Instr *i) {
    switch (i->kind) {
    case INSTR_ASSIGN:
        if (!vec_has(c->carriers, i->target) && !is_value(c, i->value)) {
            check_use(c, i->value);
            return;
        }
        add_carrier(c, i->target);
        add_to_class(c, i->value);
        return;
    case INSTR_HAVOC: return;
    case INSTR_LOAD:
    case INSTR_STORE: follow_memory(c, i); return;
    default: follow_other(c, i);
    }
}

static void follow(Class *c) {
    const Program *p = c->program;
    for (size_t known = SIZE_MAX, now = 0; known != now && !c->lost;) {
        known = now;
        for (size_t t = 0; t < vec_len(p->templates); t++)
            for (size_t a = 0; a < vec_len(p->templates[t]->actions) && !c->lost; a++) {
                const Action *action = &p->templates[t]->actions[a];
                check_use(c, action->guard);
                for (size_t i = 0; i < vec_len(action->instrs); i++) follow_instr(c, &action->instrs[i]);
            }
        now = vec_len(c->carriers) + vec_len(c->cells) + vec_len(c->constants);
    }
}

/* ---- how many ---- */

/* Returns how many inputs of the class one execution can have; MOST_VALUES + 1 stands for more. */
static unsigned count_inputs(const Class *c) {
    unsigned n = 0;
    vec_each(const Template *, template_, c->program->templates) {
        unsigned *components = graph_components(template_);
        vec_each_at(const Action, action, template_->actions)
            for (size_t i = 0; i < vec_len(action->instrs); i++) {
                if (action->instrs[i].kind != INSTR_HAVOC || !vec_has(c->carriers, action->instrs[i].target)) continue;
                bool many = graph_repeats(components, action) || !template_->count || template_->count > MOST_VALUES;
                n += many ? MOST_VALUES + 1 : template_->count;
            }
        vec_free(components);
    }
    return n > MOST_VALUES ? MOST_VALUES + 1 : n;
}

/* Returns how many inputs of the class can be held at the same time, if variables alone hold them; MOST_VALUES + 1: more, or memory holds some. */
static unsigned count_places(const Class *c) {
    unsigned n = 0;
    if (vec_len(c->cells)) return MOST_VALUES + 1;
    for (size_t i = 0; i < vec_len(c->carriers) && n <= MOST_VALUES; i++) {
        unsigned threads = c->carriers[i]->global ? 1 : c->program->templates[c->carriers[i]->template_]->count;
        n += threads ? threads : MOST_VALUES + 1;
    }
    return n > MOST_VALUES ? MOST_VALUES + 1 : n;
}

/* Chooses the constants, and as many more values as there can be inputs. Returns false if these are too many. */
static bool choose_values(const Class *c, u128 **values) {
    unsigned inputs = count_inputs(c), places = count_places(c), more = inputs < places ? inputs : places;
    if (more > MOST_VALUES || vec_len(c->constants) > MOST_CONSTANTS) return false;
    for (size_t i = 0; i < vec_len(c->constants); i++) values_add(values, c->constants[i] & values_mask(c->width));
    for (u128 v = 1; more && v <= values_mask(c->width); v++)
        if (!vec_has(c->constants, v)) values_add(values, v), more--;
    return true;
}

bool values_by_equality(const Program *p, PointsTo *pointsto, const Instr *havoc, u128 **values) {
    const Variable *v = havoc->target;
    if (v->sort->kind != SORT_BV || v->sort->width > 64) return false;
    Class c = {.program = p, .pointsto = pointsto, .width = v->sort->width};
    add_carrier(&c, v);
    follow(&c);
    bool found = !c.lost && choose_values(&c, values);
    vec_free(c.carriers);
    vec_free(c.cells);
    vec_free(c.constants);
    return found;
}
