/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers LLVM's intrinsic functions, as far as clang emits them at -O0. */
#include "front/lower.h"
#include "front/messages.h"
#include "front/repair.h"
#include <string.h>

static bool starts(const char *name, const char *prefix) { return !strncmp(name, prefix, strlen(prefix)); }

static const Expr *operand(Lower *l, LLVMValueRef call, unsigned i) { return value_of(l, LLVMGetOperand(call, i)); }

/* ---- bits ---- */

static const Expr *bit(Lower *l, const Expr *e, unsigned i) { return expr_extract(l->pool, e, i, 1); }

static const Expr *count_ones(Lower *l, const Expr *e) {
    unsigned width = e->sort->width;
    const Expr *sum = expr_bv(l->pool, width, 0);
    for (unsigned i = 0; i < width; i++)
        sum = expr_2(l->pool, OP_ADD, sum, width == 1 ? bit(l, e, i) : expr_convert(l->pool, OP_ZEXT, bit(l, e, i), width));
    return sum;
}

/* Counts the zeros before the first one, from the top or from the bottom. The test that is built last decides first. */
static const Expr *count_zeros(Lower *l, const Expr *e, bool leading) {
    unsigned width = e->sort->width;
    const Expr *result = expr_bv(l->pool, width, width), *one = expr_bv(l->pool, 1, 1);
    for (unsigned i = width; i-- > 0;)
        result = expr_ite(l->pool, expr_eq(l->pool, bit(l, e, leading ? width - 1 - i : i), one), expr_bv(l->pool, width, i), result);
    return result;
}

/* True if a select may drop the result. Then an undefined result does no harm: ffs is x == 0 ? 0 : cttz(x) + 1, where the sum is always
   computed. */
static bool may_be_dropped(LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsASelectInst(user)) return true;
        if ((LLVMIsABinaryOperator(user) || LLVMIsACastInst(user)) && may_be_dropped(user)) return true;
    }
    return false;
}

static const Expr *reversed(Lower *l, const Expr *e, unsigned unit) {
    const Expr *result = NULL;
    for (unsigned i = 0; i < e->sort->width; i += unit) {
        const Expr *part = expr_extract(l->pool, e, i, unit);
        result = result ? expr_2(l->pool, OP_CONCAT, result, part) : part;
    }
    return result;
}

static const Expr *funnel(Lower *l, LLVMValueRef call, bool left) {
    const Expr *a = operand(l, call, 0), *b = operand(l, call, 1), *n = operand(l, call, 2);
    unsigned width = a->sort->width;
    if (2 * width > 128) return NULL;
    n = expr_2(l->pool, OP_UREM, n, expr_bv(l->pool, width, width));
    const Expr *both = expr_2(l->pool, OP_CONCAT, a, b);
    n = expr_convert(l->pool, OP_ZEXT, n, 2 * width);
    return left ? expr_extract(l->pool, expr_2(l->pool, OP_SHL, both, n), width, width)
                : expr_extract(l->pool, expr_2(l->pool, OP_LSHR, both, n), 0, width);
}

/* ---- arithmetic ---- */

/* True for code that clang adds to check whether arithmetic is defined. */
static bool is_check(const Lower *l, LLVMValueRef i) {
    static const char mark[] = "nosanitize";
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(l->front->module), mark, sizeof mark - 1);
    return LLVMGetMetadata(i, kind);
}

/* Returns the smaller operand, or the larger one, by the order `less`. */
static const Expr *extremum(Lower *l, LLVMValueRef call, Op less, bool largest) {
    const Expr *a = operand(l, call, 0), *b = operand(l, call, 1);
    return expr_ite(l->pool, expr_2(l->pool, less, a, b), largest ? b : a, largest ? a : b);
}

static const Expr *absolute(Lower *l, LLVMValueRef call) {
    const Expr *e = operand(l, call, 0), *zero = expr_const(l->pool, e->sort, 0);
    bool poison = expr_is_true(operand(l, call, 1));
    return expr_ite(l->pool, expr_2(l->pool, OP_SLT, e, zero), expr_2f(l->pool, OP_SUB, poison ? FLAG_NSW : 0, zero, e), e);
}

