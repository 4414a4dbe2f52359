/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the values that are parts of addresses, or joined from such parts, and makes them open where they are read.

   A part is read by a LOAD that meets bytes of an address without reading the whole address from its start. Parts move through variables and
   memory. A LOAD of a pointer's width that meets bytes of parts may read an address that was joined again. Such an address may be used as one:
   it may be moved, dereferenced, and moved on by an offset. Every other operator on a part gives a result that C leaves open.

   So a LOAD of a part is open if an operator uses the value, here or where it moves to. Most loads at an unknown place meet no address when
   they run. A condition on the place decides this, so `exact` is that condition. A pointer-wide value joined from parts is exact where it
   looks like an address: afterwards it is treated as one. Null that was joined from parts is open.

   Three facts are trusted. A LOAD at a known offset, or of several bytes, reads no part of an address whose place depends on an index. A LOAD of
   several bytes that are no pointer reads no part that was copied alone to an unknown place. A value that looks like an address was not joined
   from parts of two addresses. Without these facts, each member behind an array of pointers would be open. */
#include "passes/program/unspecified_internal.h"

enum { MOST_CUTS = 8, MOST_PLACES = 64 }; /* conditions at a LOAD; bytes of an object */

/* Cut is the bytes of an address of which a LOAD may read a part. */
typedef struct Cut {
    const Object *object;
    Bytes address, read;
    bool joined; /* the bytes are parts, not a whole address */
} Cut;

static uint64_t word(const Unspecified *o) { return o->program->pointer_width / 8; }

static uint64_t size_of(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 8; }

static bool is_wide(const Unspecified *o, const Sort *s) { return s->kind == SORT_BV && s->width >= o->program->pointer_width; }

/* True if the offset is known, up to the place of an instance. Other offsets come from indices, whose bounds are not known. */
static bool is_known(const Unspecified *o, Congruence c) { return c.modulus % pointsto_stride(o->program) == 0; }

/* True if the LOAD starts where an address starts, whenever it meets one of these bytes. */
static bool starts_together(const Unspecified *o, Bytes read, Bytes address) {
    Congruence d = congruence_add(read.offset, congruence_negate(address.offset));
    return d.modulus % word(o) == 0 && d.residue % word(o) == 0;
}

/* True if the LOAD may read a part of these bytes of an address. An index without bounds reaches beyond its array, where other members of a
   struct lie. So an access of several bytes, or at a known offset, is taken for one of another member. */
static bool may_cut(const Unspecified *o, const Sort *s, Bytes read, Bytes address) {
    if (pointsto_meet(read, address) == APART) return false;
    bool known = is_known(o, address.offset), together = starts_together(o, read, address);
    if (is_wide(o, s) && together) return false;
    if (known && is_known(o, read.offset)) return true;
    if (read.size == 1) return !is_known(o, read.offset);
    return known && !together;
}

/* True if the LOAD may read parts that were stored alone. The place of parts that were copied byte by byte is not known. */
static bool may_read_part(const Unspecified *o, const Sort *s, Bytes read, Bytes part) {
    if (pointsto_meet(read, part) == APART) return false;
    return part.offset.modulus != 1 || read.size == 1 || is_wide(o, s);
}

/* Adds what the LOAD may cut in an object to a vec. */
static Cut *add_cuts(Unspecified *o, const Sort *s, const Target *at, Cut *cuts) {
    Bytes read = {at->offset, size_of(s)}, *addresses = pointsto_addresses(o->pointsto, at->object);
    const Bytes *parts = o->parts_in[at->object->index];
    for (size_t i = 0; i < vec_len(addresses); i++)
        if (may_cut(o, s, read, addresses[i])) vec_push(cuts, ((Cut){at->object, addresses[i], read, false}));
    for (size_t i = 0; i < vec_len(parts); i++)
        if (may_read_part(o, s, read, parts[i])) vec_push(cuts, ((Cut){at->object, parts[i], read, true}));
    vec_free(addresses);
    return cuts;
}

