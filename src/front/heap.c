/* SPDX-License-Identifier: Apache-2.0 */
/* What heap objects are called. An allocation has no name and no type; what the program does with its result has: the
   variable or member that it is stored to, the struct that its members are taken of, the parameter that it is passed to, in
   the function that allocates or, where that returns it, in its callers. This is for display only. */
#include "front/lower.h"
#include <ctype.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_USES = 300 };

typedef struct Search {
    Front *front;
    const char *name; /* what it is stored to; NULL: nothing with a name so far */
    bool typed;       /* … and that points to something of a type (not to void) */
    DebugType type;   /* what it is; type.type is NULL until something says it */
    unsigned depth, uses;
} Search;

static bool is_done(const Search *s) { return (s->name && s->type.type && !s->type.byte) || s->depth > MAX_DEPTH || s->uses > MAX_USES; }

static void note_name(Search *s, const char *name) {
    if (!s->name && name && *name) s->name = name;
}

static void note_type(Search *s, const DebugType *t) {
    if (!s->type.type || (s->type.byte && !t->byte)) s->type = *t;
}

/* Something of this type holds the pointer. A name such as `p` of the void *p in a function around malloc is the second choice. */
static void note_holder(Search *s, const char *name, LLVMMetadataRef type) {
    DebugType t;
    bool typed = type && debug_pointee(s->front, type, &t);
    if (typed && !s->typed && name && *name) s->name = NULL;
    s->typed |= typed;
    note_name(s, name);
    if (typed) note_type(s, &t);
}

/* struct.node, struct.node.7: node */
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

/* The member of a struct that a pointer goes to. */
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

/* frame: the activation that v is a value of; NULL: some activation of the function. */
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

/* How many there are of the type in so many bytes; 0: any number. */
static uint64_t count_of(Search *s, const Expr *size) {
    const DebugType *t = &s->type;
    if (debug_ends_open(s->front, t)) return 1;
    if (!expr_is_const(size)) return 0;
    uint64_t bytes = (uint64_t)size->value;
    return bytes % t->size || bytes < t->size ? 1 : bytes / t->size;
}

/* Objects of one name are told apart by where they are allocated. */
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
