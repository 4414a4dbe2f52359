/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cells and array elements that an address may denote.

   requires  regions that are cut into cells; points-to
   ensures   in every execution that does not fault, the address denotes exactly one of the returned places
   breaks    nothing: it only makes expressions */
#include "passes/messages.h"
#include "passes/program/partition_internal.h"

/* Returns the only target of e in o; NULL: e has several targets in o, or no target. */
static const Target *target_in(Partition *r, const Expr *e, const Object *o) {
    const Targets *t = pointsto(r->pointsto, e);
    const Target *found = NULL;
    for (size_t i = 0; i < vec_len(t->list); i++) {
        if (t->list[i].object != o) continue;
        if (found) return NULL;
        found = &t->list[i];
    }
    return found;
}

static bool is_pointer(Partition *r, const Expr *e) { return vec_len(pointsto(r->pointsto, e)->list) > 0; }

/* Returns the offset of e from the base of o, if e points into o. */
static const Expr *offset_in(Partition *r, const Expr *e, const Object *o) {
    Program *p = r->program;
    const Target *t = target_in(r, e, o);
    if (t && !t->offset.modulus) return expr_bv(p->exprs, p->pointer_width, t->offset.residue);
    if (e->op == OP_ADD && is_pointer(r, e->args[0]) != is_pointer(r, e->args[1])) {
        unsigned k = is_pointer(r, e->args[0]) ? 0 : 1;
        /* C's pointer arithmetic does not wrap around */
        return expr_2f(p->exprs, OP_ADD, FLAG_NSW, offset_in(r, e->args[k], o), e->args[1 - k]);
    }
    if (e->op == OP_SUB && !is_pointer(r, e->args[1])) return expr_2f(p->exprs, OP_SUB, FLAG_NSW, offset_in(r, e->args[0], o), e->args[1]);
    return expr_2(p->exprs, OP_SUB, e, object_address(p, o));
}

static bool divides(uint64_t by, const Expr *e) {
    Congruence c = congruence_number(e);
    return c.modulus % by == 0 && (int64_t)c.residue % (int64_t)by == 0;
}

static const Expr *quotient(Exprs *, const Expr *e, uint64_t by);

/* Returns the quotient of a constant by `by`; NULL: the division has a remainder. */
static const Expr *constant_quotient(Exprs *x, const Expr *e, uint64_t by) {
    unsigned shift = 64 - e->sort->width;
    int64_t v = (int64_t)((uint64_t)e->value << shift) >> shift;
    return v % (int64_t)by ? NULL : expr_bv(x, e->sort->width, (u128)(i128)(v / (int64_t)by));
}

static const Expr *quotient_of_sum(Exprs *x, const Expr *e, uint64_t by) {
    const Expr *a = quotient(x, e->args[0], by), *b = a ? quotient(x, e->args[1], by) : NULL;
    bool moved = expr_is_const(e->args[0]) || expr_is_const(e->args[1]); /* by a constant, within the object */
    return b && (moved || congruence_exact(e)) ? expr_2(x, e->op, a, b) : NULL;
}

/* Returns the signed quotient e / by if it is a whole number with a simple form, or NULL. Only a zero-extended e needs a division. A product that
   may wrap around has no such form: (i * 4) / 4 need not be i. */
static const Expr *quotient(Exprs *x, const Expr *e, uint64_t by) {
    const Expr *q;
    if (expr_is_const(e)) return constant_quotient(x, e, by);
    switch (e->op) {
    case OP_ADD:
    case OP_SUB: return quotient_of_sum(x, e, by);
    case OP_MUL:
        q = expr_is_const(e->args[1]) && congruence_exact(e) ? constant_quotient(x, e->args[1], by) : NULL;
        return q ? expr_2(x, OP_MUL, e->args[0], q) : NULL;
    case OP_SHL:
        if (!expr_is_const(e->args[1]) || e->args[1]->value >= 32 || !congruence_exact(e) || ((uint64_t)1 << e->args[1]->value) % by)
            return NULL;
        return expr_2(x, OP_MUL, e->args[0], expr_bv(x, e->sort->width, ((uint64_t)1 << e->args[1]->value) / by));
    case OP_SEXT:
        q = congruence_exact(e->args[0]) && by >> (e->args[0]->sort->width - 1) == 0 ? quotient(x, e->args[0], by) : NULL;
        return q ? expr_convert(x, OP_SEXT, q, e->sort->width) : NULL;
    case OP_ZEXT: return divides(by, e) ? expr_2(x, OP_UDIV, e, expr_bv(x, e->sort->width, by)) : NULL;
    default: return NULL;
    }
}

/* Returns e / by for an offset e that is a multiple of `by`. */
static const Expr *divided(Exprs *x, const Expr *e, uint64_t by) {
    const Expr *q = by == 1 ? e : quotient(x, e, by);
    return q ? q : expr_2(x, OP_UDIV, e, expr_bv(x, e->sort->width, by));
}

/* Returns the number of addresses from the object's base that belong to the object. */
static uint64_t extent(const Program *p, const Object *o) {
    uint64_t least = pointsto_stride(p);
    if (o->kind == OBJECT_HEAP) return region_site_room(p);
    return o->size < least ? least : o->size + 1;
}

/* Returns the condition that e points to this target, and not to another target of the set. */
static const Expr *points_to(Partition *r, const Expr *e, const Targets *all, const Target *t) {
    Program *p = r->program;
    Exprs *x = p->exprs;
    const Expr *base = object_address(p, t->object), *offset = expr_2(x, OP_SUB, e, base), *c = expr_bool(x, true);
    if (vec_len(all->list) == 1) return c;
    if (!t->offset.modulus) return expr_eq(x, e, expr_2(x, OP_ADD, base, expr_bv(x, p->pointer_width, t->offset.residue)));
    if (region_count_objects(all) > 1) {
        if (pointsto_allocates_many(r->pointsto, t->object)) partition_refuse(r, MSG_PASSES_SITES_SEVERAL, t->object);
        if (t->object->kind == OBJECT_HEAP) region_check_room(r, t->object, region_site_room(p));
        c = expr_2(x, OP_ULT, offset, expr_bv(x, p->pointer_width, extent(p, t->object)));
    }
    if (target_in(r, e, t->object)) return c;
    const Expr *rest = expr_2(x, OP_UREM, offset, expr_bv(x, p->pointer_width, t->offset.modulus));
    return expr_and(x, c, expr_eq(x, rest, expr_bv(x, p->pointer_width, t->offset.residue)));
}

Place *region_places(Partition *r, const Expr *address, uint64_t size) {
    Program *p = r->program;
    const Targets *t = pointsto(r->pointsto, address);
    Place *list = NULL;
    vec_each_at(const Target, to, t->list) {
        if (!region_may_contain(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        Place at = {.here = points_to(r, address, t, to)};
        uint64_t residue = region_residue(g, to);
        at.cells = region_cell(g, residue);
        at.ncells = region_count_cells(g, at.cells, size);
        if (g->stride) {
            const Expr *offset =
                to->offset.modulus ? offset_in(r, address, to->object) : expr_bv(p->exprs, p->pointer_width, to->offset.residue);
            at.element = divided(p->exprs, expr_2(p->exprs, OP_SUB, offset, expr_bv(p->exprs, p->pointer_width, residue)), g->stride);
        }
        vec_push(list, at);
    }
    return list;
}
