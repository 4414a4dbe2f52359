/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers templates, frames, blocks and edges.

   A value of LLVM is a tree of expressions over variables, built where it is defined and used later in its block. Before a variable is
   assigned, values that read it and are still needed are put into temporaries (assign_local). A value that is used in another block is
   put into one where it is defined (define). Such a temporary is never out of date: where a definition dominates a use, it was executed
   last.

   A block with a single predecessor edge continues the action of that edge. Any other block starts at a location of its own, one per
   nesting depth of atomic sections. Each block is reached from one that was lowered before, so dominators come first. */
#include "front/lower.h"
#include "front/messages.h"
#include "ir/shape.h"
#include <string.h>

enum { MAX_DEPTH = 16, MAX_THREADING = 32 };

/* ---- values ---- */

static const Expr **leaves_new(Lower *l, unsigned n) { return arena_array(l->front->scratch, const Expr *, n ? n : 1); }

const Expr **value_leaves(Lower *l, LLVMValueRef v) {
    const Expr **known = map_find(l->frame->values, v);
    if (known) return known;
    const Leaves *leaves = type_leaves(l->front, LLVMTypeOf(v));
    const Expr **out = leaves_new(l, leaves->n);
    if (LLVMIsAFunction(v) && LLVMGetLinkage(v) == LLVMExternalWeakLinkage) {
        out[0] = weak_address(l, v);
        return out;
    }
    if (LLVMIsConstant(v) && !constant_leaves(l->front, v, out)) {
        for (unsigned i = 0; i < leaves->n; i++) out[i] = expr_const(l->pool, leaves->leaf[i].sort, 0);
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_CONSTANT_KIND);
        return out;
    }
    for (unsigned i = 0; i < leaves->n; i++)
        if (!out[i]) out[i] = emit_any(l, leaves->leaf[i].sort);
    if (LLVMIsPoison(v) && leaves->n == 1) out[0] = undefined_shift(l, out[0]);
    return out;
}

const Expr *value_of(Lower *l, LLVMValueRef v) { return value_leaves(l, v)[0]; }

static bool is_stable(Lower *l, const Expr *e) {
    Variable *v = expr_variable(e);
    if (e->op == OP_ITE && is_question(e->args[0])) return is_stable(l, e->args[1]) && is_stable(l, e->args[2]);
    return (v && v->temporary && !map_find(l->front->assigned, v)) || expr_closed(l->front, e);
}

void define(Lower *l, LLVMValueRef v, const Expr **leaves) {
    if (l->cursor.dead) return;
    unsigned n = type_leaves(l->front, LLVMTypeOf(v))->n;
    ValueUse use = value_use(l->frame->info, v);
    bool open = false;
    bool unused = !use.crosses && use.last <= l->frame->index; /* a value that is never used may still fault */
    for (unsigned i = 0; i < n; i++) {
        bool looked_at = use.crosses || (unused && expr_may_fault(leaves[i]) && !l->frame->info->optimised);
        if (looked_at && !is_stable(l, leaves[i])) leaves[i] = hold_defined(l, leaves[i]);
        open |= !is_stable(l, leaves[i]);
    }
    map_set(l->frame->values, v, leaves);
    Pending p = {.value = v, .last = use.last};
    if (open && use.last > l->frame->index) vec_push(l->frame->pending, p);
}

void define_scalar(Lower *l, LLVMValueRef v, const Expr *e) {
    const Expr **leaves = leaves_new(l, 1);
    leaves[0] = e;
    define(l, v, leaves);
}

/* In callers this was done at the call, before control could branch. */
void settle_faults(Lower *l) {
    const Frame *f = l->frame;
    if (f && f->info->optimised) return; /* there, values fault where they are used */
    for (size_t i = 0; f && i < vec_len(f->pending); i++) {
        if (f->pending[i].last <= f->index) continue;
        const Expr **leaves = map_find(f->values, f->pending[i].value);
        unsigned n = type_leaves(l->front, LLVMTypeOf(f->pending[i].value))->n;
        for (unsigned k = 0; k < n; k++)
            if (!is_stable(l, leaves[k]) && expr_may_fault(leaves[k])) leaves[k] = emit_hold(l, leaves[k]);
    }
}

