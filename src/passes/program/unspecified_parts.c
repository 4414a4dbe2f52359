/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the values that are parts of addresses, or joined from such parts, and makes them open where they are read.

   A part is read by a LOAD that meets bytes of an address without reading the whole address from its start. Parts move through variables and
   memory. A LOAD of a pointer's width that meets bytes of parts may read an address that was joined again. Such an address may be used as one:
   it may be moved, dereferenced, and moved on by an offset. Every other operator on a part gives a result that C leaves open.

   So a LOAD of a part is open if an operator uses the value, here or where it moves to. Most loads at an unknown place meet no address when
   they run. A condition on the place decides this, so `exact` is that condition. A pointer-wide value joined from parts is exact where it
   looks like an address: afterwards it is treated as one. Null that was joined from parts is open.

   An address that is stored at an index may lie anywhere in its object, so each member beside an array of pointers could be a part of it. Such a
   member is not open. Instead, the program stops where an address is stored over it (unspecified_stops.c).

   One fact is trusted. A number that is stored at an index replaces no part of an address beside its array. For C leaves undefined what such an
   index does. An index of a pointer to characters is an exception. */
#include "ir/layout.h"
#include "passes/program/unspecified_internal.h"

enum { MOST_CUTS = 8, MOST_PLACES = 64 }; /* conditions at a LOAD; bytes of an object */

/* Cut is the bytes of an address of which a LOAD may read a part. */
typedef struct Cut {
    const Object *object;
    Bytes address, read;
    enum { OF_ADDRESS, OF_PARTS, OF_MIXED } what; /* the bytes are a whole address; parts; halves of addresses and small numbers */
} Cut;

static uint64_t word(const Unspecified *o) { return o->program->pointer_width / 8; }

/* True for the start of a half of a word, in a program with words of 64 bits. */
static bool is_half(Congruence offset) { return offset.modulus % 4 == 0 && offset.residue % 4 == 0; }

static uint64_t size_of(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 8; }

static bool is_wide(const Unspecified *o, const Sort *s) { return s->kind == SORT_BV && s->width >= o->program->pointer_width; }

/* True if the offset is known, up to the place of an instance. Other offsets come from indices, whose bounds are not known. */
static bool is_known(const Unspecified *o, Congruence c) { return c.modulus % pointsto_stride(o->program) == 0; }

/* True if the LOAD starts where an address starts, whenever it meets one of these bytes. */
static bool starts_together(const Unspecified *o, Bytes read, Bytes address) {
    Congruence d = congruence_add(read.offset, congruence_negate(address.offset));
    return d.modulus % word(o) == 0 && d.residue % word(o) == 0;
}

/* True if some bytes of the size lie between two places of these bytes. */
static bool has_room(const Unspecified *o, Bytes b, uint64_t size) { return is_known(o, b.offset) || b.offset.modulus >= b.size + size; }

bool unspecified_guards(const Unspecified *o, const Object *object, Bytes read, Bytes stored) {
    bool alike = read.offset.modulus == stored.offset.modulus; /* the store cannot avoid what is read */
    if (pointsto_meet(read, stored) == APART || is_known(o, stored.offset) || alike) return false;
    return has_room(o, read, stored.size) && !o->inside[object->index].copied;
}

/* True if the LOAD may read a part of these bytes of an address. */
static bool may_cut(const Unspecified *o, const Sort *s, const Object *object, Bytes read, Bytes address) {
    if (pointsto_meet(read, address) == APART || (is_wide(o, s) && starts_together(o, read, address))) return false;
    return !unspecified_guards(o, object, read, address);
}

/* True if the LOAD may read parts that were stored alone. An address that is read may be joined from such parts. */
static bool may_read_part(const Unspecified *o, const Sort *s, const Object *object, Bytes read, Bytes part) {
    if (pointsto_meet(read, part) == APART) return false;
    return is_wide(o, s) || !unspecified_guards(o, object, read, part);
}

/* Adds what the LOAD may cut in an object to a vec. */
static Cut *add_cuts(Unspecified *o, const Sort *s, const Target *at, Cut *cuts) {
    Bytes read = {at->offset, size_of(s)}, *addresses = pointsto_addresses(o->pointsto, at->object);
    const Inside *in = &o->inside[at->object->index];
    vec_each_at(const Bytes, b, addresses)
        if (may_cut(o, s, at->object, read, *b)) vec_push(cuts, ((Cut){at->object, *b, read, OF_ADDRESS}));
    vec_each_at(const Bytes, b, in->parts)
        if (may_read_part(o, s, at->object, read, *b)) vec_push(cuts, ((Cut){at->object, *b, read, OF_PARTS}));
    vec_each_at(const Bytes, b, in->mixed)
        if (is_wide(o, s) && pointsto_meet(read, *b) != APART) vec_push(cuts, ((Cut){at->object, *b, read, OF_MIXED}));
    vec_free(addresses);
    return cuts;
}

