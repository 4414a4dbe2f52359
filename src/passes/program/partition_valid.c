/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces INVALID and LOST by conditions, over new variables for the sizes and lives of objects.

   requires  regions with variables; points-to
   ensures   the condition of INVALID holds if the object that the address was computed from does not contain the bytes, or is dead. The condition
             of LOST holds in every execution in which memory is lost, and perhaps in more
   breaks    nothing: it only makes variables and expressions

   The pass splits an address into the pointer that it was computed from and the offset that was added. If this pointer has a constant offset in an
   object, the whole offset does not depend on the numbers of addresses. By the rules of C, the address denotes no other object. A heap object of a
   site that allocates once has variables for its size and its life. A site that allocates many has arrays of these, by the object's number. */
#include "passes/messages.h"
#include "passes/program/partition_internal.h"

/* Spot is an object that an address may denote. */
typedef struct Spot {
    Object *object;
    const Expr *here;   /* the condition that the address denotes this object */
    const Expr *offset; /* the offset of the address from the object's start */
    const Expr *number; /* the number of the object, if its site allocates many; otherwise NULL */
    const Expr *root;   /* the address itself, if the offset is root minus the object's start; otherwise NULL */
} Spot;

/* ---- expressions ---- */

static const Expr *word(const Partition *r, uint64_t n) { return expr_bv(r->program->exprs, r->program->pointer_width, n); }
static const Expr *of(const Partition *r, const Variable *v) { return variable_expr(r->program, v); }
static const Expr *both(const Partition *r, const Expr *a, const Expr *b) { return expr_and(r->program->exprs, a, b); }
static const Expr *two(const Partition *r, Op op, const Expr *a, const Expr *b) { return expr_2(r->program->exprs, op, a, b); }
static const Expr *yes(const Partition *r) { return expr_bool(r->program->exprs, true); }

/* Returns the flag of the object. number: the object's number, if its site allocates many; otherwise NULL. */
static const Expr *flag(const Partition *r, const Variable *v, const Expr *number) {
    return number ? expr_eq(r->program->exprs, two(r, OP_SELECT, of(r, v), number), expr_bv(r->program->exprs, 8, 1)) : of(r, v);
}

static bool is_pointer(Partition *r, const Expr *e) { return vec_len(pointsto(r->pointsto, e)->list) > 0; }

/* ---- spots ---- */

static void add_exact(Partition *r, const Expr *e, const Targets *all, const Target *t, Spot **out) {
    bool certain = vec_len(all->list) == 1 && !all->other;
    const Expr *place = two(r, OP_ADD, object_address(r->program, t->object), word(r, t->offset.residue));
    Spot s = {.object = t->object, .here = certain ? yes(r) : expr_eq(r->program->exprs, e, place), .offset = word(r, t->offset.residue)};
    vec_push(*out, s);
}

/* Adds the spot of a target whose site allocates many objects. */
static void add_numbered(Partition *r, const Expr *e, const Target *t, Spot **out) {
    uint64_t stride = pointsto_stride(r->program);
    const Expr *base = object_address(r->program, t->object), *distance = two(r, OP_SUB, e, base);
    const Expr *number = two(r, OP_UDIV, distance, word(r, stride));
    bool start = t->offset.modulus % stride == 0;
    if (!start && r->program->pointer_width == 32) /* an index may lead from one object to the next */
        partition_refuse(r, MSG_PASSES_ARRAY_OF_MANY, t->object);
    const Expr *count = of(r, r->regions[t->object->index].count);
    Spot s = {.object = t->object,
              .number = number,
              .here = both(r, two(r, OP_ULE, base, e), two(r, OP_ULT, number, count)),
              .offset = start ? word(r, t->offset.residue) : two(r, OP_UREM, distance, word(r, stride))};
    vec_push(*out, s);
}

static void add_distance(Partition *r, const Expr *e, const Target *t, Spot **out) {
    const Expr *base = object_address(r->program, t->object);
    Spot s = {.object = t->object, .here = two(r, OP_ULE, base, e), .offset = two(r, OP_SUB, e, base), .root = e};
    vec_push(*out, s);
}

