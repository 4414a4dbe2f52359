/* SPDX-License-Identifier: Apache-2.0 */
/* Names heap objects, for display only. An allocation has neither name nor type, but the uses of its result have. Names come from the
   variable, member or parameter that holds it, and from the struct that is accessed through it. Uses are searched in the function that
   allocates and, if it returns the result, in its callers. */
#include "front/lower.h"
#include <ctype.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_USES = 300 };

typedef struct Search {
    Front *front;
    const char *name; /* the name of a place that it is stored to; NULL: none yet */
    bool typed;       /* whether that has a pointer type other than void * */
    DebugType type;   /* its type; type.type is NULL until one is found */
    unsigned depth, uses;
} Search;

static bool is_done(const Search *s) { return (s->name && s->type.type && !s->type.byte) || s->depth > MAX_DEPTH || s->uses > MAX_USES; }

static void note_name(Search *s, const char *name) {
    if (!s->name && name && *name) s->name = name;
}

static void note_type(Search *s, const DebugType *t) {
    if (!s->type.type || (s->type.byte && !t->byte)) s->type = *t;
}

/* Notes a variable or member that holds the pointer. The name of a void * is only the second choice: it is often the `p` of a function
   around malloc. */
static void note_holder(Search *s, const char *name, LLVMMetadataRef type) {
    DebugType t;
    bool typed = type && debug_pointee(s->front, type, &t);
    if (typed && !s->typed && name && *name) s->name = NULL;
    s->typed |= typed;
    note_name(s, name);
    if (typed) note_type(s, &t);
}

/* Returns the debug type of a struct, by its name: "struct.node" and "struct.node.7" are node. */
static LLVMMetadataRef struct_type(Search *s, LLVMTypeRef type) {
    const char *full = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    const char *name = full ? strchr(full, '.') : NULL;
    if (!name) return NULL;
    name++;
    size_t n = strlen(name), digits = n;
    while (digits && isdigit((unsigned char)name[digits - 1])) digits--;
    if (digits > 1 && digits < n && name[digits - 1] == '.') n = digits - 1;
    return debug_struct(s->front, arena_strndup(s->front->scratch, name, n));
}

static void note_struct(Search *s, LLVMTypeRef type) {
    DebugType t = {.type = struct_type(s, type)};
    if (!t.type) return;
    t.size = type_size(s->front, type);
    note_type(s, &t);
}

static void search_value(Search *s, const Frame *frame, FunctionInfo *info, LLVMValueRef v);

/* Notes the member of a struct that a pointer is stored to. */
static void search_member(Search *s, LLVMValueRef place) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(place);
    int last = LLVMGetNumOperands(place) - 1;
    LLVMValueRef index = LLVMGetOperand(place, (unsigned)last);
    LLVMMetadataRef composite = last == 2 && LLVMIsAConstantInt(index) ? struct_type(s, type) : NULL, member;
    const char *name;
    if (!composite) return;
    uint64_t offset = LLVMOffsetOfElement(s->front->target, type, (unsigned)LLVMConstIntGetZExtValue(index));
    if (debug_member(s->front, composite, offset, &name, &member)) note_holder(s, name, member);
}

static void search_place(Search *s, const Frame *frame, FunctionInfo *info, LLVMValueRef place) {
    DebugName d;
    if (LLVMIsAGetElementPtrInst(place)) search_member(s, place);
    if (LLVMIsAGlobalVariable(place) && debug_global(s->front, place, &d)) note_holder(s, d.name, d.type);
    if (!LLVMIsAAllocaInst(place)) return;
    const AllocaInfo *a = map_find(info->alloca_of, place);
    if (a && a->named) note_holder(s, a->name, a->type);
    for (LLVMUseRef u = LLVMGetFirstUse(place); u && !is_done(s); u = LLVMGetNextUse(u))
        if (LLVMIsALoadInst(LLVMGetUser(u))) search_value(s, frame, info, LLVMGetUser(u));
}

static void search_call(Search *s, LLVMValueRef call, LLVMValueRef v) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee)) return;
    FunctionInfo *info = function_info(s->front, callee);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(callee) && !info->model; i++)
        if (LLVMGetOperand(call, i) == v) search_value(s, NULL, info, LLVMGetParam(callee, i));
}

/* frame: the activation that v belongs to; NULL: some activation of the function. */
static void search_value(Search *s, const Frame *frame, FunctionInfo *info, LLVMValueRef v) {
    s->depth++;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !is_done(s); u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        s->uses++;
        if (!LLVMIsAInstruction(user)) continue;
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMStore:
            if (LLVMGetOperand(user, 0) == v) search_place(s, frame, info, LLVMGetOperand(user, 1));
            break;
        case LLVMGetElementPtr:
            if (LLVMGetOperand(user, 0) == v) note_struct(s, LLVMGetGEPSourceElementType(user));
            break;
        case LLVMCall: search_call(s, user, v); break;
        case LLVMRet:
            if (frame && frame->caller && frame->call) search_value(s, frame->caller, frame->caller->info, frame->call);
            break;
        default: break;
        }
    }
    s->depth--;
}

/* Returns the number of elements of the type in an allocation of that size; 0 if unknown. */
static uint64_t count_of(Search *s, const Expr *size) {
    const DebugType *t = &s->type;
    if (debug_ends_open(s->front, t)) return 1;
    if (!expr_is_const(size)) return 0;
    uint64_t bytes = (uint64_t)size->value;
    return bytes % t->size || bytes < t->size ? 1 : bytes / t->size;
}

/* Returns the name, with the line of the allocation if objects from several places have the same name. */
static const char *own_name(Lower *l, const char *name, const Object *own) {
    vec_each(const Object *, o, l->program->objects) {
        bool here = o->position.file == own->position.file && o->position.line == own->position.line;
        if (o != own && o->kind == OBJECT_HEAP && !strcmp(o->name, name) && !here)
            return arena_printf(l->front->scratch, "%s@%u", name, own->position.line);
    }
    return name;
}

void name_heap_object(Lower *l, LLVMValueRef call, Object *o, const Expr *size) {
    const Frame *f = l->frame;
    for (; f->info->model && f->caller && f->call; f = f->caller) call = f->call;
    Search s = {.front = l->front};
    search_value(&s, f, f->info, call);
    if (s.type.type) {
        o->shape = debug_shape(l->front, &s.type, count_of(&s, size));
        note_name(&s, debug_type_name(l->front, &s.type));
    }
    if (s.name) o->name = exprs_intern(l->pool, own_name(l, s.name, o));
}
