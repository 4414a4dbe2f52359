/* SPDX-License-Identifier: Apache-2.0 */
/* Instruments the LLVM module as a native program that takes the steps of a trace. The module is the one that was lowered, with the
   models of library functions in it. Calls of the runtime (native/runtime) are added at its points: around calls and accesses that other
   threads might see, and in place of the models' primitives and of inputs. The origin of a point is the number of its instruction. Its
   context is a hash of the calls that lead to it. IR that the front end makes from the instruction in that context has both (Position).
   So the runtime recognises the point that is the next step of its thread.

   Models ask questions about the program (heddle.h) whose answers depend on the context. The answers are listed during lowering. Points
   and answers that count only for some properties are marked with them (PropertySet): the runtime knows which property the trace violates.

   All functions become local to the module, and models get other names, since the runtime must call the library itself and not its
   model. */
#include "front/lower.h"
#include "native/runtime/native.h"
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Answer {
    uint64_t context;
    unsigned origin, value;
    PropertySet only; /* the properties for which it counts */
} Answer;

struct Native {
    Map *origins;        /* instruction → its number */
    LLVMValueRef *order; /* a vec: the instructions; number n is at index n-1 */
    Answer *answers;     /* a vec: the answers that are not 0 */
};

/* ---- while the module is lowered ---- */

void native_begin(Front *f) {
    Native *n = f->native = arena_new_of(f->scratch, Native);
    n->origins = map_new();
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                vec_push(n->order, i);
                map_put(n->origins, map_key(i), vec_len(n->order));
            }
}

unsigned native_origin(const Front *f, LLVMValueRef instruction) {
    uint64_t number = 0;
    if (f->native) map_get(f->native->origins, map_key(instruction), &number);
    return (unsigned)number;
}

void native_answer(Lower *l, PropertySet set, unsigned value) {
    if (!l->front->native || !value) return;
    Answer a = {
        .context = l->position.in ? l->position.in->context : 0, .origin = l->position.origin, .value = value, .only = l->asked & set};
    vec_push(l->front->native->answers, a);
}

static const char *const variants[] = {"", "__heddle_again_", "__heddle_once_", "__heddle_reads_", "__heddle_ending_"};
enum { VARIANTS = sizeof variants / sizeof *variants };

unsigned native_variant(const char *model) {
    for (unsigned i = 1; i < VARIANTS; i++)
        if (!strncmp(model, variants[i], strlen(variants[i]))) return i;
    return 0;
}

/* ---- calls of the runtime ---- */

typedef struct Module {
    Front *front;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef i1, i32, i64, pointer, nothing;
} Module;

static LLVMValueRef call(Module *m, LLVMTypeRef result, const char *name, LLVMValueRef *arguments, unsigned n) {
    LLVMTypeRef types[5];
    for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (!f) f = LLVMAddFunction(m->module, name, type);
    return LLVMBuildCall2(m->builder, type, f, arguments, n, "");
}

static LLVMValueRef number(const Module *m, uint64_t n) { return LLVMConstInt(m->i32, n, false); }

static LLVMValueRef point(const Module *m, LLVMValueRef i) { return number(m, native_origin(m->front, i)); }

static void build_before(Module *m, LLVMValueRef i) {
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
}

static bool build_after(Module *m, LLVMValueRef i) {
    LLVMValueRef next = LLVMGetNextInstruction(i);
    if (!next) return false;
    LLVMPositionBuilderBefore(m->builder, next);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
    return true;
}

static LLVMValueRef widen(Module *m, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return LLVMBuildPtrToInt(m->builder, v, m->i64, "");
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return LLVMConstInt(m->i64, 0, false);
    return LLVMGetIntTypeWidth(type) > 64 ? LLVMBuildTrunc(m->builder, v, m->i64, "") : LLVMBuildZExt(m->builder, v, m->i64, "");
}

/* Converts 64 bits to a value of the type. NULL: the type has no such values. */
static LLVMValueRef narrow(Module *m, LLVMValueRef bits, LLVMTypeRef type) {
    LLVMContextRef context = LLVMGetModuleContext(m->module);
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return LLVMBuildIntToPtr(m->builder, bits, type, "");
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) < 64   ? LLVMBuildTrunc(m->builder, bits, type, "")
               : LLVMGetIntTypeWidth(type) > 64 ? LLVMBuildZExt(m->builder, bits, type, "")
                                                : bits;
    case LLVMDoubleTypeKind: return LLVMBuildBitCast(m->builder, bits, type, "");
    case LLVMFloatTypeKind:
        return LLVMBuildBitCast(m->builder, LLVMBuildTrunc(m->builder, bits, LLVMInt32TypeInContext(context), ""), type, "");
    default: return NULL;
    }
}