/* True if the library reads its own mark of an object: an address that it only compares with that of the object. A copy of the object by bytes
   has the same mark. */
static bool is_mark(const Instr *i) { return i->atomic && i->position.in && i->position.in->library; }

/* Returns what the LOAD may cut, as a vec that the caller frees. */
static Cut *cuts_of(Unspecified *o, const Instr *i) {
    Cut *cuts = NULL;
    if (is_mark(i)) return NULL;
    const Targets *at = pointsto(o->pointsto, i->address);
    for (size_t k = 0; k < vec_len(at->list); k++) cuts = add_cuts(o, i->target->sort, &at->list[k], cuts);
    return cuts;
}

/* ---- where parts are ---- */

static bool moves_part(const Unspecified *o, const Expr *e) {
    return unspecified_moves(e->op) || (e->op == OP_EXTRACT && is_wide(o, e->args[0]->sort)) ||
           ((e->op == OP_ADD || e->op == OP_SUB) && is_wide(o, e->sort));
}

bool unspecified_is_part(const Unspecified *o, const Expr *e) {
    if (e->op == OP_SYMBOL) return map_find(o->parts, e->symbol);
    if (!moves_part(o, e)) return false;
    for (unsigned i = e->op == OP_ITE; i < e->nargs; i++)
        if (unspecified_is_part(o, e->args[i])) return true;
    return false;
}

static void note_variable(Unspecified *o, const Variable *v) {
    if (!v || map_find(o->parts, v->symbol)) return;
    map_set(o->parts, v->symbol, o);
    o->grows = true;
}

static void add_bytes(Unspecified *o, Bytes **list, Bytes at) {
    if (vec_len(*list) >= MOST_PLACES) at = (Bytes){congruence_any, word(o)};
    vec_each_at(const Bytes, b, *list)
        if (b->size == at.size && congruence_includes(b->offset, at.offset)) return;
    vec_push(*list, at);
    o->grows = true;
}

static void note_bytes(Unspecified *o, const Object *object, Bytes at) { add_bytes(o, &o->inside[object->index].parts, at); }

/* Copied describes the bytes that a COPY moves from one place to another. */
typedef struct Copied {
    const Target *to, *from;
    uint64_t size; /* or more than any object has */
    bool words;    /* the size is a number of whole words */
} Copied;

/* True if a COPY moves an address as a whole, or not at all. A COPY whose size is not constant belongs to realloc: it moves all that the new
   object has room for. */
static bool moves_whole(const Unspecified *o, const Copied *c, Bytes address) {
    Congruence d = congruence_add(address.offset, congruence_negate(c->from->offset));
    if (c->size == INT64_MAX) return true;
    if (c->words && d.modulus % word(o) == 0 && d.residue % word(o) == 0) return true;
    return is_known(o, d) && d.residue <= c->size && address.size <= c->size - d.residue;
}

/* Notes what a COPY makes of an address or a part in its source. A whole address stays one. */
static void note_copied(Unspecified *o, const Copied *c, Bytes at, bool address) {
    if (pointsto_meet((Bytes){c->from->offset, c->size}, at) == APART) return;
    Congruence offset = congruence_add(at.offset, congruence_add(c->to->offset, congruence_negate(c->from->offset)));
    Inside *in = &o->inside[c->to->object->index];
    if (!is_known(o, offset) && !in->copied) in->copied = o->grows = true;
    if (!address || !moves_whole(o, c, at)) note_bytes(o, c->to->object, (Bytes){offset, at.size});
}

static void note_copies(Unspecified *o, const Copied *c) {
    const Object *source = c->from->object;
    Bytes *addresses = pointsto_addresses(o->pointsto, source);
    vec_each_at(const Bytes, b, addresses) note_copied(o, c, *b, true);
    for (size_t p = 0; p < vec_len(o->inside[source->index].parts); p++) note_copied(o, c, o->inside[source->index].parts[p], false);
    vec_free(addresses);
}

static uint64_t copied_size(const Instr *i) { return expr_is_const(i->size) ? (uint64_t)i->size->value : INT64_MAX; }

static void note_copy(Unspecified *o, const Instr *i) {
    const Targets *from = pointsto(o->pointsto, i->value), *to = pointsto(o->pointsto, i->address);
    Congruence size = congruence_number(i->size);
    bool words = size.modulus % word(o) == 0 && size.residue % word(o) == 0;
    vec_each_at(const Target, f, from->list)
        vec_each_at(const Target, t, to->list) note_copies(o, &(Copied){t, f, copied_size(i), words});
}