/* Returns what the LOAD may cut, as a vec that the caller frees. */
static Cut *cuts_of(Unspecified *o, const Instr *i) {
    Cut *cuts = NULL;
    const Targets *at = pointsto(o->pointsto, i->address);
    for (size_t k = 0; k < vec_len(at->list); k++) cuts = add_cuts(o, i->target->sort, &at->list[k], cuts);
    return cuts;
}

/* ---- where parts are ---- */

static bool moves_part(const Unspecified *o, const Expr *e) {
    return unspecified_moves(e->op) || e->op == OP_EXTRACT || ((e->op == OP_ADD || e->op == OP_SUB) && is_wide(o, e->sort));
}

static bool is_part(const Unspecified *o, const Expr *e) {
    if (e->op == OP_SYMBOL) return map_find(o->parts, e->symbol);
    if (!moves_part(o, e)) return false;
    for (unsigned i = e->op == OP_ITE; i < e->nargs; i++)
        if (is_part(o, e->args[i])) return true;
    return false;
}

static void note_variable(Unspecified *o, const Variable *v) {
    if (!v || map_find(o->parts, v->symbol)) return;
    map_set(o->parts, v->symbol, o);
    o->grows = true;
}

static void note_bytes(Unspecified *o, const Object *object, Bytes at) {
    Bytes **list = &o->parts_in[object->index];
    if (vec_len(*list) >= MOST_PLACES) at = (Bytes){congruence_any, word(o)};
    for (size_t i = 0; i < vec_len(*list); i++)
        if ((*list)[i].size == at.size && congruence_includes((*list)[i].offset, at.offset)) return;
    vec_push(*list, at);
    o->grows = true;
}

/* Notes what a copy of `size` bytes makes of an address or a part in its source. A whole address stays one. */
static void note_copied(Unspecified *o, const Target *to, const Target *from, uint64_t size, Bytes at, bool whole) {
    Congruence shift = congruence_add(to->offset, congruence_negate(from->offset));
    Congruence d = congruence_add(at.offset, congruence_negate(from->offset));
    bool inside = size >= word(o) && (!is_known(o, d) || (d.residue <= size && at.size <= size - d.residue));
    if (pointsto_meet((Bytes){from->offset, size}, at) == APART || (whole && inside)) return;
    note_bytes(o, to->object, (Bytes){congruence_add(at.offset, shift), at.size});
}

static void note_copy(Unspecified *o, const Instr *i) {
    const Targets *from = pointsto(o->pointsto, i->value), *to = pointsto(o->pointsto, i->address);
    uint64_t size = expr_is_const(i->size) ? (uint64_t)i->size->value : INT64_MAX;
    for (size_t k = 0; k < vec_len(from->list); k++) {
        const Object *source = from->list[k].object;
        Bytes *addresses = pointsto_addresses(o->pointsto, source);
        for (size_t n = 0; n < vec_len(to->list); n++) {
            vec_each_at(const Bytes, b, addresses) note_copied(o, &to->list[n], &from->list[k], size, *b, true);
            for (size_t p = 0; p < vec_len(o->parts_in[source->index]); p++)
                note_copied(o, &to->list[n], &from->list[k], size, o->parts_in[source->index][p], false);
        }
        vec_free(addresses);
    }
}

static void note_instr(Unspecified *o, const Instr *i) {
    if (i->kind == INSTR_LOAD) {
        Cut *cuts = cuts_of(o, i);
        if (vec_len(cuts)) note_variable(o, i->target);
        vec_free(cuts);
    } else if (i->kind == INSTR_COPY) {
        note_copy(o, i);
    } else if (i->value && is_part(o, i->value)) {
        if (i->kind == INSTR_ASSIGN) note_variable(o, i->target);
        if (i->kind == INSTR_CREATE) note_variable(o, o->program->templates[i->template_]->argument);
        const Targets *to = i->kind == INSTR_STORE ? pointsto(o->pointsto, i->address) : &(Targets){0};
        for (size_t k = 0; k < vec_len(to->list); k++)
            note_bytes(o, to->list[k].object, (Bytes){to->list[k].offset, size_of(i->value->sort)});
    } else if (i->kind == INSTR_JOIN) {
        vec_each(const Template *, t, o->program->templates)
            if (t->result && map_find(o->parts, t->result->symbol)) note_variable(o, i->target);
    }
}

