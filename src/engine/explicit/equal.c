/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of which a program only asks whether they are equal to each other and to constants. Their values are followed, without regard to control flow, through
   copies into variables and into parts of objects. What may hold one may hold others of the same class, and constants, and nothing else. Then one value is
   as good as another: an execution stays one if values other than those constants are exchanged for others, one by one. So those constants and as many more as there can
   be inputs in an execution, or places that hold one, stand for all. (Data independence: Wolper, POPL 1986.) */
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
    bool lost;
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

/* What a part of an object holds at first. */
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

/* Can so many bytes (0: not known) at the target have one in common with a cell? */
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

typedef enum { NOT_HERE, HERE, HALF_HERE } Mhp;

static Mhp meets(const Class *c, const Target *t, uint64_t size) {
    Mhp how = NOT_HERE;
    for (size_t i = 0; i < vec_len(c->cells); i++) {
        if (!overlaps(c, t, size, &c->cells[i])) continue;
        how = size == c->width / 8 && same_cell(&c->cells[i], t) && how == NOT_HERE ? HERE : HALF_HERE;
    }
    return how;
}

/* ---- expressions ---- */

static void look(Class *, const Expr *);

/* Is e such a value: of a variable that may hold it, or one of two? */
static bool is_value(const Class *c, const Expr *e) {
    if (e->op == OP_ITE) return is_value(c, e->args[1]) || is_value(c, e->args[2]);
    return vec_has(c->carriers, expr_variable(e));
}

/* e is put where such values are, or compared with one. */
static void take(Class *c, const Expr *e) {
    if (e->op == OP_ITE) {
        look(c, e->args[0]);
        take(c, e->args[1]);
        take(c, e->args[2]);
    } else if (expr_is_const(e)) {
        values_add(&c->constants, e->value);
    } else if (expr_variable(e)) {
        add_carrier(c, expr_variable(e)); /* it holds nothing else, or all is lost */
    } else {
        c->lost = true;
    }
}

/* A use of e that is not a copy. */
static void look(Class *c, const Expr *e) {
    if (c->lost) return;
    if (vec_has(c->carriers, expr_variable(e))) {
        c->lost = true;
    } else if (e->op == OP_EQ && (is_value(c, e->args[0]) || is_value(c, e->args[1]))) {
        take(c, e->args[0]);
        take(c, e->args[1]);
    } else {
        for (unsigned i = 0; i < e->nargs; i++) look(c, e->args[i]);
    }
}

static void look_if(Class *c, const Expr *e) {
    if (e) look(c, e);
}

/* ---- instructions ---- */

static void access(Class *c, const Expr *address, uint64_t size, bool holds, bool *meeting) {
    const Targets *t = pointsto(c->pointsto, address);
    bool known = vec_len(t->list) && !pointsto_is_wild(c->pointsto, address);
    if (!known && (holds || vec_len(c->cells))) c->lost = true;
    for (size_t i = 0; known && i < vec_len(t->list); i++) {
        Mhp how = meets(c, &t->list[i], size);
        if (how == HALF_HERE) c->lost = true;
        if (how != NOT_HERE) *meeting = true;
    }
    if (!known || !(holds || *meeting)) return;
    for (size_t i = 0; i < vec_len(t->list); i++) add_cell(c, &t->list[i]);
}

static void look_memory(Class *c, const Instr *i) {
    bool meeting = false;
    const Sort *sort = i->kind == INSTR_LOAD ? i->target->sort : i->value->sort;
    bool holds = i->kind == INSTR_LOAD ? vec_has(c->carriers, i->target) : is_value(c, i->value);
    look(c, i->address);
    access(c, i->address, sort->kind == SORT_BV ? (sort->width + 7) / 8 : 0, holds, &meeting);
    if (!holds && !meeting) {
        if (i->kind == INSTR_STORE) look(c, i->value);
        return;
    }
    if (i->kind == INSTR_LOAD) add_carrier(c, i->target);
    else take(c, i->value);
}

static void look_other(Class *c, const Instr *i) {
    bool meeting = false;
    look_if(c, i->address);
    look_if(c, i->value);
    look_if(c, i->size);
    bool memory =
        i->kind == INSTR_COPY || i->kind == INSTR_FILL || i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK;
    if (memory && i->address) access(c, i->address, 0, false, &meeting);
    if (i->kind == INSTR_COPY) access(c, i->value, 0, false, &meeting);
    if (meeting || vec_has(c->carriers, i->target) || vec_has(c->carriers, i->cell)) c->lost = true;
}

static void look_instr(Class *c, const Instr *i) {
    switch (i->kind) {
    case INSTR_ASSIGN:
        if (!vec_has(c->carriers, i->target) && !is_value(c, i->value)) {
            look(c, i->value);
            return;
        }
        add_carrier(c, i->target);
        take(c, i->value);
        return;
    case INSTR_HAVOC: return;
    case INSTR_LOAD:
    case INSTR_STORE: look_memory(c, i); return;
    default: look_other(c, i);
    }
}

static void follow(Class *c) {
    const Program *p = c->program;
    for (size_t known = SIZE_MAX, now = 0; known != now && !c->lost;) {
        known = now;
        for (size_t t = 0; t < vec_len(p->templates); t++)
            for (size_t a = 0; a < vec_len(p->templates[t]->actions) && !c->lost; a++) {
                const Action *action = &p->templates[t]->actions[a];
                look(c, action->guard);
                for (size_t i = 0; i < vec_len(action->instrs); i++) look_instr(c, &action->instrs[i]);
            }
        now = vec_len(c->carriers) + vec_len(c->cells) + vec_len(c->constants);
    }
}

/* ---- how many ---- */

/* So many inputs of the class there can be in one execution; too many to count: MOST_VALUES + 1. */
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

/* So many of them can be somewhere at the same time, as far as that is easy to say: if they are in variables alone. */
static unsigned count_places(const Class *c) {
    unsigned n = 0;
    if (vec_len(c->cells)) return MOST_VALUES + 1;
    for (size_t i = 0; i < vec_len(c->carriers) && n <= MOST_VALUES; i++) {
        unsigned threads = c->carriers[i]->global ? 1 : c->program->templates[c->carriers[i]->template_]->count;
        n += threads ? threads : MOST_VALUES + 1;
    }
    return n > MOST_VALUES ? MOST_VALUES + 1 : n;
}

/* The constants, and others. */
static bool choose_values(const Class *c, u128 **values) {
    unsigned inputs = count_inputs(c), places = count_places(c), others = inputs < places ? inputs : places;
    if (others > MOST_VALUES || vec_len(c->constants) > MOST_CONSTANTS) return false;
    for (size_t i = 0; i < vec_len(c->constants); i++) values_add(values, c->constants[i] & values_mask(c->width));
    for (u128 v = 1; others && v <= values_mask(c->width); v++)
        if (!vec_has(c->constants, v)) values_add(values, v), others--;
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