/* True if clang would compute the value itself without its checks. */
static bool is_computed(LLVMValueRef v) {
    if (LLVMIsConstant(v)) return true;
    if (LLVMIsACastInst(v) || LLVMIsAExtractValueInst(v)) return is_computed(LLVMGetOperand(v, 0));
    return LLVMIsAIntrinsicInst(v) && LLVMGetNumArgOperands(v) == 2 && is_computed(LLVMGetOperand(v, 0)) &&
           is_computed(LLVMGetOperand(v, 1));
}

/* Lowers clang's check of a sum as a sum that must not overflow. A sum that clang computes itself wraps around, except for the property
   about overflows. */
static void checked(Lower *l, LLVMValueRef call, Op op) {
    const Expr **leaves = arena_array(l->front->scratch, const Expr *, 2), *a = operand(l, call, 0), *b = operand(l, call, 1);
    bool computed = is_computed(call);
    leaves[0] = NULL;
    for (Fork f = fork_by(l, computed ? FOR_OVERFLOWS : 0); fork_next(l, &f);) {
        unsigned flags = computed && !asks(l, FOR_OVERFLOWS) ? 0 : FLAG_NSW;
        const Expr *sum = expr_2f(l->pool, op, flags, answer_questions_here(l, a), answer_questions_here(l, b));
        fork_value(l, &leaves[0], flags ? emit_hold(l, sum) : sum);
    }
    leaves[1] = expr_bool(l->pool, false);
    define(l, call, leaves);
}

/* Compares the result with that in twice the width. */
static bool with_overflow(Lower *l, LLVMValueRef call, const char *name) {
    const Expr *a = operand(l, call, 0), *b = operand(l, call, 1);
    bool is_signed = name[5] == 's';
    Op op = starts(name + 6, "add") ? OP_ADD : starts(name + 6, "sub") ? OP_SUB : OP_MUL, extend = is_signed ? OP_SEXT : OP_ZEXT;
    unsigned width = a->sort->width, wide = 2 * width;
    if (is_check(l, call)) {
        checked(l, call, op);
        return true;
    }
    if (wide > 128) return false;
    const Expr *full = expr_2(l->pool, op, expr_convert(l->pool, extend, a, wide), expr_convert(l->pool, extend, b, wide));
    const Expr **leaves = arena_array(l->front->scratch, const Expr *, 2);
    leaves[0] = expr_2(l->pool, op, a, b);
    leaves[1] = expr_not(l->pool, expr_eq(l->pool, expr_convert(l->pool, extend, leaves[0], wide), full));
    define(l, call, leaves);
    return true;
}

static bool is_float(const Expr *e) { return e->sort->width == 32 || e->sort->width == 64 || e->sort->width == 80; }

static const Expr *float_function(Lower *l, LLVMValueRef call, const char *name) {
    const Expr *a = operand(l, call, 0);
    if (a->sort->kind != SORT_BV || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind) return NULL;
    unsigned width = a->sort->width;
    const Expr *sign = expr_2(l->pool, OP_SHL, expr_bv(l->pool, width, 1), expr_bv(l->pool, width, width - 1));
    const Expr *rest = expr_2(l->pool, OP_BXOR, sign, expr_bv(l->pool, width, ~(u128)0));
    if (starts(name, "llvm.fabs.")) return expr_2(l->pool, OP_BAND, a, rest);
    if (starts(name, "llvm.copysign."))
        return expr_2(l->pool, OP_BOR, expr_2(l->pool, OP_BAND, a, rest), expr_2(l->pool, OP_BAND, operand(l, call, 1), sign));
    if (!is_float(a)) return NULL;
    if (starts(name, "llvm.fmuladd."))
        return expr_2(l->pool, OP_FADD, expr_2(l->pool, OP_FMUL, a, operand(l, call, 1)), operand(l, call, 2));
    if (starts(name, "llvm.maxnum.") || starts(name, "llvm.minnum.")) {
        const Expr *b = operand(l, call, 1);
        const Expr *less = name[6] == 'a' ? expr_2(l->pool, OP_FLT, b, a) : expr_2(l->pool, OP_FLT, a, b);
        return expr_ite(l->pool, expr_2(l->pool, OP_FUNO, b, b), a, expr_ite(l->pool, less, a, b));
    }
    return NULL;
}