/* ---- where parts are used ---- */

static bool is_used(const Unspecified *o, const Variable *v) { return v && map_find(o->used, v->symbol); }

/* Notes the variables whose value an operator in e uses. used: e itself is used. */
static void note_uses(Unspecified *o, const Expr *e, bool used) {
    if (e->op == OP_SYMBOL && used && !map_find(o->used, e->symbol)) {
        map_set(o->used, e->symbol, o);
        o->grows = true;
    }
    for (unsigned i = 0; i < e->nargs; i++) note_uses(o, e->args[i], used || !moves_part(o, e));
}

static void note_uses_in_instr(Unspecified *o, const Instr *i) {
    bool used = i->kind == INSTR_ASSUME || i->kind == INSTR_FILL;
    if (i->kind == INSTR_ASSIGN) used = is_used(o, i->target);
    if (i->kind == INSTR_CREATE) used = is_used(o, o->program->templates[i->template_]->argument);
    if (i->value) note_uses(o, i->value, used);
    if (i->address) note_uses(o, i->address, false);
    if (i->size) note_uses(o, i->size, true);
    if (i->kind != INSTR_JOIN || !is_used(o, i->target)) return;
    vec_each(const Template *, t, o->program->templates)
        if (t->result) note_uses(o, variable_expr(o->program, t->result), true);
}

static void until_stable(Unspecified *o, void (*note)(Unspecified *, const Instr *)) {
    do {
        o->grows = false;
        program_each_instr(const Instr, i, o->program) note(o, i);
    } while (o->grows);
}

/* ---- open loads ---- */

/* Returns the condition that the bytes which are read at x do not meet these bytes of an object. A whole address may also be read from its
   start. */
static const Expr *is_apart(Unspecified *o, const Expr *x, const Sort *s, const Cut *c) {
    uint64_t m = c->address.offset.modulus, size = size_of(s);
    if (m & (m - 1) || (m && m < c->address.size + size)) return expr_bool(o->pool, false);
    const Expr *away = expr_2(o->pool, OP_SUB, unspecified_offset(o, x), number(o, c->address.offset.residue));
    if (m) away = expr_2(o->pool, OP_BAND, away, number(o, m - 1));
    const Expr *behind = expr_2(o->pool, OP_ULE, number(o, c->address.size), away);
    const Expr *apart = expr_and(o->pool, behind, expr_2(o->pool, OP_ULE, away, number(o, m ? m - size : (uint64_t)-size)));
    return is_wide(o, s) && !c->joined ? expr_or(o->pool, apart, expr_eq(o->pool, away, number(o, 0))) : apart;
}

/* True if the LOAD meets the bytes whenever it reads this object. */
static bool is_certain(const Cut *c) { return !c->address.offset.modulus && !c->read.offset.modulus; }

static const Expr *exact_place(Unspecified *o, const Expr *x, const Variable *v, const Cut *cuts) {
    const Expr *exact = expr_bool(o->pool, vec_len(cuts) <= MOST_CUTS);
    for (size_t k = 0; k < vec_len(cuts) && !expr_is_false(exact); k++) {
        bool alone = vec_len(pointsto(o->pointsto, x)->list) == 1 && !pointsto_is_wild(o->pointsto, x);
        const Expr *apart = alone && is_certain(&cuts[k]) ? expr_bool(o->pool, false) : is_apart(o, x, v->sort, &cuts[k]);
        const Object *at = cuts[k].object;
        if (!alone && at->kind == OBJECT_GLOBAL)
            apart = expr_or(o->pool, apart, no(o, unspecified_same_granule(o, x, object_address(o->program, at))));
        exact = expr_and(o->pool, exact, apart);
    }
    return exact;
}

static void insert(Action *a, size_t at, Instr i) {
    vec_push(a->instrs, i);
    for (size_t k = vec_len(a->instrs) - 1; k > at; k--) a->instrs[k] = a->instrs[k - 1];
    a->instrs[at] = i;
}

