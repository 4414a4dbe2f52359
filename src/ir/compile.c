/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a program for execution. Each variable and object gets a place in the segments of a state. Each action gets code, resolved
   addresses and the list of locals that die with it. */
#include "ir/live.h"
#include "ir/machine.h"
#include "ir/step.h"
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

enum { LARGE = 256 }; /* objects of more bytes have their own segment, so that small changes of other data do not copy them */

static uint32_t align_up(uint64_t n, uint64_t to) {
    uint64_t r = (n + to - 1) / to * to;
    if (r > UINT32_MAX / 2) die("the program's objects are too large");
    return (uint32_t)r;
}

static Slot slot_for(const Sort *s, uint32_t *end) {
    Slot slot = {.rep = REP_NARROW, .size = 8};
    if (s->kind == SORT_ARRAY) slot.rep = REP_ARRAY;
    else if (s->kind == SORT_INT || (s->kind == SORT_BV && s->width > 64)) {
        slot.rep = REP_WIDE;
        slot.size = 16;
    } else {
        unsigned width = s->kind == SORT_BV ? s->width : 1;
        slot.size = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
    }
    slot.offset = align_up(*end, slot.size);
    *end = slot.offset + slot.size;
    return slot;
}

/* Assigns slots in the order of falling size, so that alignment wastes little. */
static Slot *slots_for(Variable *const *variables, bool global, uint32_t *end) {
    Slot *slots = NULL;
    vec_resize(slots, vec_len(variables));
    for (unsigned size = 16; size; size /= 2)
        for (size_t i = 0; i < vec_len(variables); i++) {
            uint32_t there = *end;
            Slot s = slot_for(variables[i]->sort, &there);
            if (s.size != size) continue;
            s.global = global;
            slots[i] = s;
            *end = there;
        }
    return slots;
}

/* Reserves a mask of 16 bits for each variable that may be undefined, behind the variables. */
static void place_masks(CompiledTemplate *c, uint32_t *end) {
    for (size_t i = 0; i < vec_len(c->slots); i++) {
        if (!c->undefined[i]) continue;
        c->slots[i].mask = *end;
        *end += 2;
    }
}

static bool may_be_undefined(const Machine *m, const Object *o) { return o->kind == OBJECT_LOCAL || (m->copies && !o->readonly); }

/* Places o in the main segment (sizes[0] bytes so far) or, if it is large, in a new segment. */
static void place_object(Machine *m, const Object *o, uint32_t **sizes) {
    Place *p = &m->places[o->index];
    p->alive = NO_PLACE;
    p->shadow = NO_PLACE;
    uint64_t shadow = may_be_undefined(m, o) ? (o->size + 7) / 8 : 0;
    if (o->kind == OBJECT_LOCAL) p->alive = (*sizes)[0]++;
    if (o->size > LARGE) {
        p->seg = (uint32_t)vec_len(*sizes);
        vec_push(*sizes, 0);
    }
    uint32_t *end = &(*sizes)[p->seg];
    p->offset = align_up(*end, 8);
    uint32_t behind = align_up(p->offset + o->size, 8);
    if (shadow) p->shadow = behind;
    *end = align_up(behind + shadow, 1);
}

static void finish_sizes(uint32_t *sizes) {
    for (size_t i = 0; i < vec_len(sizes); i++) sizes[i] = align_up(sizes[i], 8);
}

static void place_globals(Machine *m) {
    const Program *p = m->program;
    uint32_t end = 0;
    m->globals = slots_for(p->globals, true, &end);
    m->end_variables = align_up(end, 8);
    vec_push(m->seg_sizes, m->end_variables);
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (p->objects[i]->kind == OBJECT_GLOBAL) place_object(m, p->objects[i], &m->seg_sizes);
    finish_sizes(m->seg_sizes);
}

/* Places the objects and locals of a template. THREAD objects come first, at the same places in every template. */
static void place_template(Machine *m, CompiledTemplate *c) {
    const Program *p = m->program;
    const Template *t = c->template_;
    uint32_t end = sizeof(ThreadHead);
    vec_push(c->seg_sizes, end);
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (p->objects[i]->kind == OBJECT_THREAD) place_object(m, p->objects[i], &c->seg_sizes);
    end = align_up(c->seg_sizes[0], 8);
    c->slots = slots_for(t->locals, false, &end);
    c->end_variables = end = align_up(end, 8);
    place_masks(c, &end);
    c->seg_sizes[0] = c->end_masks = align_up(end, 8);
    vec_each(const Object *, o, p->objects)
        if (o->kind == OBJECT_LOCAL && o->template_ == t->index) place_object(m, o, &c->seg_sizes);
    finish_sizes(c->seg_sizes);
}