/* Replaces the instruction by a call of the runtime that returns its value. */
static void serve_value(Module *m, LLVMValueRef i, const char *function) {
    LLVMTypeRef type = LLVMTypeOf(i);
    build_before(m, i);
    LLVMValueRef origin = point(m, i);
    LLVMValueRef bits = call(m, m->i64, function, &origin, 1), value = narrow(m, bits, type);
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(i, value ? value : LLVMConstNull(type));
    LLVMInstructionEraseFromParent(i);
}

/* ---- accesses ---- */

static LLVMValueRef pointer_of(LLVMValueRef i) { return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0); }

static LLVMTypeRef accessed_type(LLVMValueRef i) {
    return LLVMTypeOf(LLVMIsALoadInst(i) ? i : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : LLVMGetOperand(i, 1));
}

/* Returns true for a variable of the function that the front end does not treat as memory. */
static bool is_variable(Front *f, LLVMValueRef i, LLVMValueRef pointer) {
    if (!LLVMIsAAllocaInst(pointer)) return false;
    FunctionInfo *info = function_info(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    const AllocaInfo *a = map_find(info->alloca_of, pointer);
    return a && a->sort;
}

static bool in_model(const Module *m, LLVMValueRef i) {
    return function_info(m->front, LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)))->model;
}

/* Returns the flag of points that count for these properties only. */
static unsigned point_for(PropertySet only) { return only * POINT_FOR; }

static void watch_access(Module *m, LLVMValueRef i) {
    LLVMValueRef pointer = pointer_of(i);
    LLVMTypeRef type = accessed_type(i);
    unsigned flags = LLVMIsALoadInst(i) ? POINT_READS : LLVMIsAStoreInst(i) ? POINT_WRITES : POINT_READS | POINT_WRITES;
    if (is_variable(m->front, i, pointer)) flags |= point_for(FOR_MEMORY | FOR_OVERFLOWS); /* later uses of its value may be at fault */
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) flags |= POINT_POINTER;
    if (in_model(m, i)) flags |= POINT_LIBRARY;
    if (LLVMIsALoadInst(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingMonotonic) flags |= POINT_RELAXED;
    build_before(m, i);
    LLVMValueRef arguments[] = {point(m, i), pointer, number(m, type_store_size(m->front, type)), number(m, flags)};
    call(m, m->nothing, "__heddle_access", arguments, 4);
    if (build_after(m, i)) call(m, m->nothing, "__heddle_accessed", NULL, 0);
}

/* Instruments a compare-exchange. To make a weak one fail spuriously, it is compared with another value. */
static void watch_exchange(Module *m, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 1));
    watch_access(m, i);
    if (!LLVMGetWeak(i) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return;
    LLVMSetWeak(i, false);
    build_before(m, i);
    LLVMValueRef origin = point(m, i);
    LLVMValueRef fails = LLVMBuildTrunc(m->builder, call(m, m->i64, "__heddle_input", &origin, 1), m->i1, "");
    LLVMValueRef now = LLVMBuildLoad2(m->builder, type, LLVMGetOperand(i, 0), "");
    LLVMValueRef other = LLVMBuildXor(m->builder, now, LLVMConstInt(type, 1, false), "");
    LLVMSetOperand(i, 1, LLVMBuildSelect(m->builder, fails, other, LLVMGetOperand(i, 1), ""));
}

static bool starts(const char *name, const char *prefix) { return !strncmp(name, prefix, strlen(prefix)); }

/* Replaces a copy or fill. At run time the runtime decides whether to do it as a whole or by the library's model, as it was lowered. */
static void watch_copy(Module *m, LLVMValueRef i, const char *name) {
    bool fills = !strcmp(name, "memset");
    build_before(m, i);
    LLVMValueRef model = LLVMGetNamedFunction(m->module, name), from = LLVMGetOperand(i, 1);
    if (!model || LLVMIsDeclaration(model)) model = LLVMConstNull(m->pointer);
    LLVMValueRef arguments[] = {point(m, i), LLVMGetOperand(i, 0), fills ? widen(m, from) : from, widen(m, LLVMGetOperand(i, 2)), model};
    call(m, m->nothing, fills ? "__heddle_set" : "__heddle_move", arguments, 5);
    LLVMInstructionEraseFromParent(i);
}