/* Keeps values that were read from v and are still needed, before v changes. */
static void hold_readers(Lower *l, Variable *v) {
    Pending *pending = l->frame->pending;
    for (size_t i = 0; i < vec_len(pending); i++) {
        if (pending[i].last <= l->frame->index) continue;
        const Expr **leaves = map_find(l->frame->values, pending[i].value);
        unsigned n = type_leaves(l->front, LLVMTypeOf(pending[i].value))->n;
        for (unsigned k = 0; k < n; k++)
            if (!is_stable(l, leaves[k]) && expr_mentions(leaves[k], v->symbol)) leaves[k] = hold_defined(l, leaves[k]);
    }
}

static bool starts_zero(const Lower *l, const Frame *f) { return l->front->options->zero_memory && !f->info->model; }

void clear_object(Lower *l, const Frame *f, const Object *o) {
    if (!starts_zero(l, f)) return;
    Instr *fill = emit(l, INSTR_FILL);
    fill->address = object_address(l->program, o);
    fill->value = expr_bv(l->pool, 8, 0);
    fill->size = pointer_const(l->front, o->size);
    assume_zero(l);
}

void undefine_local(Lower *l, const Frame *f, Variable *v) {
    hold_readers(l, v);
    if (starts_zero(l, f)) {
        emit_assign(l, v, expr_const(l->pool, v->sort, 0));
        assume_zero(l);
        return;
    }
    Instr *undefined = emit(l, INSTR_HAVOC);
    undefined->target = v;
    undefined->undefined = true;
}

void assign_local(Lower *l, Variable *v, const Expr *value) {
    hold_readers(l, v);
    emit_assign(l, v, value);
}

/* ---- frames ---- */

Frame *frame_new(Lower *l, FunctionInfo *info, LLVMValueRef call) {
    Frame *f = arena_new_of(l->front->scratch, Frame);
    f->caller = l->frame;
    f->info = info;
    f->call = call;
    f->lives = lives_differ(f->caller, info, call) && asks(l, FOR_MEMORY);
    f->function = info->model && f->caller ? f->caller->function : info->name;
    f->call_position = f->caller ? l->position : (Position){0};
    Activation *a = arena_new_of(l->program->arena, Activation);
    *a = (Activation){.function = info->name, .library = info->model, .from = f->call_position};
    if (f->caller) a->context = context_of_call(f->caller->activation->context, l->position.origin);
    f->activation = a;
    f->values = map_new();
    f->variables = map_new();
    f->bound = map_new();
    f->blocks = map_new();
    f->never = FOR_ALL;
    f->join = NONE;
    return f;
}

void frame_free(Frame *f) {
    map_free(f->values);
    map_free(f->variables);
    map_free(f->bound);
    map_free(f->blocks);
    vec_free(f->pending);
    vec_free(f->work);
    vec_free(f->objects);
    vec_free(f->stack);
}

static bool mentions_address(const Expr *e) {
    if (e->op == OP_SYMBOL) return e->symbol->kind == SYM_ADDRESS;
    return (e->op == OP_ADD || e->op == OP_SUB) && (mentions_address(e->args[0]) || mentions_address(e->args[1]));
}

/* True if the argument stands for the parameter itself, as the callee cannot change the caller's variables. Binding is useful where it
   keeps addresses known, and harmless where the variable is not shown to the user. */
static bool can_bind(Lower *l, const Frame *f, const AllocaInfo *a, const Expr *argument) {
    return a->parameter != NONE && (f->info->model || expr_closed(l->front, argument) || mentions_address(argument));
}

static void enter_variable(Lower *l, Frame *f, const AllocaInfo *a, const Expr ***arguments, unsigned n) {
    const Expr *argument = a->parameter < n ? arguments[a->parameter][0] : NULL;
    if (argument && argument->sort == a->sort && can_bind(l, f, a, argument)) {
        map_set(f->bound, a->value, argument);
        return;
    }
    Variable *v = template_local(l->program, l->template_, a->name, a->sort);
    v->is_signed = a->is_signed;
    v->temporary = !a->named || f->info->model;
    v->ctype = a->ctype;
    v->shape = shape_special(a->shape);
    v->position = a->position;
    map_set(f->variables, a->value, v);
    map_set(l->front->assigned, v, v);
    if (a->set_first) return;
    Position place = l->position;
    l->position.in = f->activation;
    l->position.origin = native_origin(l->front, a->value);
    undefine_local(l, f, v);
    l->position = place;
}