/* ---- undefined behaviour ---- */

/* Lowers __builtin_assume, by which the program promises a condition. */
static void promise(Lower *l, const Expr *condition) {
    if (expr_is_true(condition)) return;
    emit_assumption(l, NULL, MSG_FRONT_BUILTIN_ASSUME);
    Cursor yes, no;
    emit_branch(l, condition, &yes, &no);
    l->cursor = no;
    if (!no.dead) end_step(l);
    l->cursor = yes;
}

/* ---- by name ---- */

/* Returns the result of an intrinsic that is an expression, or NULL. */
static const Expr *pure(Lower *l, LLVMValueRef call, const char *name) {
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind) return NULL;
    if (starts(name, "llvm.expect.") || starts(name, "llvm.launder.") || starts(name, "llvm.strip.") ||
        starts(name, "llvm.ptr.annotation") || starts(name, "llvm.annotation.") || starts(name, "llvm.threadlocal.address"))
        return operand(l, call, 0);
    if (starts(name, "llvm.ctpop.")) return count_ones(l, operand(l, call, 0));
    if (starts(name, "llvm.ctlz.") || starts(name, "llvm.cttz.")) {
        const Expr *e = operand(l, call, 0);
        bool poison = expr_is_true(operand(l, call, 1)) && !may_be_dropped(call);
        const Expr *none = expr_eq(l->pool, e, expr_const(l->pool, e->sort, 0)), *count = count_zeros(l, e, name[7] == 'l');
        if (poison && !l->frame->info->optimised) emit_stop_unless(l, expr_not(l->pool, none), MSG_FRONT_BITS_OF_ZERO);
        if (!poison || !l->frame->info->optimised) return count;
        emit_over(l, MSG_FRONT_BITS_OF_ZERO_ANY);
        return expr_ite(l->pool, none, emit_any(l, e->sort), count);
    }
    if (starts(name, "llvm.bswap.")) return reversed(l, operand(l, call, 0), 8);
    if (starts(name, "llvm.bitreverse.")) return reversed(l, operand(l, call, 0), 1);
    if (starts(name, "llvm.fshl.")) return funnel(l, call, true);
    if (starts(name, "llvm.fshr.")) return funnel(l, call, false);
    if (starts(name, "llvm.abs.")) return absolute(l, call);
    if (starts(name, "llvm.smax.")) return extremum(l, call, OP_SLT, true);
    if (starts(name, "llvm.smin.")) return extremum(l, call, OP_SLT, false);
    if (starts(name, "llvm.umax.")) return extremum(l, call, OP_ULT, true);
    if (starts(name, "llvm.umin.")) return extremum(l, call, OP_ULT, false);
    if (starts(name, "llvm.is.constant.")) return expr_bool(l->pool, expr_is_const(operand(l, call, 0)));
    if (starts(name, "llvm.ptrmask."))
        return expr_2(l->pool, OP_BAND, operand(l, call, 0), as_pointer(l->front, operand(l, call, 1), true));
    if (starts(name, "llvm.stacksave")) return pointer_const(l->front, 0); /* only stackrestore reads it */
    if (starts(name, "llvm.readcyclecounter") || starts(name, "llvm.readsteadycounter") || !strcmp(name, "llvm.x86.rdtsc")) {
        emit_over(l, MSG_FRONT_MACHINE_COUNTER);
        return emit_any(l, type_sort(l->front, LLVMTypeOf(call)));
    }
    if (starts(name, "llvm.returnaddress") || starts(name, "llvm.frameaddress")) {
        emit_over(l, MSG_FRONT_STACK_ADDRESS);
        return emit_any(l, type_sort(l->front, LLVMTypeOf(call)));
    }
    if (starts(name, "llvm.f") || starts(name, "llvm.copysign.") || starts(name, "llvm.m")) return float_function(l, call, name);
    return NULL;
}

