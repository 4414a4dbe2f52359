/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers values of optimised code. There an operation that overflows is no fault: its result is poison, which matters only where it is
   used, and optimisers compute values that may not be used. So a value that is put into a variable is computed only if it is defined. An
   undefined one is any value, as an over-approximation: code that uses it may have undefined behaviour. */
#include "expr/defined.h"
#include "front/lower.h"
#include "front/messages.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

bool function_is_optimised(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, ON_FUNCTION, OPTIMISED_ATTRIBUTE, strlen(OPTIMISED_ATTRIBUTE)) != NULL;
}

/* Marks functions of an LLVM file that may have been optimised. A function may state that it was not, by an attribute or in its debug
   information. */
void mark_optimised(LLVMContextRef context, LLVMModuleRef module) {
    unsigned none = LLVMGetEnumAttributeKindForName("optnone", 7);
    LLVMAttributeRef mark = LLVMCreateStringAttribute(context, OPTIMISED_ATTRIBUTE, strlen(OPTIMISED_ATTRIBUTE), "", 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMMetadataRef program = LLVMGetSubprogram(f);
        char *text = program ? LLVMPrintValueToString(LLVMMetadataAsValue(context, program)) : NULL;
        bool optimised = !text || strstr(text, "DISPFlagOptimized");
        if (text) LLVMDisposeMessage(text);
        if (optimised && !LLVMGetEnumAttributeAtIndex(f, ON_FUNCTION, none)) LLVMAddAttributeAtIndex(f, ON_FUNCTION, mark);
    }
}

const Expr *hold_defined(Lower *l, const Expr *e) {
    if (!l->frame->info->optimised || !expr_may_fault(e) || l->cursor.dead) return emit_hold(l, e);
    DefinedValue m = expr_meaning(l->pool, e);
    Variable *v = emit_temporary(l, e->sort);
    Cursor yes, no;
    emit_branch(l, m.value ? m.defined : expr_bool(l->pool, false), &yes, &no);
    unsigned depth = l->cursor.depth, join = emit_location(l, LOCATION_PLAIN);
    l->cursor = yes;
    if (!yes.dead) emit_assign(l, v, m.value);
    emit_goto(l, join);
    l->cursor = no;
    if (!no.dead) {
        emit_over(l, MSG_FRONT_POISON);
        emit(l, INSTR_HAVOC)->target = v;
    }
    emit_goto(l, join);
    l->cursor = (Cursor){.location = join, .action = NONE, .depth = depth};
    return variable_expr(l->program, v);
}

/* For the property about overflows, it is undefined arithmetic (lower_undefined). */
const Expr *undefined_shift(Lower *l, const Expr *any) {
    const Expr *one = expr_bv(l->pool, 1, 1), *shifted = expr_2(l->pool, OP_SHL, one, one);
    if (any->sort->kind != SORT_BV) return any;
    if (any->sort->width > 1) shifted = expr_convert(l->pool, OP_ZEXT, shifted, any->sort->width);
    return expr_ite(l->pool, asked(l, FOR_OVERFLOWS), shifted, any);
}