static void enter_object(Lower *l, Frame *f, const AllocaInfo *a) {
    Object *o = program_object(l->program, OBJECT_LOCAL, a->name, a->size);
    o->template_ = l->template_->index;
    o->align = LLVMGetAlignment(a->value);
    o->ctype = a->ctype;
    o->shape = a->shape;
    o->position = a->position;
    if (a->private_) map_set(l->front->privates, o, o);
    if (!a->life[f->lives]) vec_push(f->objects, o);
    if (!a->life[f->lives] || (a->life[f->lives] & lives_at(f, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->info->function))))) {
        emit(l, INSTR_ALIVE)->object = o;
        clear_object(l, f, o);
    }
    const Expr **address = leaves_new(l, 1);
    address[0] = object_address(l->program, o);
    map_set(f->values, a->value, address);
}

static void enter_dynamic(Lower *l, Frame *f, const AllocaInfo *a) {
    Variable *v = emit_temporary(l, sort_bv(l->pool, l->front->pointer_width));
    emit_assign(l, v, pointer_const(l->front, 0));
    map_set(f->variables, a->value, v);
    if (!a->scope) vec_push(f->stack, v);
}

void frame_enter(Lower *l, Frame *f, const Expr ***arguments, unsigned n) {
    for (unsigned i = 0; i < LLVMCountParams(f->info->function) && i < n; i++)
        map_set(f->values, LLVMGetParam(f->info->function, i), arguments[i]);
    vec_each(const AllocaInfo *, a, f->info->allocas) {
        if (a->sort) enter_variable(l, f, a, arguments, n);
        else if (a->static_ && lives_anew(f, a)) lives_enter(l, f, a);
        else if (a->static_) enter_object(l, f, a);
        else enter_dynamic(l, f, a);
    }
}

static void leave(Lower *l, Frame *f, LLVMValueRef at) {
    lives_change(l, at, NULL);
    lives_end(l, f);
}

/* ---- edges ---- */

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from) return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static const Expr **phi_leaves(Lower *l, LLVMValueRef phi) {
    const Expr **leaves = map_find(l->frame->values, phi);
    if (leaves) return leaves;
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(phi));
    leaves = leaves_new(l, type->n);
    for (unsigned i = 0; i < type->n; i++) leaves[i] = variable_expr(l->program, emit_temporary(l, type->leaf[i].sort));
    map_set(l->frame->values, phi, leaves);
    return leaves;
}

typedef struct PhiCopy {
    Variable *to;
    const Expr *value;
} PhiCopy;

static bool read_by_later(const PhiCopy *copies, size_t i) {
    for (size_t k = i + 1; k < vec_len(copies); k++)
        if (expr_mentions(copies[k].value, copies[i].to->symbol)) return true;
    return false;
}

/* Assigns all phis of a block simultaneously: a value that a later copy still reads is kept first. */
static void copy_phis(Lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    PhiCopy *copies = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMValueRef source = incoming(i, from);
        unsigned n = type_leaves(l->front, LLVMTypeOf(i))->n;
        if (!source) continue;
        const Expr **values = value_leaves(l, source), **targets = phi_leaves(l, i);
        for (unsigned k = 0; k < n; k++) {
            bool poison = l->frame->info->optimised && expr_may_fault(values[k]);
            PhiCopy c = {.to = expr_variable(targets[k]), .value = poison ? hold_defined(l, values[k]) : values[k]};
            vec_push(copies, c);
        }
    }
    for (size_t i = 0; i < vec_len(copies); i++) {
        if (read_by_later(copies, i))
            for (size_t k = i + 1; k < vec_len(copies); k++)
                if (expr_mentions(copies[k].value, copies[i].to->symbol)) copies[k].value = emit_hold(l, copies[k].value);
        emit_assign(l, copies[i].to, copies[i].value);
    }
    vec_free(copies);
}

static uint64_t block_key(LLVMBasicBlockRef block, unsigned depth) { return map_key(block) * MAX_DEPTH + depth; }

static unsigned block_location(Lower *l, LLVMBasicBlockRef block) {
    uint64_t key = block_key(block, l->cursor.depth), known;
    if (map_get(l->frame->blocks, key, &known)) return (unsigned)known;
    unsigned at = emit_location(l, LOCATION_PLAIN);
    map_put(l->frame->blocks, key, at);
    Work w = {.block = block, .cursor = {.location = at, .action = NONE, .depth = l->cursor.depth, .gone = l->frame->gone}};
    vec_push(l->frame->work, w);
    return at;
}