static void add_targets(Partition *r, const Expr *e, const Targets *all, Spot **out) {
    bool several = region_count_objects(all) > 1;
    for (size_t i = 0; i < vec_len(all->list) && !r->failed; i++) {
        const Target *t = &all->list[i];
        bool heap = t->object->kind == OBJECT_HEAP;
        if (t->object->kind == OBJECT_FUNCTION) continue;
        if (several && r->regions[t->object->index].count) partition_refuse(r, MSG_PASSES_SITES_SEVERAL, t->object);
        if (several && heap && t->offset.modulus) region_check_room(r, t->object, region_site_room(r->program));
        if (r->failed) return;
        if (r->regions[t->object->index].count) add_numbered(r, e, t, out);
        else if (t->offset.modulus) add_distance(r, e, t, out);
        else add_exact(r, e, all, t, out);
    }
}

static void add_spots(Partition *r, const Expr *e, Spot **out) {
    Exprs *x = r->program->exprs;
    bool sum = e->op == OP_ADD || e->op == OP_SUB;
    unsigned k = e->op == OP_ADD && !is_pointer(r, e->args[0]) ? 1 : 0;
    size_t n = vec_len(*out);
    if (sum && is_pointer(r, e->args[k]) && !is_pointer(r, e->args[1 - k])) {
        add_spots(r, e->args[k], out);
        for (; n < vec_len(*out); n++) {
            (*out)[n].offset = two(r, e->op, (*out)[n].offset, e->args[1 - k]);
            (*out)[n].root = NULL;
        }
    } else if (e->op == OP_ITE) {
        add_spots(r, e->args[1], out);
        for (; n < vec_len(*out); n++) (*out)[n].here = both(r, e->args[0], (*out)[n].here);
        add_spots(r, e->args[2], out);
        for (; n < vec_len(*out); n++) (*out)[n].here = both(r, expr_not(x, e->args[0]), (*out)[n].here);
    } else {
        if (pointsto_is_wild(r->pointsto, e)) partition_refuse(r, MSG_PASSES_POINTER_COMPUTED, NULL);
        add_targets(r, e, pointsto(r->pointsto, e), out);
    }
}

/* ---- conditions ---- */

static const Expr *size_of(const Partition *r, const Spot *s) {
    const Region *g = &r->regions[s->object->index];
    if (s->object->kind != OBJECT_HEAP) return word(r, s->object->size);
    if (g->fixed) return g->fixed;
    return s->number ? two(r, OP_SELECT, of(r, g->size), s->number) : of(r, g->size);
}

static const Expr *lives(const Partition *r, const Spot *s) {
    const Region *g = &r->regions[s->object->index];
    return g->live ? flag(r, g->live, s->number) : yes(r);
}

/* Returns the condition that n bytes at the spot are in the object. A size is at most half of the address space. */
static const Expr *is_inside(const Partition *r, const Spot *s, const Expr *n) {
    const Expr *size = size_of(r, s), *last = two(r, OP_SUB, size, n), *fits = two(r, OP_ULE, n, size);
    if (s->root && expr_is_const(last))
        return both(r, fits, two(r, OP_ULE, s->root, two(r, OP_ADD, object_address(r->program, s->object), last)));
    if (s->root) return both(r, fits, two(r, OP_ULE, s->offset, last));
    return both(r, fits, both(r, two(r, OP_SLE, word(r, 0), s->offset), two(r, OP_SLE, s->offset, last)));
}

static const Expr *is_there(const Partition *r, const Spot *s, const Expr *inside) {
    return both(r, s->here, both(r, inside, lives(r, s)));
}

static const Expr *may_access(Partition *r, const Instr *i) {
    Exprs *x = r->program->exprs;
    const Expr *valid = expr_is_const(i->size) ? expr_bool(x, !i->size->value) : expr_eq(x, i->size, word(r, 0));
    Spot *spots = NULL;
    add_spots(r, i->address, &spots);
    for (size_t k = 0; k < vec_len(spots) && !r->failed; k++)
        if (!(i->writes && spots[k].object->readonly)) valid = expr_or(x, valid, is_there(r, &spots[k], is_inside(r, &spots[k], i->size)));
    vec_free(spots);
    return valid;
}