/* Returns the size of the object where it is known, else the value that the intrinsic defines for an unknown size. */
static void object_size(Lower *l, LLVMValueRef call) {
    const Sort *sort = type_sort(l->front, LLVMTypeOf(call));
    Object *o;
    uint64_t offset;
    bool minimum = expr_is_true(operand(l, call, 1));
    u128 size = minimum ? 0 : ~(u128)0;
    if (address_split(l->front, operand(l, call, 0), &o, &offset) && o->size && offset <= o->size) size = o->size - offset;
    define_scalar(l, call, expr_const(l->pool, sort, size & (((u128)1 << sort->width) - 1)));
}

/* True for intrinsics that concern only optimisers and debuggers, and for the end of a list of arguments, which ends with its function
   anyway. The lives that optimised code marks are not used (see lives.c), so objects live longer there, not shorter. */
static bool is_nothing(const char *name) {
    static const char *const prefixes[] = {"llvm.dbg.", "llvm.lifetime.", "llvm.prefetch", "llvm.donothing", "llvm.var.annotation",
                                           "llvm.invariant.", "llvm.experimental.noalias", "llvm.va_end", "llvm.sideeffect",
                                           "llvm.pseudoprobe",
                                           /* pauses: every interleaving is explored anyway */
                                           "llvm.x86.sse2.pause", "llvm.aarch64.hint", "llvm.aarch64.isb", "llvm.arm.hint", "llvm.arm.isb"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (starts(name, prefixes[i])) return true;
    return false;
}

/* Lowers a barrier of the machine. ARM has weaker kinds of barriers, too. */
static bool is_barrier(Lower *l, LLVMValueRef call, const char *name) {
    static const char *const full[] = {"llvm.x86.sse2.mfence", "llvm.x86.serialize", "llvm.aarch64.dmb",
                                       "llvm.aarch64.dsb",     "llvm.arm.dmb",       "llvm.arm.dsb"};
    if (starts(name, "llvm.x86.sse2.lfence")) emit_fence(l, ORDER_ACQUIRE);
    else if (starts(name, "llvm.x86.sse.sfence")) emit_fence(l, ORDER_RELEASE);
    else {
        unsigned i = 0, n = sizeof full / sizeof *full;
        while (i < n && !starts(name, full[i])) i++;
        if (i == n) return false;
        uint64_t kind = i < 2 ? 0 : LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
        enum { LOADS = 1, STORES = 2 }; /* the low bits of a kind */
        emit_fence(l, i < 2 || (kind & 3) == 3 ? ORDER_SEQ_CST
                      : (kind & 3) == LOADS    ? ORDER_ACQUIRE
                      : (kind & 3) == STORES   ? ORDER_RELEASE
                                               : ORDER_SEQ_CST);
    }
    return true;
}

static bool is_overflow(const char *name) {
    static const char *const kinds[] = {"sadd", "ssub", "smul", "uadd", "usub", "umul"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (starts(name + 5, kinds[i]) && starts(name + 9, ".with.overflow.")) return true;
    return false;
}

/* Makes a variable whose declaration is in a loop a new, uninitialised one in each round. One that other threads can reach keeps its
   contents: a thread that still reads the last one has undefined behaviour, which has no other effect. */
static void declare_again(Lower *l, LLVMValueRef call) {
    LLVMValueRef place;
    DebugName ignored;
    Object *o;
    uint64_t offset;
    AllocaInfo *a = debug_local(l->front, call, &place, &ignored) ? map_find(l->frame->info->alloca_of, place) : NULL;
    if (!a || !a->static_ || !a->repeats || map_find(l->frame->bound, place)) return;
    Variable *v = a->sort ? map_find(l->frame->variables, place) : NULL;
    if (v) undefine_local(l, l->frame, v);
    else if (!a->sort && a->private_ && address_split(l->front, value_of(l, place), &o, &offset)) {
        emit_life(l, INSTR_ALIVE, o);
        clear_object(l, l->frame, o);
    }
}

enum { TRAP_DIVISION = 3, TRAP_SHIFT = 20 }; /* clang's numbers for divisions and shifts */

void lower_undefined(Lower *l, bool division) {
    const Expr *one = expr_bv(l->pool, 1, 1), *zero = expr_bv(l->pool, 1, 0);
    for (Fork f = fork_by(l, FOR_OVERFLOWS); fork_next(l, &f);) {
        if (!asks(l, FOR_OVERFLOWS)) continue;
        emit_hold(l, division ? expr_2(l->pool, OP_SDIV, one, zero) : expr_2f(l->pool, OP_ADD, FLAG_NSW, one, one));
        emit_halt(l);
    }
}

static void lower_trap(Lower *l, LLVMValueRef call, const char *name) {
    uint64_t which = starts(name, "llvm.ubsantrap") ? LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) : 0;
    if (is_check(l, call) && (which == TRAP_SHIFT || which == TRAP_DIVISION)) lower_undefined(l, which == TRAP_DIVISION);
    emit_halt(l);
}

static bool begins_with(LLVMBasicBlockRef b, const char *function) {
    LLVMValueRef call = LLVMGetFirstInstruction(b), callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return callee && !strcmp(LLVMGetValueName(callee), function);
}

/* True if the block only checks whether bits are lost. */
static bool asks_for_bits(LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) && begins_with(LLVMGetSuccessor(end, 1), UNDEFINED_SUM);
}