static void branch(Lower *l, LLVMBasicBlockRef from, const Expr *condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);

static void edge(Lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    if (l->cursor.dead) return;
    lives_change(l, LLVMGetBasicBlockTerminator(from), LLVMGetFirstInstruction(to));
    LLVMValueRef phi;
    if (l->threading < MAX_THREADING && branches_on_phi(to, &phi)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(to);
        const Expr *condition = value_of(l, incoming(phi, from));
        l->threading++;
        branch(l, to, condition, LLVMGetSuccessor(last, 0), LLVMGetSuccessor(last, 1));
        l->threading--;
        return;
    }
    copy_phis(l, from, to);
    uint64_t edges = 0;
    map_get(l->frame->info->predecessors, map_key(to), &edges);
    if (edges == 1) {
        Work w = {.block = to, .cursor = l->cursor};
        vec_push(l->frame->work, w);
        l->cursor.dead = true;
    } else {
        emit_goto(l, block_location(l, to));
    }
}

static void branch(Lower *l, LLVMBasicBlockRef from, const Expr *condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no) {
    Cursor then, otherwise;
    emit_branch(l, condition, &then, &otherwise);
    l->cursor = otherwise;
    edge(l, from, no);
    l->cursor = then;
    edge(l, from, yes);
}

/* ---- terminators ---- */

static void lower_switch(Lower *l, LLVMValueRef i, LLVMBasicBlockRef block) {
    const Expr *value = value_of(l, LLVMGetOperand(i, 0)), *other = expr_bool(l->pool, true);
    unsigned n = LLVMGetNumSuccessors(i);
    unsigned here = end_step(l), depth = l->cursor.depth;
    for (unsigned k = 1; k < n; k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
        const Expr *here_if = expr_bool(l->pool, false);
        bool repeated = false;
        for (unsigned j = 1; j < k; j++) repeated |= LLVMGetSuccessor(i, j) == to;
        for (unsigned j = k; j < n && !repeated; j++)
            if (LLVMGetSuccessor(i, j) == to)
                here_if = expr_or(l->pool, here_if, expr_eq(l->pool, value, value_of(l, LLVMGetOperand(i, 2 * j))));
        if (repeated) continue;
        other = expr_and(l->pool, other, expr_not(l->pool, here_if));
        if (to == LLVMGetSuccessor(i, 0)) continue; /* goes with the default, below */
        l->cursor = emit_guarded(l, here, here_if, depth);
        edge(l, block, to);
    }
    for (unsigned k = 1; k < n; k++)
        if (LLVMGetSuccessor(i, k) == LLVMGetSuccessor(i, 0))
            other = expr_or(l->pool, other, expr_eq(l->pool, value, value_of(l, LLVMGetOperand(i, 2 * k))));
    l->cursor = emit_guarded(l, here, other, depth);
    edge(l, block, LLVMGetSuccessor(i, 0));
}

static void lower_computed_goto(Lower *l, LLVMValueRef i, LLVMBasicBlockRef block) {
    const Expr *target = value_of(l, LLVMGetOperand(i, 0)), *other = expr_bool(l->pool, true);
    unsigned here = end_step(l), depth = l->cursor.depth;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(i); k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
        const Expr *label = object_address(l->program, label_object(l->front, to)), *there = expr_eq(l->pool, target, label);
        l->cursor = emit_guarded(l, here, expr_and(l->pool, other, there), depth);
        other = expr_and(l->pool, other, expr_not(l->pool, there));
        edge(l, block, to);
    }
    l->cursor = emit_guarded(l, here, other, depth);
    emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_COMPUTED_GOTO);
}

/* Joins several returns at one location, with their results in temporaries. */
static void return_jointly(Lower *l, Frame *f, const Expr **result, const Leaves *type) {
    if (f->join == NONE) {
        f->join = emit_location(l, LOCATION_PLAIN);
        f->result_variables = arena_array(l->front->scratch, Variable *, type->n + 1);
        f->result = leaves_new(l, type->n);
        for (unsigned i = 0; i < type->n; i++) {
            f->result_variables[i] = emit_temporary(l, type->leaf[i].sort);
            f->result[i] = variable_expr(l->program, f->result_variables[i]);
        }
    }
    for (unsigned i = 0; i < type->n; i++) emit_assign(l, f->result_variables[i], result[i]);
    f->back = (Cursor){.location = f->join, .action = NONE, .depth = l->cursor.depth};
    emit_goto(l, f->join);
}