static const Expr *is_start(const Partition *r, const Spot *s) { return expr_eq(r->program->exprs, s->offset, word(r, 0)); }

static const Expr *may_free(Partition *r, const Instr *i) {
    Exprs *x = r->program->exprs;
    const Expr *valid = expr_eq(x, i->address, word(r, 0));
    Spot *spots = NULL;
    add_spots(r, i->address, &spots);
    for (size_t k = 0; k < vec_len(spots) && !r->failed; k++)
        if (spots[k].object->kind == OBJECT_HEAP) valid = expr_or(x, valid, is_there(r, &spots[k], is_start(r, &spots[k])));
    vec_free(spots);
    return valid;
}

const Expr *region_invalid(Partition *r, const Instr *i) {
    return expr_not(r->program->exprs, i->size ? may_access(r, i) : may_free(r, i));
}

/* ---- memory that is lost ---- */

enum { MOST_LINKS = 3 };
static const Expr *is_reached(Partition *, Object *, unsigned links);

/* Returns the condition that the pointer e points into the object o, or to its end. targets: the targets of e. */
static const Expr *leads_to(Partition *r, const Expr *e, const Targets *targets, const Object *o) {
    const Expr *any = expr_bool(r->program->exprs, false);
    Spot *spots = NULL;
    Targets own = {.other = true}; /* of the object alone */
    for (size_t i = 0; i < vec_len(targets->list); i++)
        if (targets->list[i].object == o) vec_push(own.list, targets->list[i]);
    add_targets(r, e, &own, &spots);
    for (size_t k = 0; k < vec_len(spots); k++)
        any = expr_or(r->program->exprs, any, both(r, spots[k].here, is_inside(r, &spots[k], word(r, 0))));
    vec_free(spots);
    vec_free(own.list);
    return any;
}

/* Returns the condition that some scalar in the object `at` points to o. */
static const Expr *is_reached_from(Partition *r, const Object *at, const Object *o) {
    const Region *g = &r->regions[at->index];
    const Expr *any = expr_bool(r->program->exprs, false);
    for (size_t c = 0; c < vec_len(g->cells) && !g->stride; c++) {
        const Cell *cell = &g->cells[c];
        if (!cell->variable || !cell->variable->global || cell->size * 8 != r->program->pointer_width) continue;
        Target place = {(Object *)at, {0, cell->residue}, 0};
        any = expr_or(r->program->exprs, any, leads_to(r, of(r, cell->variable), pointsto_content(r->pointsto, &place, cell->size), o));
    }
    return any;
}

/* Returns the condition that a global variable or object leads to o, directly or by a chain of at most `links` heap objects. */
static const Expr *is_reached(Partition *r, Object *o, unsigned links) {
    Program *p = r->program;
    const Expr *any = expr_bool(p->exprs, false);
    for (size_t v = 0; v < r->nglobals; v++) {
        const Variable *g = p->globals[v];
        if (g->sort->kind == SORT_BV && g->sort->width == p->pointer_width)
            any = expr_or(p->exprs, any, leads_to(r, of(r, g), pointsto(r->pointsto, of(r, g)), o));
    }
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        Object *at = p->objects[i];
        const Region *g = &r->regions[i];
        if (at->kind == OBJECT_GLOBAL) any = expr_or(p->exprs, any, is_reached_from(r, at, o));
        if (at->kind != OBJECT_HEAP || at == o || g->count || !g->live || !links) continue;
        const Expr *link = is_reached_from(r, at, o);
        if (!expr_is_false(link)) any = expr_or(p->exprs, any, both(r, both(r, of(r, g->live), link), is_reached(r, at, links - 1)));
    }
    return any;
}