static uint64_t least_alignment(const Unspecified *o, const Targets *of) {
    uint64_t least = vec_len(of->list) ? UINT64_MAX : 1;
    for (size_t i = 0; i < vec_len(of->list); i++) {
        uint64_t align = unspecified_alignment(o, of->list[i].object);
        if (align < least) least = align ? align : 1;
    }
    return least;
}

/* Loads the whole address as well, where a single thread runs and the LOAD reads a part of a single one. Null and numbers then stay
   unchanged, and C allows all values that parts of addresses can have. */
static void open_whole(Unspecified *o, Template *t, Action *a, size_t at, const Cut *cuts, OpenValue *open) {
    const Instr *load = &a->instrs[at];
    const Targets *targets = pointsto(o->pointsto, load->address);
    uint64_t from = cuts[0].read.offset.residue - cuts[0].address.offset.residue;
    bool single = vec_len(cuts) == 1 && vec_len(targets->list) == 1 && !pointsto_is_wild(o->pointsto, load->address);
    if (!single || !is_certain(&cuts[0]) || cuts[0].joined || cuts[0].address.size != word(o) || load->target->sort->kind != SORT_BV)
        return;
    if (vec_len(o->program->templates) != 1 || from + cuts[0].read.size > word(o)) return;
    Object *object = targets->list[0].object;
    Instr whole = *load;
    whole.target = template_local(o->program, t, "tmp", sort_bv(o->pool, o->program->pointer_width));
    whole.target->temporary = true;
    whole.address = expr_2(o->pool, OP_SUB, load->address, number(o, from));
    open->whole = variable_expr(o->program, whole.target);
    open->exact = no(o, unspecified_in_space(o, open->whole));
    open->offset = from;
    open->align = least_alignment(o, pointsto_content(o->pointsto, &(Target){object, cuts[0].address.offset, 0}, word(o)));
    open->allowed = true;
    insert(a, at, whole);
}

/* Makes the value of a LOAD open: w := load x; v := w, where w is the open value. Returns the place of the last instruction. */
static size_t open_load(Unspecified *o, Template *t, Action *a, size_t at, const Cut *cuts) {
    Variable *v = a->instrs[at].target, *w = template_local(o->program, t, "tmp", v->sort);
    const Expr *value = variable_expr(o->program, w), *exact = exact_place(o, a->instrs[at].address, v, cuts);
    OpenValue *open = arena_new_of(o->program->arena, OpenValue);
    if (is_wide(o, v->sort)) exact = expr_or(o->pool, exact, unspecified_in_space(o, value));
    *open = (OpenValue){.value = value, .exact = exact};
    w->temporary = true;
    map_set(o->loads, w->symbol, open);
    size_t before = vec_len(a->instrs);
    open_whole(o, t, a, at, cuts, open);
    at += vec_len(a->instrs) - before;
    a->instrs[at].target = w;
    insert(a, at + 1, (Instr){.kind = INSTR_ASSIGN, .target = v, .value = value, .position = a->instrs[at].position});
    return at + 1;
}

static void open_loads(Unspecified *o, Template *t) {
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) {
            const Instr *s = &t->actions[a].instrs[i];
            if (s->kind != INSTR_LOAD || !map_find(o->parts, s->target->symbol) || !is_used(o, s->target)) continue;
            Cut *cuts = cuts_of(o, s);
            if (vec_len(cuts)) i = open_load(o, t, &t->actions[a], i, cuts);
            vec_free(cuts);
        }
}

void unspecified_open_parts(Unspecified *o) {
    o->parts = map_new();
    o->used = map_new();
    o->loads = map_new();
    vec_resize(o->parts_in, vec_len(o->program->objects));
    until_stable(o, note_instr);
    program_each_action(const Action, a, o->program) note_uses(o, a->guard, true);
    until_stable(o, note_uses_in_instr);
    vec_each(Template *, t, o->program->templates) open_loads(o, t);
    vec_free_rows(o->parts_in);
    map_free(o->parts);
    map_free(o->used);
}