static void lower_return(Lower *l, LLVMValueRef i) {
    Frame *f = l->frame;
    bool has_value = LLVMGetNumOperands(i) > 0;
    const Expr **result = has_value ? value_leaves(l, LLVMGetOperand(i, 0)) : NULL;
    for (unsigned k = 0; has_value && k < type_leaves(l->front, LLVMTypeOf(LLVMGetOperand(i, 0)))->n; k++)
        if (expr_may_fault(result[k])) result[k] = emit_hold(l, result[k]);
    leave(l, f, i);
    if (f->info->section) emit_section_end(l);
    if (f->returned && f->back.depth != l->cursor.depth) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_FUNCTION_SECTION);
        return;
    }
    if (f->info->returns > 1) {
        static const Leaves nothing = {.supported = true};
        return_jointly(l, f, result, has_value ? type_leaves(l->front, LLVMTypeOf(LLVMGetOperand(i, 0))) : &nothing);
    } else if (!f->returned) {
        f->result = result;
        f->back = l->cursor;
    } else {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_FUNCTION_SECTION);
    }
    f->returned = true;
    f->never &= l->cursor.gone;
    l->cursor.dead = true;
}

static bool lower_terminator(Lower *l, LLVMValueRef i, LLVMBasicBlockRef block) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
        if (!LLVMIsConditional(i)) edge(l, block, LLVMGetSuccessor(i, 0));
        else branch(l, block, condition_of(l, i), LLVMGetSuccessor(i, 0), LLVMGetSuccessor(i, 1));
        return true;
    case LLVMSwitch: lower_switch(l, i, block); return true;
    case LLVMRet: lower_return(l, i); return true;
    case LLVMUnreachable: emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_UNREACHABLE); return true;
    case LLVMIndirectBr: lower_computed_goto(l, i, block); return true;
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMResume: emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_JUMP_OUT); return true;
    default: return false;
    }
}

/* ---- blocks ---- */

static void take_line(Lower *l, LLVMValueRef i) {
    if (l->frame->info->model && l->frame->caller) {
        l->position = l->frame->call_position;
        l->position.in = l->frame->activation;
        return;
    }
    Position p = debug_position(l->front, i);
    p.in = l->frame->activation;
    if (p.file) l->position = p;
}

static void take_position(Lower *l, LLVMValueRef i) {
    take_line(l, i);
    if (!l->front->native) return;
    l->position.in = l->frame->activation;
    l->position.origin = native_origin(l->front, i);
    l->position.sequence = 0;
}

static void lower_block(Lower *l, Frame *f, LLVMBasicBlockRef block) {
    vec_clear(f->pending);
    f->index = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), before = NULL; i && !l->cursor.dead; before = i, i = LLVMGetNextInstruction(i)) {
        f->index = value_use(f->info, i).index;
        lower_work(l, 1);
        take_position(l, i);
        if (lower_too_large(l)) return;
        if (before) lives_change(l, before, i);
        if (l->front->breaks) constant_locals_guard(l, i);
        if (LLVMIsAPHINode(i)) phi_leaves(l, i);
        else if (!lower_terminator(l, i, block)) lower_instr(l, i);
    }
}

/* Lowers the function of f from the cursor on. Afterwards the cursor is where the function returns. */
void lower_body(Lower *l, Frame *f) {
    Work first = {.block = LLVMGetEntryBasicBlock(f->info->function), .cursor = l->cursor};
    Frame *caller = l->frame;
    l->frame = f;
    f->gone = l->cursor.gone;
    vec_push(f->work, first);
    while (vec_len(f->work)) {
        Work w = vec_pop(f->work);
        l->cursor = w.cursor;
        lower_block(l, f, w.block);
    }
    l->frame = caller;
    Cursor dead = {.action = NONE, .dead = true};
    l->cursor = f->returned ? f->back : dead;
    l->cursor.gone = f->gone | f->never;
}

/* ---- templates ---- */

unsigned template_of(Front *f, LLVMValueRef start) {
    uint64_t known;
    if (map_get(f->templates, map_key(start), &known)) return (unsigned)known;
    Template *t = program_template(f->program, debug_function_name(f, start), 0);
    map_put(f->templates, map_key(start), t->index);
    vec_push(f->starts, start);
    return t->index;
}