/* ---- variables that are not initialised ---- */

static void watch_variable(Module *m, LLVMValueRef at, LLVMValueRef variable) {
    LLVMValueRef size = number(m, type_store_size(m->front, LLVMGetAllocatedType(variable)));
    LLVMValueRef arguments[] = {point(m, at), variable, size};
    call(m, m->nothing, "__heddle_variable", arguments, 3);
}

/* Adds calls behind the variables of a function, which come first. */
static void watch_variables(Module *m, LLVMValueRef function) {
    const FunctionInfo *info = function_info(m->front, function);
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(i)) i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMGetSubprogram(function) ? LLVMInstructionGetDebugLoc(i) : NULL);
    for (size_t k = 0; k < vec_len(info->allocas) && m->front->options->zero_memory && !info->model; k++)
        if (info->allocas[k]->static_)
            LLVMBuildStore(m->builder, LLVMConstNull(LLVMGetAllocatedType(info->allocas[k]->value)), info->allocas[k]->value);
    for (size_t k = 0; k < vec_len(info->allocas); k++)
        if (info->allocas[k]->sort && !info->allocas[k]->set_first) watch_variable(m, info->allocas[k]->value, info->allocas[k]->value);
}

static void watch_declaration(Module *m, LLVMValueRef i) {
    LLVMValueRef variable;
    DebugName ignored;
    const FunctionInfo *info = function_info(m->front, LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    const AllocaInfo *a = debug_local(m->front, i, &variable, &ignored) ? map_find(info->alloca_of, variable) : NULL;
    if (!a || !a->sort || !a->static_ || !a->repeats) return;
    build_before(m, i);
    watch_variable(m, i, variable);
}

/* ---- calls ---- */

static void watch_primitive(Module *m, LLVMValueRef i) {
    build_before(m, i);
    LLVMValueRef origin = point(m, i);
    call(m, m->nothing, "__heddle_at", &origin, 1);
}

static LLVMValueRef text(Module *m, const char *s) { return LLVMBuildGlobalStringPtr(m->builder, s, ""); }

/* Replaces a call that ends the execution, or continues it only under a condition. */
static void replace_end(Module *m, LLVMValueRef i, NativeCall kind, const char *name) {
    watch_primitive(m, i);
    LLVMValueRef argument = number(m, kind == NATIVE_QUICK);
    if (kind == NATIVE_ERROR) argument = text(m, arena_printf(m->front->scratch, "%s() is called", name));
    if (kind == NATIVE_ASSERT) argument = LLVMGetOperand(i, 0);
    if (kind == NATIVE_REQUIRE) argument = widen(m, LLVMGetOperand(i, 0));
    const char *function = kind == NATIVE_ERROR     ? "__heddle_error"
                           : kind == NATIVE_ASSERT  ? "__heddle_assert"
                           : kind == NATIVE_REQUIRE ? "__heddle_require"
                                                    : "__heddle_finish";
    if (kind == NATIVE_BEGIN || kind == NATIVE_END) {
        argument = number(m, kind == NATIVE_BEGIN);
        function = "__heddle_section";
        if (in_model(m, i)) kind = NATIVE_NOTHING;
    }
    if (kind == NATIVE_HALT) call(m, m->nothing, "__heddle_halt", NULL, 0);
    else if (kind != NATIVE_NOTHING) call(m, m->nothing, function, &argument, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
    LLVMInstructionEraseFromParent(i);
}

/* Chooses at run time among several models of a function the one that was lowered in this context. */
static void choose_variant(Module *m, LLVMValueRef i, const char *name) {
    LLVMValueRef chosen = LLVMGetCalledValue(i), origin = point(m, i), answer = NULL;
    for (unsigned k = 1; k < VARIANTS; k++) {
        LLVMValueRef f = LLVMGetNamedFunction(m->module, arena_printf(m->front->scratch, "%s%s", variants[k], name));
        if (!f) continue;
        if (!answer) answer = call(m, m->i64, "__heddle_answer", &origin, 1);
        LLVMValueRef this = LLVMBuildICmp(m->builder, LLVMIntEQ, answer, LLVMConstInt(m->i64, k, false), "");
        chosen = LLVMBuildSelect(m->builder, this, f, chosen, "");
    }
    if (answer) LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, chosen);
}

/* Returns true if the call passes arguments in memory. */
static bool passes_in_memory(LLVMValueRef i) {
    if (LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i))) return true;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
        if (passed_by_value(i, k)) return true;
    return false;
}