const Expr *region_lost(Partition *r) {
    Exprs *x = r->program->exprs;
    const Expr *any = expr_bool(x, false);
    for (size_t i = 0; i < vec_len(r->program->objects) && !r->failed; i++) {
        Object *o = r->program->objects[i];
        const Region *g = &r->regions[i];
        if (o->kind != OBJECT_HEAP || o->stack || (!g->live && !g->lives)) continue;
        const Expr *left = g->lives ? expr_not(x, expr_eq(x, of(r, g->lives), word(r, 0)))
                                    : both(r, of(r, g->live), expr_not(x, is_reached(r, o, MOST_LINKS)));
        any = expr_or(x, any, left);
    }
    return any;
}

/* ---- variables ---- */

static void each_instr(Partition *r, void (*visit)(Partition *, const Template *, const Instr *)) {
    vec_each(const Template *, template_, r->program->templates)
        for (size_t a = 0; a < vec_len(template_->actions); a++)
            for (size_t i = 0; i < vec_len(template_->actions[a].instrs); i++)
                visit(r, template_, r->at = &template_->actions[a].instrs[i]);
    r->at = NULL;
}

static void note_asked(Partition *r, const Template *t, const Instr *i) {
    r->asks_lost |= i->kind == INSTR_LOST;
    r->has_checks |= i->kind == INSTR_LOST || i->kind == INSTR_INVALID;
    if (i->kind != INSTR_INVALID && i->kind != INSTR_FREE && i->kind != INSTR_SIZE) return;
    const Targets *targets = pointsto(r->pointsto, i->address);
    for (size_t k = 0; k < vec_len(targets->list); k++) {
        Object *o = targets->list[k].object;
        Region *g = &r->regions[o->index];
        if (i->kind == INSTR_FREE) g->freed = true;
        g->checked = true;
        if (o->kind == OBJECT_LOCAL && o->template_ != t->index) r->foreign[o->index] = true;
    }
}

/* Sets the constant size that all objects of a site have, and notes the DEADs. */
static void note_size(Partition *r, const Template *t, const Instr *i) {
    (void)t;
    if (i->kind == INSTR_DEAD) r->regions[i->object->index].dies = true;
    if (i->kind != INSTR_ALLOC) return;
    Region *g = &r->regions[i->object->index];
    bool fixed = expr_is_const(i->size) && (!g->sized || g->fixed == i->size);
    g->fixed = fixed ? i->size : NULL;
    g->sized = true;
}

static Variable *ghost(Partition *r, const Object *o, const char *what, const Sort *sort, const Expr *init, bool local) {
    Program *p = r->program;
    Buf name = {0};
    buf_printf(&name, "%s.%s", o->name, what);
    Variable *v =
        local ? template_local(p, p->templates[o->template_], buf_string(&name), sort) : program_global(p, buf_string(&name), sort, init);
    v->temporary = true;
    v->position = o->position;
    buf_free(&name);
    return v;
}

static Variable *heap_ghost(Partition *r, const Object *o, const char *what, const Sort *sort, const Expr *init) {
    Exprs *x = r->program->exprs;
    if (!r->regions[o->index].count) return ghost(r, o, what, sort, init, false);
    if (sort->kind == SORT_BOOL) sort = sort_bv(x, 8);
    const Sort *array = sort_array(x, sort_bv(x, r->program->pointer_width), sort);
    return ghost(r, o, what, array, expr_const_array(x, array, expr_bv(x, sort->width, 0)), false);
}

static void make_heap(Partition *r, const Object *o, Region *g) {
    Exprs *x = r->program->exprs;
    bool lost = r->asks_lost && !o->stack;
    const Sort *pointer = sort_bv(x, r->program->pointer_width);
    if (!g->fixed) g->size = heap_ghost(r, o, "size", pointer, word(r, 0));
    if (g->freed || (lost && !g->count)) g->live = heap_ghost(r, o, "live", sort_bool(x), expr_bool(x, false));
    if (lost && g->count) g->lives = ghost(r, o, "lives", pointer, word(r, 0), false);
}

/* True if the life of the local may end before the process ends: it has a DEAD, is not a local of main, or main may end as a thread. */
static bool may_die(const Partition *r, const Object *o, const Region *g) {
    const Template *t = r->program->templates[o->template_];
    if (g->dies || o->template_) return true;
    for (size_t l = 0; l < vec_len(t->locations); l++)
        if (t->locations[l].kind == LOCATION_END) return true;
    return false;
}