/* ---- instructions ---- */

static uint64_t sort_bytes(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 1; }

/* Returns the object if e is a static object's address plus a constant, and adds the constant to *offset. NULL for other expressions. */
static const Object *static_address(const Expr *e, uint64_t *offset) {
    if (e->op == OP_SYMBOL && e->symbol->kind == SYM_ADDRESS) return e->symbol->user;
    if (e->op != OP_ADD || e->flags) return NULL;
    bool first = expr_is_const(e->args[0]);
    const Expr *constant = e->args[first ? 0 : 1];
    if (!expr_is_const(constant)) return NULL;
    *offset += (uint64_t)constant->value;
    return static_address(e->args[first ? 1 : 0], offset);
}

static void resolve_address(const Machine *m, CompiledInstr *c, const Instr *i) {
    uint64_t offset = 0;
    const Object *o = i->address ? static_address(i->address, &offset) : NULL;
    if (!o || o->kind == OBJECT_FUNCTION || o->kind == OBJECT_HEAP) return;
    if (m->program->pointer_width == 32) offset = (uint32_t)offset;
    if (o->kind == OBJECT_GLOBAL) {
        c->address.kind = OPERAND_CONST;
        c->address.imm = layout_address(m->layout, o, 1) + offset;
        if (m->program->pointer_width == 32) c->address.imm = (uint32_t)c->address.imm;
    }
    if (!c->bytes || offset > o->size || o->size - offset < c->bytes) return;
    c->object = o;
    c->offset = offset;
}

/* Sets `carries` and `moves`: whether the instruction passes on undefined bytes without choosing their values. */
static void compile_undefined(CompiledInstr *c, const CompiledTemplate *t, const Action *a, size_t k) {
    if (c->kind == INSTR_LOAD) c->carries = c->target.mask && t->conduit[c->instr->target->index];
    if (c->kind != INSTR_STORE && !(c->kind == INSTR_ASSIGN && c->target.mask)) return;
    const Variable *v = expr_variable(c->instr->value);
    if (!v || v->global || !t->undefined[v->index] || !undefined_moved(t, a, k)) return;
    c->moves = true;
    c->moved = t->slots[v->index];
}

static CompiledInstr compile_instr(Machine *m, const CompiledTemplate *t, const Instr *i) {
    CompiledInstr c = {.instr = i, .kind = i->kind, .visible = instr_is_visible(i, m->shared)};
    if (i->target) {
        c.has_target = true;
        c.target = i->target->global ? m->globals[i->target->index] : t->slots[i->target->index];
        if (i->target->global) c.target_bit = m->global_bits[i->target->index];
    }
    if (i->cell) {
        c.has_cell = true;
        c.cell = i->cell->global ? m->globals[i->cell->index] : t->slots[i->cell->index];
    }
    c.address = compile_operand(m, t, i->address);
    c.value = compile_operand(m, t, i->value);
    c.size = compile_operand(m, t, i->size);
    if (i->kind == INSTR_LOAD) c.bytes = sort_bytes(i->target->sort);
    if (i->kind == INSTR_STORE) c.bytes = sort_bytes(i->value->sort);
    if (i->kind == INSTR_WRITTEN) c.bytes = 4;
    if (i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK) c.bytes = 4;
    resolve_address(m, &c, i);
    return c;
}

static bool action_writes(const Action *a, const Variable *v) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].target == v || a->instrs[i].cell == v) return true;
    return false;
}

static void push_slot(Slot **slots, Slot s) {
    vec_push(*slots, s);
    if (!s.mask) return;
    Slot mask = {.offset = s.mask, .size = 2};
    vec_push(*slots, mask);
}

/* Returns the slots of locals that die with the action. By the invariant in machine.h, only a local that was live before or is written
   now can be other than 0. */
static Slot *dying_locals(const CompiledTemplate *t, const Liveness *live, const Action *a) {
    Slot *slots = NULL;
    const Template *template_ = t->template_;
    for (size_t i = 0; i < vec_len(template_->locals); i++) {
        const Variable *v = template_->locals[i];
        if (v == template_->self || live_at(live, a->target, v)) continue;
        if (live_at(live, a->source, v) || action_writes(a, v)) push_slot(&slots, t->slots[i]);
    }
    return slots;
}

/* Returns the footprint of the objects that end with a thread of t. */
static u128 ending_objects(const Machine *m, const Template *t) {
    u128 bits = 0;
    vec_each(const Object *, o, m->program->objects)
        if (o->kind == OBJECT_THREAD || (o->kind == OBJECT_LOCAL && o->template_ == t->index)) bits |= footprint_object(m, o, 0, o->size);
    return bits;
}