/* Adds an access to places that only the compiler knows, for some properties only; 0: for all. */
static void watch_hidden(Module *m, LLVMValueRef i, PropertySet only) {
    LLVMValueRef arguments[] = {point(m, i), LLVMConstNull(m->pointer), number(m, 0),
                                number(m, POINT_READS | POINT_WRITES | point_for(only))};
    call(m, m->nothing, "__heddle_access", arguments, 4);
}

static void watch_function(Module *m, LLVMValueRef i, const char *name) {
    bool section = name && function_info(m->front, strip_alias(LLVMGetCalledValue(i)))->section;
    build_before(m, i);
    LLVMValueRef origin = point(m, i);
    watch_hidden(m, i, passes_in_memory(i) ? 0 : FOR_READS); /* also reads of library functions */
    call(m, m->nothing, "__heddle_accessed", NULL, 0);
    if (name) choose_variant(m, i, name);
    LLVMValueRef outer = call(m, m->i64, "__heddle_enter", &origin, 1);
    LLVMValueRef begins = number(m, 1), over = number(m, 0);
    if (section) call(m, m->nothing, "__heddle_section", &begins, 1);
    if (!build_after(m, i)) return;
    if (section) call(m, m->nothing, "__heddle_section", &over, 1);
    call(m, m->nothing, "__heddle_leave", &outer, 1);
}

static bool is_math(const char *name) {
    static const char list[] = " sqrt floor ceil trunc round fabs fmod copysign fmax fmin "
                               "sqrtf floorf ceilf truncf roundf fabsf fmodf copysignf fmaxf fminf ";
    const char *at = strstr(list, name);
    return at && at[-1] == ' ' && at[strlen(name)] == ' ';
}

static void watch_intrinsic(Module *m, LLVMValueRef i, const char *name) {
    if (starts(name, "llvm.memcpy.")) watch_copy(m, i, "memcpy");
    else if (starts(name, "llvm.memmove.")) watch_copy(m, i, "memmove");
    else if (starts(name, "llvm.memset.")) watch_copy(m, i, "memset");
    else if (!strcmp(name, "llvm.dbg.declare")) watch_declaration(m, i);
    else if (starts(name, "llvm.va_")) {
        build_before(m, i);
        watch_hidden(m, i, 0);
        if (build_after(m, i)) call(m, m->nothing, "__heddle_accessed", NULL, 0);
    } else if (starts(name, "llvm.trap") || starts(name, "llvm.ubsantrap") || starts(name, "llvm.debugtrap")) watch_primitive(m, i);
}

static void watch_call(Module *m, LLVMValueRef i) {
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(i));
    if (LLVMIsAInlineAsm(callee)) {
        build_before(m, i);
        watch_hidden(m, i, 0);
        if (build_after(m, i)) call(m, m->nothing, "__heddle_accessed", NULL, 0);
        return;
    }
    if (!LLVMIsAFunction(callee)) {
        watch_function(m, i, NULL);
        return;
    }
    const char *name = LLVMGetValueName(callee);
    if (*name == '\1') name++;
    NativeCall kind = special_native(callee);
    if (starts(name, "llvm.")) watch_intrinsic(m, i, name);
    else if (kind == NATIVE_PRIMITIVE) {
        watch_primitive(m, i);
        if (m->front->options->zero_memory && !strcmp(name, "__heddle_alloc")) LLVMSetOperand(i, 1, LLVMConstInt(m->i1, 1, false));
    } else if (kind == NATIVE_INPUT) serve_value(m, i, "__heddle_input");
    else if (kind == NATIVE_ANSWER) serve_value(m, i, "__heddle_answer");
    else if (kind != NATIVE_USUAL) replace_end(m, i, kind, name);
    else if (!LLVMIsDeclaration(callee)) watch_function(m, i, name);
    else if (!is_math(name)) {
        build_before(m, i);
        watch_hidden(m, i, FOR_READS);
        serve_value(m, i, "__heddle_input");
    }
}

/* ---- arithmetic ---- */