/* Assembler code outside of functions may define anything, so it is not modelled. */
static void stop_at_assembler(Lower *l) {
    size_t length;
    LLVMGetModuleInlineAsm(l->front->module, &length);
    if (length) emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_ASSEMBLER_OUTSIDE);
}

/* Lowers a thread, from the entry of its function to its end. */
static void lower_thread(Lower *l, FunctionInfo *info) {
    Frame *f = frame_new(l, info, NULL);
    l->frame = f;
    l->position.in = f->activation;
    l->returned = false;
    if (l->template_->index == 0) stop_at_assembler(l);
    if (l->template_->index == 0) run_constructors(l);
    unsigned n;
    const Expr ***arguments = l->cursor.dead ? NULL : start_arguments(l, info->function, &n);
    if (!l->cursor.dead) {
        if (info->section) emit_section_begin(l);
        frame_enter(l, f, arguments, n);
        lower_body(l, f);
    }
    l->frame = f;
    l->returned = true;
    l->position.origin = 0;
    if (!l->cursor.dead && l->template_->index == 0) end_process(l, false);
    else if (!l->cursor.dead) end_thread(l, f->result ? f->result[0] : pointer_const(l->front, 0));
    l->frame = NULL;
    frame_free(f);
}

void lower_template(Front *front, unsigned index) {
    LLVMValueRef start = front->starts[index];
    Lower l = {.front = front,
               .program = front->program,
               .pool = front->pool,
               .template_ = front->program->templates[index],
               .asked = FOR_ALL,
               .halt = NONE,
               .quit = NONE,
               .end = NONE,
               .too_large = NONE,
               .limbo = NONE,
               .position = debug_function(front, start)};
    FunctionInfo *info = function_info(front, start);
    l.template_->entry = emit_location(&l, LOCATION_PLAIN);
    l.template_->locations[l.template_->entry].function = info->name;
    l.cursor = (Cursor){.location = l.template_->entry, .action = NONE};
    for (Fork f = fork_by(&l, lives_differ(NULL, info, NULL) ? FOR_MEMORY : 0); fork_next(&l, &f);) lower_thread(&l, info);
    refuse_section_choices(&l);
    vec_free(l.waits);
}

/* Records that some initial contents are unknown, so that no UNSAFE depends on them. */
static void doubt_contents(Lower *l) {
    const Front *f = l->front;
    if (f->guesses) emit_over(l, MSG_FRONT_INIT_ANY);
    if (f->writes_const) emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_CONST_WRITTEN);
    if (f->options->undefined_pure || l->cursor.dead) return;
    if (f->lacks) emit_over(l, MSG_FRONT_UNDEFINED_ANY);
    for (size_t i = 0; i < vec_len(f->foreign); i++) emit_unknown_value(l, f->foreign[i]);
}

/* Lets objects that no file defines have any contents when main starts. */
void lower_prologue(Front *front) {
    enum { CHUNK = 8 };
    if (!vec_len(front->undefined) && !vec_len(front->foreign)) return;
    Template *t = front->program->templates[0];
    Lower l = {.front = front,
               .program = front->program,
               .pool = front->pool,
               .template_ = t,
               .asked = FOR_ALL,
               .position = t->locations[t->entry].position,
               .halt = NONE,
               .quit = NONE,
               .end = NONE,
               .too_large = NONE,
               .limbo = NONE};
    unsigned old = t->entry;
    t->entry = emit_location(&l, LOCATION_PLAIN);
    t->locations[t->entry].function = t->locations[old].function;
    l.cursor = (Cursor){.location = t->entry, .action = NONE};
    doubt_contents(&l);
    for (size_t i = 0; i < vec_len(front->undefined) && !l.cursor.dead; i++) {
        const Object *o = front->undefined[i];
        if (o->kind == OBJECT_THREAD) emit_stop(&l, APPROX_UNSUPPORTED, MSG_FRONT_THREAD_LOCAL, o->name);
        else if (!o->size) emit_stop(&l, APPROX_UNSUPPORTED, MSG_FRONT_VARIABLE_SIZE, o->name);
        for (uint64_t at = 0; at < o->size && !l.cursor.dead; at += CHUNK) {
            unsigned size = (unsigned)(o->size - at < CHUNK ? o->size - at : CHUNK);
            const Expr *value = emit_any(&l, sort_bv(l.pool, 8 * size));
            Instr *store = emit(&l, INSTR_STORE);
            store->address = address_add(front, object_address(l.program, o), at);
            store->value = value;
        }
    }
    emit_goto(&l, old);
}
