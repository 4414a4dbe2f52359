/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers functions with a variable number of arguments.

   clang has lowered va_arg to the code of the machine that reads a list. On x86-64 a list has two counts of used registers, the address
   of the arguments on the stack, and that of the saved registers. On i386 it is the address on the stack.

   The caller's further arguments are stored in one object, as on the stack. A list starts with all registers used up, so the code of
   va_arg reads the arguments from there in their order. */
#include "front/lower.h"
#include "front/messages.h"

enum { GENERAL_USED = 48, FLOATING_USED = 176, AREA = 8, REGISTERS = 16, ALIGNED = 16 };

static uint64_t round_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

static bool is_wide(Lower *l) { return l->front->pointer_width == 64; }

/* Returns the size of argument i on the stack, and its alignment there. */
static uint64_t place(Lower *l, LLVMValueRef call, unsigned i, uint64_t *align) {
    uint64_t slot = l->front->pointer_width / 8, size;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i)), copied = passed_by_value(call, i);
    *align = slot;
    if (copied) {
        LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, LLVMGetEnumAttributeKindForName("align", 5));
        size = type_size(l->front, copied);
        if (is_wide(l) && a && LLVMGetEnumAttributeValue(a) > slot) *align = LLVMGetEnumAttributeValue(a);
    } else {
        size = type_size(l->front, type);
        if (is_wide(l) && size > slot) *align = ALIGNED; /* long double, __int128 */
    }
    return round_up(size, slot);
}

static void store_argument(Lower *l, const Expr *at, LLVMValueRef call, unsigned i) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    LLVMTypeRef copied = passed_by_value(call, i);
    if (copied) {
        copy_object(l, at, value_of(l, argument), copied);
        return;
    }
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(argument));
    if (!type->supported) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_ARGUMENT_TYPE);
        return;
    }
    const Expr **leaves = value_leaves(l, argument);
    for (unsigned k = 0; k < type->n; k++)
        store_scalar(l, address_add(l->front, at, type->leaf[k].offset), leaves[k], type->leaf[k].size, false);
}

void list_arguments(Lower *l, Frame *f, LLVMValueRef call) {
    unsigned first = LLVMCountParams(f->info->function), n = LLVMGetNumArgOperands(call);
    uint64_t size = 0, align;
    for (unsigned i = first; i < n; i++) {
        uint64_t bytes = place(l, call, i, &align);
        size = round_up(size, align) + bytes;
    }
    f->list = program_object(l->program, OBJECT_LOCAL, "arguments", size ? size : 1);
    f->list->template_ = l->template_->index;
    f->list->align = ALIGNED;
    f->list->position = l->position;
    if (f->info->list_private) map_set(l->front->privates, f->list, f->list);
    vec_push(f->objects, f->list);
    emit(l, INSTR_ALIVE)->object = f->list;
    uint64_t at = 0;
    for (unsigned i = first; i < n && !l->cursor.dead; i++) {
        uint64_t bytes = place(l, call, i, &align);
        at = round_up(at, align);
        store_argument(l, address_add(l->front, object_address(l->program, f->list), at), call, i);
        at += bytes;
    }
}

void lower_arguments_start(Lower *l, const Expr *list) {
    const char *target = LLVMGetTarget(l->front->module);
    bool known = !*target || target[0] == 'x' || target[0] == 'i'; /* x86_64-…, i386-… */
    if (!known || !l->frame->list) {
        emit_stop(l, APPROX_UNSUPPORTED, known ? MSG_FRONT_VA_START_UNCALLED : MSG_FRONT_VA_START_MACHINE);
        return;
    }
    const Expr *area = object_address(l->program, l->frame->list);
    unsigned bytes = l->front->pointer_width / 8;
    if (!is_wide(l)) {
        store_scalar(l, list, area, bytes, false);
        return;
    }
    store_scalar(l, list, expr_bv(l->pool, 32, GENERAL_USED), 4, false);
    store_scalar(l, address_add(l->front, list, 4), expr_bv(l->pool, 32, FLOATING_USED), 4, false);
    store_scalar(l, address_add(l->front, list, AREA), area, bytes, false);
    store_scalar(l, address_add(l->front, list, REGISTERS), pointer_const(l->front, 0), bytes, false);
}

static void copy_part(Lower *l, const Expr *to, const Expr *from, unsigned offset, unsigned bytes) {
    const Expr *value = load_scalar(l, address_add(l->front, from, offset), sort_bv(l->pool, 8 * bytes), bytes, false);
    store_scalar(l, address_add(l->front, to, offset), value, bytes, false);
}

void lower_arguments_copy(Lower *l, const Expr *to, const Expr *from) {
    unsigned bytes = l->front->pointer_width / 8;
    if (is_wide(l)) {
        copy_part(l, to, from, 0, 4);
        copy_part(l, to, from, 4, 4);
        copy_part(l, to, from, REGISTERS, bytes);
    }
    copy_part(l, to, from, is_wide(l) ? AREA : 0, bytes);
}