/* Lets the runtime check for overflow. A division by zero raises a signal by itself. */
static void watch_arithmetic(Module *m, LLVMValueRef i) {
    LLVMOpcode o = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    bool shifts = o == LLVMShl || o == LLVMLShr || o == LLVMAShr;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return;
    if (!shifts && !LLVMGetNSW(i)) return;
    build_before(m, i);
    LLVMValueRef a = LLVMBuildSExt(m->builder, LLVMGetOperand(i, 0), m->i64, ""),
                 b = LLVMBuildSExt(m->builder, LLVMGetOperand(i, 1), m->i64, "");
    LLVMValueRef arguments[] = {number(m, shifts         ? '<'
                                          : o == LLVMAdd ? '+'
                                          : o == LLVMSub ? '-'
                                                         : '*'),
                                a, b, number(m, LLVMGetIntTypeWidth(type))};
    call(m, m->nothing, "__heddle_arithmetic", arguments, 4);
}

static void watch(Module *m, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW: watch_access(m, i); break;
    case LLVMAtomicCmpXchg: watch_exchange(m, i); break;
    case LLVMCall: watch_call(m, i); break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: watch_arithmetic(m, i); break;
    case LLVMRet: /* it may return an undefined constant */
        build_before(m, i);
        watch_hidden(m, i, FOR_OVERFLOWS);
        break;
    default: break;
    }
}

/* ---- the module as a whole ---- */

/* Makes int __heddle_main(int, char **, char **), which calls main with the parameters that main has. */
static void make_start(Module *m, LLVMValueRef entry) {
    LLVMTypeRef types[] = {m->i32, m->pointer, m->pointer}, type = LLVMFunctionType(m->i32, types, 3, false);
    LLVMValueRef f = LLVMAddFunction(m->module, "__heddle_main", type), arguments[3];
    LLVMTypeRef entry_type = LLVMGlobalGetValueType(entry), result = LLVMGetReturnType(entry_type);
    unsigned n = LLVMCountParams(entry);
    LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(LLVMGetModuleContext(m->module), f, ""));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    for (unsigned i = 0; i < n && i < 3; i++) {
        LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(entry, i));
        arguments[i] = LLVMTypeOf(LLVMGetParam(f, i)) == wanted ? LLVMGetParam(f, i) : LLVMConstNull(wanted);
    }
    LLVMValueRef value = LLVMBuildCall2(m->builder, entry_type, entry, arguments, n < 3 ? n : 3, "");
    LLVMBuildRet(m->builder, result == m->i32 ? value : number(m, 0));
}

/* Makes a function for the runtime that calls those of the given functions that are defined. */
static void make_hook(Module *m, const char *name, const LLVMValueRef *functions, size_t n) {
    LLVMTypeRef type = LLVMFunctionType(m->nothing, NULL, 0, false);
    LLVMValueRef hook = LLVMAddFunction(m->module, name, type);
    LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(LLVMGetModuleContext(m->module), hook, ""));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    for (size_t i = 0; i < n; i++)
        if (functions[i] && !LLVMIsDeclaration(functions[i]) && !LLVMCountParams(functions[i]))
            LLVMBuildCall2(m->builder, type, functions[i], NULL, 0, "");
    LLVMBuildRetVoid(m->builder);
}

static void make_model_hook(Module *m, const char *model, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(m->module, model);
    make_hook(m, name, &f, 1);
}

/* Makes hooks for constructors and destructors, which the runtime calls. */
static void make_program_hook(Module *m, bool at_end) {
    LLVMValueRef *functions = hook_functions(m->front, at_end);
    LLVMValueRef list = LLVMGetNamedGlobal(m->module, at_end ? "llvm.global_dtors" : "llvm.global_ctors");
    make_hook(m, at_end ? "__heddle_hook_destructors" : "__heddle_hook_constructors", functions, vec_len(functions));
    if (list) LLVMDeleteGlobal(list);
    vec_free(functions);
}

static void make_answers(Module *m) {
    const Answer *answers = m->front->native->answers;
    unsigned n = (unsigned)vec_len(answers);
    LLVMContextRef context = LLVMGetModuleContext(m->module);
    LLVMValueRef *words = arena_array(m->front->scratch, LLVMValueRef, 3 * n + 1);
    for (unsigned i = 0; i < n; i++) {
        words[3 * i] = LLVMConstInt(m->i64, answers[i].context, false);
        words[3 * i + 1] = LLVMConstInt(m->i64, (uint64_t)answers[i].origin << 32 | answers[i].value, false);
        words[3 * i + 2] = LLVMConstInt(m->i64, answers[i].only, false);
    }
    LLVMValueRef list = LLVMConstArray2(m->i64, words, 3 * n);
    LLVMValueRef global = LLVMAddGlobal(m->module, LLVMTypeOf(list), "__heddle_answers");
    LLVMSetInitializer(global, list);
    LLVMValueRef count = LLVMAddGlobal(m->module, m->i32, "__heddle_nanswers");
    LLVMSetInitializer(count, LLVMConstInt(LLVMInt32TypeInContext(context), n, false));
}