static void make_local(Partition *r, const Object *o, Region *g) {
    Exprs *x = r->program->exprs;
    bool shared = r->foreign[o->index];
    if (!may_die(r, o, g)) return;
    g->live = ghost(r, o, "live", sort_bool(x), expr_bool(x, false), !shared);
}

void partition_find_checked(Partition *r) {
    r->nglobals = vec_len(r->program->globals);
    each_instr(r, note_asked);
}

void partition_make_size_variables(Partition *r) {
    if (!r->has_checks) return;
    each_instr(r, note_size);
    for (size_t i = 0; i < vec_len(r->program->objects); i++) {
        const Object *o = r->program->objects[i];
        Region *g = &r->regions[i];
        if (o->kind == OBJECT_HEAP && g->sized && (g->checked || r->asks_lost)) make_heap(r, o, g);
        if (o->kind == OBJECT_LOCAL && g->checked) make_local(r, o, g);
    }
}

/* ---- lives ---- */

static void assign(const Instr *like, Variable *v, const Expr *value, Instr **out) {
    vec_push(*out, ((Instr){.kind = INSTR_ASSIGN, .target = v, .value = value, .position = like->position}));
}

/* Appends the assignment of a flag of the object, which has an effect only if `when` holds. */
static void set_flag(Partition *r, const Instr *like, Variable *v, const Expr *number, const Expr *when, bool value, Instr **out) {
    Exprs *x = r->program->exprs;
    const Expr *old = of(r, v), *args[] = {old, number, expr_bv(x, 8, value)};
    assign(like, v, expr_ite(x, when, number ? expr_make(x, OP_STORE, 0, 3, args) : expr_bool(x, value), old), out);
}

void region_allocated(Partition *r, const Instr *i, const Expr *number, Instr **out) {
    Exprs *x = r->program->exprs;
    Region *g = &r->regions[i->object->index];
    if (g->size) {
        const Expr *args[] = {of(r, g->size), number, i->size};
        vec_push(*out, ((Instr){.kind = INSTR_ASSUME, .value = two(r, OP_SLE, word(r, 0), i->size), .position = i->position}));
        assign(i, g->size, number ? expr_make(x, OP_STORE, 0, 3, args) : i->size, out);
    }
    if (g->live) set_flag(r, i, g->live, number, yes(r), true, out);
    if (g->lives) assign(i, g->lives, two(r, OP_ADD, of(r, g->lives), word(r, 1)), out);
}

void region_freed(Partition *r, const Instr *i, Instr **out) {
    Exprs *x = r->program->exprs;
    Spot *spots = NULL;
    if (!r->has_checks) return;
    add_spots(r, i->address, &spots);
    for (size_t k = 0; k < vec_len(spots) && !r->failed; k++) {
        const Spot *s = &spots[k];
        Region *g = &r->regions[s->object->index];
        const Expr *when = is_there(r, s, is_start(r, s));
        if (s->object->kind != OBJECT_HEAP) continue;
        if (g->lives) assign(i, g->lives, expr_ite(x, when, two(r, OP_SUB, of(r, g->lives), word(r, 1)), of(r, g->lives)), out);
        if (g->live) set_flag(r, i, g->live, s->number, when, false, out);
    }
    vec_free(spots);
}

void region_set_alive(Partition *r, const Instr *i, bool alive, Instr **out) {
    Variable *live = r->regions[i->object->index].live;
    if (live) set_flag(r, i, live, NULL, yes(r), alive, out);
}

void region_end_of_thread(Partition *r, const Template *t, Position at, Instr **out) {
    Instr like = {.position = at};
    for (size_t i = 0; i < vec_len(r->program->objects) && r->has_checks; i++) {
        like.object = r->program->objects[i];
        if (like.object->kind == OBJECT_LOCAL && like.object->template_ == t->index && r->foreign[i])
            region_set_alive(r, &like, false, out);
    }
}