static void compile_template(Machine *m, CompiledTemplate *c) {
    const Template *t = c->template_;
    const Liveness *live = c->live;
    if (t->result) c->result = c->slots[t->result->index];
    if (t->argument && live_at(live, t->entry, t->argument)) c->argument = c->slots[t->argument->index];
    vec_each_at(const Action, a, t->actions) {
        CompiledAction compiled = {.action = a, .visible = action_is_visible(a, m->shared)};
        if (memory_is_buffered(m->program->memory)) compiled.weak = weak_action(m->program, t, a, m->shared);
        compiled.guard = compile_operand(m, c, a->guard);
        for (size_t k = 0; k < vec_len(a->instrs); k++) {
            vec_push(compiled.ops, compile_instr(m, c, &a->instrs[k]));
            compile_undefined(&vec_last(compiled.ops), c, a, k);
        }
        compiled.clear = dying_locals(c, live, a);
        if (t->locations[a->target].kind == LOCATION_END) compiled.kills = ending_objects(m, t);
        if (compiled.kills) compiled.visible = true;
        vec_push(c->actions, compiled);
    }
}

static bool program_copies(const Program *p) {
    program_each_instr(const Instr, i, p)
        if (i->kind == INSTR_COPY) return true;
    return false;
}

static void compile_program(Machine *m) {
    const Program *p = m->program;
    m->copies = program_copies(p);
    vec_resize(m->places, vec_len(p->objects) + 1);
    for (unsigned i = 1; i <= 16; i++) m->byte_sorts[i] = sort_bv(p->exprs, 8 * i);
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        CompiledTemplate c = {.template_ = p->templates[t], .live = live_new(p, p->templates[t])};
        vec_push(m->templates, c);
    }
    undefined_find(m);
    place_globals(m);
    footprint_assign(m);
    for (size_t t = 0; t < vec_len(p->templates); t++) place_template(m, &m->templates[t]);
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        compile_template(m, &m->templates[t]);
        live_free(m->templates[t].live);
        m->templates[t].live = NULL;
    }
    m->regs = zeroed(m->nregs + 1, sizeof *m->regs);
    m->wide = zeroed(m->nregs + 1, sizeof *m->wide);
}

/* ---- the machine ---- */

Machine *machine_new(const Program *p, MachineRules rules) {
    Machine *m = zeroed(1, sizeof *m);
    m->program = p;
    m->rules = rules;
    ensure(vec_len(p->templates) <= UINT16_MAX && !vec_len(p->procedures));
    m->layout = layout_new(p);
    m->values = values_new();
    m->skew = p->skew;
    m->granule_bits = layout_granule_bits(m->layout);
    m->pointer_bytes = p->pointer_width / 8;
    m->heap_granule = granule_of(m, layout_heap_start(m->layout));
    m->shared = program_shared_objects(p);
    vec_each(const Object *, o, p->objects) {
        if ((o->kind != OBJECT_LOCAL && o->kind != OBJECT_THREAD) || layout_max_threads(m->layout) < 2) continue;
        m->thread_stride = layout_address(m->layout, o, 2) - layout_address(m->layout, o, 1);
        break;
    }
    compile_program(m);
    return m;
}

static void free_operand(Operand *o) { vec_free(o->globals); }

static void free_template(CompiledTemplate *t) {
    vec_each_at(CompiledAction, a, t->actions) {
        for (size_t k = 0; k < vec_len(a->ops); k++) {
            free_operand(&a->ops[k].address);
            free_operand(&a->ops[k].value);
            free_operand(&a->ops[k].size);
        }
        free_operand(&a->guard);
        vec_free(a->ops);
        vec_free(a->clear);
    }
    vec_free(t->actions);
    vec_free(t->slots);
    vec_free(t->undefined);
    vec_free(t->conduit);
    vec_free(t->seg_sizes);
}

void machine_free(Machine *m) {
    if (!m) return;
    origins_free(m->origins);
    for (size_t i = 0; i < vec_len(m->templates); i++) free_template(&m->templates[i]);
    for (size_t i = 0; i < vec_len(m->generics); i++) vec_free(m->generics[i].args);
    vec_free(m->templates);
    vec_free(m->generics);
    vec_free(m->shared);
    vec_free(m->lock_sites);
    vec_free(m->globals);
    vec_free(m->places);
    vec_free(m->seg_sizes);
    vec_free(m->code);
    vec_free(m->wide_consts);
    vec_free(m->global_bits);
    vec_free(m->object_bits);
    vec_free(m->undo);
    vec_free(m->overlays);
    vec_free(m->undo_bytes);
    buf_free(&m->scratch);
    free(m->regs);
    free(m->wide);
    layout_free(m->layout);
    values_free(m->values);
    free(m);
}