/* Makes functions and variables local. A variable that no file defines becomes zero: the trace has no values for its bytes. */
static void make_local(Module *m) {
    static const char word[] = "sanitize_thread";
    LLVMAttributeRef sanitized =
        LLVMCreateEnumAttribute(LLVMGetModuleContext(m->module), LLVMGetEnumAttributeKindForName(word, strlen(word)), 0);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
        if (starts(LLVMGetValueName(g), "llvm.")) continue;
        if (LLVMIsDeclaration(g) && LLVMTypeIsSized(LLVMGlobalGetValueType(g)))
            LLVMSetInitializer(g, LLVMConstNull(LLVMGlobalGetValueType(g)));
        if (!LLVMIsDeclaration(g)) LLVMSetLinkage(g, LLVMInternalLinkage);
        LLVMSetSection(g, "");
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        const char *name = LLVMGetValueName(f);
        bool model = function_info(m->front, f)->model;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        if (!model)
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, sanitized); /* for a build with ThreadSanitizer */
        const char *other = arena_printf(m->front->scratch, "%s.%s", model ? "library" : "program", name);
        LLVMSetValueName2(f, other, strlen(other));
    }
}

/* Removes models that are never called. */
static void leave_out_unused(Module *m) {
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(m->module), next; f; f = next) {
            next = LLVMGetNextFunction(f);
            bool ours = !LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMInternalLinkage;
            if (LLVMGetFirstUse(f) || (!ours && !LLVMIsDeclaration(f))) continue;
            FunctionInfo *info = map_find(m->front->functions, f);
            if (info) function_info_free(info);
            LLVMDeleteFunction(f);
            changed = true;
        }
    }
}

/* Defines functions that no file defines but whose address is taken, and which the trace never calls. */
static void define_missing(Module *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (!LLVMIsDeclaration(f) || starts(name, "__heddle_") || starts(name, "llvm.") || is_math(name)) continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(LLVMGetModuleContext(m->module), f, ""));
        LLVMSetCurrentDebugLocation2(m->builder, NULL);
        call(m, m->nothing, "__heddle_halt", NULL, 0);
        LLVMBuildUnreachable(m->builder);
    }
}

static void keep_bitcode(Loaded *to, LLVMModuleRef module) {
    LLVMMemoryBufferRef bytes = LLVMWriteBitcodeToMemoryBuffer(module);
    to->native_size = LLVMGetBufferSize(bytes);
    to->native = arena_copy(to->program->arena, LLVMGetBufferStart(bytes), to->native_size);
    LLVMDisposeMemoryBuffer(bytes);
}

void native_finish(Front *f, LLVMValueRef entry, Loaded *loaded) {
    LLVMContextRef c = f->context;
    Module m = {.front = f,
                .module = f->module,
                .builder = LLVMCreateBuilderInContext(c),
                .i1 = LLVMInt1TypeInContext(c),
                .i32 = LLVMInt32TypeInContext(c),
                .i64 = LLVMInt64TypeInContext(c),
                .pointer = LLVMPointerTypeInContext(c, 0),
                .nothing = LLVMVoidTypeInContext(c)};
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v))
        if (!LLVMIsDeclaration(v)) watch_variables(&m, v);
    for (size_t i = 0; i < vec_len(f->native->order); i++) watch(&m, f->native->order[i]);
    make_local(&m);
    make_answers(&m);
    make_start(&m, entry);
    make_model_hook(&m, "library.__heddle_at_thread_end", "__heddle_hook_thread_end");
    make_model_hook(&m, "library.__heddle_at_exit", "__heddle_hook_exit");
    make_model_hook(&m, "library.__heddle_at_quick_exit", "__heddle_hook_quick_exit");
    make_program_hook(&m, false);
    make_program_hook(&m, true);
    leave_out_unused(&m);
    define_missing(&m);
    LLVMDisposeBuilder(m.builder);
    keep_bitcode(loaded, f->module);
    map_free(f->native->origins);
    vec_free(f->native->order);
    vec_free(f->native->answers);
    f->native = NULL;
}