/* Returns the condition of a branch, without clang's checks where they are not needed.
   - clang checks a division in the same way as Heddle. The answer is yes unless clang knows it, and then there is no division.
   - clang checks whether a signed left shift is by few enough bits, and then whether it loses bits. Both matter for overflows only. */
const Expr *condition_of(Lower *l, LLVMValueRef branch) {
    const Expr *condition = value_of(l, LLVMGetCondition(branch));
    LLVMBasicBlockRef otherwise = LLVMGetSuccessor(branch, 1);
    if (!is_check(l, branch)) return condition;
    if (!LLVMIsAConstantInt(LLVMGetCondition(branch)) && begins_with(otherwise, UNDEFINED_DIVISION)) return expr_bool(l->pool, true);
    return asks_for_bits(otherwise) ? expr_and(l->pool, asked(l, FOR_OVERFLOWS), condition) : condition;
}

void lower_intrinsic(Lower *l, LLVMValueRef call, const char *name) {
    if (starts(name, "llvm.dbg.declare")) declare_again(l, call);
    if (is_nothing(name) || is_barrier(l, call, name)) return;
    if (starts(name, "llvm.memcpy.") || starts(name, "llvm.memmove.")) {
        lower_copy(l, call);
    } else if (starts(name, "llvm.memset.")) {
        lower_fill(l, call);
    } else if (starts(name, "llvm.objectsize.")) {
        object_size(l, call);
    } else if (starts(name, "llvm.trap") || starts(name, "llvm.debugtrap") || starts(name, "llvm.ubsantrap")) {
        lower_trap(l, call, name);
    } else if (starts(name, "llvm.va_start")) {
        lower_arguments_start(l, operand(l, call, 0));
    } else if (starts(name, "llvm.va_copy")) {
        lower_arguments_copy(l, operand(l, call, 0), operand(l, call, 1));
    } else if (starts(name, "llvm.stackrestore")) {
        lower_restore(l, call);
    } else if (starts(name, "llvm.assume")) {
        promise(l, operand(l, call, 0));
    } else if (!is_overflow(name) || !with_overflow(l, call, name)) {
        const Expr *e = pure(l, call, name);
        if (e) define_scalar(l, call, as_sort(l->front, e, type_sort(l->front, LLVMTypeOf(call))));
        else if (!lower_math_intrinsic(l, call, name)) emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_COMPILER_FUNCTION, name);
    }
}