static void note_instr(Unspecified *o, const Instr *i) {
    if (i->kind == INSTR_LOAD) {
        Cut *cuts = cuts_of(o, i);
        if (vec_len(cuts)) note_variable(o, i->target);
        vec_free(cuts);
    } else if (i->kind == INSTR_COPY) {
        note_copy(o, i);
    } else if (i->value && unspecified_is_part(o, i->value)) {
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

/* ---- bytes that a store must not meet ---- */

/* Notes what a LOAD reads if an address or a part that is stored at an index may meet it. Returns false if none may. */
static bool note_guarded(Unspecified *o, const Instr *i) {
    bool any = false;
    const Targets *at = pointsto(o->pointsto, i->address);
    vec_each_at(const Target, t, at->list) {
        Bytes read = {t->offset, size_of(i->target->sort)}, *addresses = pointsto_addresses(o->pointsto, t->object);
        Inside *in = &o->inside[t->object->index];
        bool meets = false, wide = is_wide(o, i->target->sort);
        vec_each_at(const Bytes, b, addresses)
            meets |= !(wide && starts_together(o, read, *b)) && unspecified_guards(o, t->object, read, *b);
        vec_each_at(const Bytes, b, in->parts) meets |= !wide && unspecified_guards(o, t->object, read, *b);
        if (meets) add_bytes(o, &in->guarded, read);
        any |= meets;
        vec_free(addresses);
    }
    return any;
}

/* Notes the addresses in an object of which an instruction replaces a part. half: the instruction is a STORE of half a word. */
static void note_replaced(Unspecified *o, const Object *object, Bytes written, bool half) {
    Bytes *addresses = pointsto_addresses(o->pointsto, object);
    vec_each_at(const Bytes, b, addresses) {
        Congruence d = congruence_add(b->offset, congruence_negate(written.offset));
        bool whole = d.residue <= written.size && b->size <= written.size - d.residue;
        if (!is_known(o, d) || whole || pointsto_meet(written, *b) == APART) continue;
        if (half) add_bytes(o, &o->inside[object->index].mixed, *b);
        else note_bytes(o, object, *b);
    }
    vec_free(addresses);
}

static void note_written(Unspecified *o, const Instr *i) {
    if (i->kind != INSTR_STORE && i->kind != INSTR_COPY && i->kind != INSTR_FILL) return;
    uint64_t size = i->kind == INSTR_STORE ? size_of(i->value->sort) : copied_size(i);
    const Targets *to = pointsto(o->pointsto, i->address);
    vec_each_at(const Target, t, to->list) {
        bool half = i->kind == INSTR_STORE && size == 4 && is_half(t->offset);
        if (size % 4 || !is_half(t->offset)) add_bytes(o, &o->inside[t->object->index].fine, (Bytes){t->offset, size});
        note_replaced(o, t->object, (Bytes){t->offset, size}, half);
    }
}

static void until_stable(Unspecified *o, void (*note)(Unspecified *, const Instr *)) {
    do {
        o->grows = false;
        program_each_instr(const Instr, i, o->program) note(o, i);
    } while (o->grows);
}

/* ---- open loads ---- */

const Expr *unspecified_apart(const Unspecified *o, const Expr *x, uint64_t size, Bytes b) {
    uint64_t m = b.offset.modulus % pointsto_stride(o->program) ? b.offset.modulus : 0, r = b.offset.residue;
    if (m && m < b.size + size) return expr_bool(o->pool, false);
    const Expr *away = expr_2(o->pool, OP_ADD, unspecified_offset(o, x), number(o, m ? m - r % m : -r));
    if (m) away = expr_2(o->pool, OP_UREM, away, number(o, m));
    const Expr *behind = expr_2(o->pool, OP_ULE, number(o, b.size), away);
    return expr_and(o->pool, behind, expr_2(o->pool, OP_ULE, away, number(o, m ? m - size : -size)));
}

/* Returns the condition that a LOAD at x reads no part of these bytes of an object. A whole address may also be read from its start. */
static const Expr *is_apart(const Unspecified *o, const Expr *x, const Sort *s, const Cut *c) {
    const Expr *apart = unspecified_apart(o, x, size_of(s), c->address);
    if (!is_wide(o, s) || c->what != OF_ADDRESS || expr_is_false(apart)) return apart;
    return expr_or(o->pool, apart, expr_eq(o->pool, unspecified_offset(o, x), number(o, c->address.offset.residue)));
}

/* True if the LOAD meets the bytes whenever it reads this object. */
static bool is_certain(const Cut *c) { return !c->address.offset.modulus && !c->read.offset.modulus; }

/* True if the bytes are two halves of a word, and instructions only write whole halves. */
static bool has_halves(const Unspecified *o, const Cut *c) {
    if (o->program->pointer_width != 64 || !is_half(c->address.offset) || c->address.size != word(o)) return false;
    vec_each_at(const Bytes, b, o->inside[c->object->index].fine)
        if (pointsto_meet(c->address, *b) != APART) return false;
    return true;
}

/* An address has none of these numbers in a half (ir/layout.h). */
const Expr *unspecified_is_small(const Unspecified *o, const Expr *half) {
    const Expr *moved = expr_2(o->pool, OP_ADD, half, expr_bv(o->pool, 32, LAYOUT_SMALL));
    return expr_2(o->pool, OP_ULT, moved, expr_bv(o->pool, 32, 2 * LAYOUT_SMALL));
}

/* Returns a condition under which the value that a LOAD reads is no part of an address, wherever it was read. */
static const Expr *is_no_part(const Unspecified *o, const Expr *value, const Cut *c) {
    bool halves = has_halves(o, c) && is_half(c->read.offset);
    if (halves && c->what == OF_ADDRESS && c->read.size == word(o) / 2) return unspecified_is_small(o, value);
    if (!halves || c->what != OF_MIXED || value->sort->width != o->program->pointer_width) return expr_bool(o->pool, false);
    return expr_eq(o->pool, unspecified_is_small(o, expr_extract(o->pool, value, 0, 32)),
                   unspecified_is_small(o, expr_extract(o->pool, value, 32, 32)));
}

static const Expr *exact_place(Unspecified *o, const Expr *x, const Expr *value, const Cut *cuts) {
    const Expr *exact = expr_bool(o->pool, vec_len(cuts) <= MOST_CUTS);
    for (size_t k = 0; k < vec_len(cuts) && !expr_is_false(exact); k++) {
        bool alone = vec_len(pointsto(o->pointsto, x)->list) == 1 && !pointsto_is_wild(o->pointsto, x);
        const Expr *apart = alone && is_certain(&cuts[k]) ? expr_bool(o->pool, false) : is_apart(o, x, value->sort, &cuts[k]);
        const Object *at = cuts[k].object;
        if (!alone && at->kind == OBJECT_GLOBAL)
            apart = expr_or(o->pool, apart, no(o, unspecified_same_granule(o, x, object_address(o->program, at))));
        exact = expr_and(o->pool, exact, expr_or(o->pool, apart, is_no_part(o, value, &cuts[k])));
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
    if (!single || !is_certain(&cuts[0]) || cuts[0].what != OF_ADDRESS || cuts[0].address.size != word(o) ||
        load->target->sort->kind != SORT_BV)
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
    const Expr *value = variable_expr(o->program, w), *exact = exact_place(o, a->instrs[at].address, value, cuts);
    OpenValue *open = arena_new_of(o->program->arena, OpenValue);
    *open = (OpenValue){.value = value, .exact = exact};
    w->temporary = true;
    vec_each_at(const Cut, c, cuts) o->inside[c->object->index].halved |= c->what == OF_MIXED;
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

/* Finds parts and their uses with the present points-to analysis. */
static void find_parts(Unspecified *o) {
    o->parts = map_new();
    o->used = map_new();
    vec_resize(o->inside, vec_len(o->program->objects));
    program_each_instr(const Instr, i, o->program) note_written(o, i);
    until_stable(o, note_instr);
    program_each_action(const Action, a, o->program) note_uses(o, a->guard, true);
    until_stable(o, note_uses_in_instr);
}

/* Marks the LOADs that read no part of an address, since the program stops before one is stored there. again: only those that are marked
   already. Returns true if a mark has changed. */
static bool mark_plain(Unspecified *o, bool again) {
    bool changed = false;
    vec_each(Template *, t, o->program->templates)
        vec_each_at(Action, a, t->actions)
            vec_each_at(Instr, i, a->instrs) {
                if (i->kind != INSTR_LOAD) continue;
                bool plain = note_guarded(o, i) && (!again || i->plain);
                Cut *cuts = plain ? cuts_of(o, i) : NULL;
                plain &= !vec_len(cuts);
                vec_free(cuts);
                changed |= plain != i->plain;
                i->plain = plain;
            }
    return changed;
}

/* Finds parts. A LOAD of guarded bytes gives no address, so an index from such a LOAD is not taken for an address. */
static void find_all_parts(Unspecified *o) {
    find_parts(o);
    for (bool again = false; mark_plain(o, again); again = true) {
        pointsto_free(o->pointsto);
        unspecified_free_parts(o);
        o->pointsto = pointsto_new(o->program);
        find_parts(o);
    }
}

void unspecified_open_parts(Unspecified *o) {
    o->loads = map_new();
    find_all_parts(o);
    vec_each(Template *, t, o->program->templates) open_loads(o, t);
}

void unspecified_free_parts(Unspecified *o) {
    vec_each_at(Inside, in, o->inside) {
        vec_free(in->parts);
        vec_free(in->mixed);
        vec_free(in->fine);
        vec_free(in->guarded);
    }
    vec_free(o->inside);
    map_free(o->parts);
    map_free(o->used);
}
