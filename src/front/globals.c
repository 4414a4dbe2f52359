/* SPDX-License-Identifier: Apache-2.0 */
/* Translates globals when they are first used. Each becomes a variable, if it is a scalar that is only loaded and stored as a whole, or
   else an object with its initial bytes and relocations. A function is an object with only an address. */
#include "front/lower.h"
#include "front/messages.h"
#include "front/module.h"
#include "ir/shape.h"
#include <string.h>

typedef struct Image {
    Front *front;
    uint8_t *bytes;
    uint64_t size;
    Relocation *relocations; /* a vec */
    bool zero, failed;
} Image;

static void write_bits(Image *m, uint64_t offset, uint64_t size, u128 bits) {
    for (uint64_t i = 0; i < size && offset + i < m->size; i++) {
        m->bytes[offset + i] = (uint8_t)(i < 16 ? bits >> (8 * i) : 0);
        m->zero &= m->bytes[offset + i] == 0;
    }
}

static void write_scalar(Image *m, LLVMValueRef c, uint64_t offset) {
    const Expr *e = NULL;
    Object *target;
    uint64_t addend;
    if (!constant_leaves(m->front, c, &e)) {
        m->failed = true;
    } else if (!e) {
        return; /* undefined: zero is one of its values, and the one that compilers emit */
    } else if (expr_is_const(e)) {
        write_bits(m, offset, type_store_size(m->front, LLVMTypeOf(c)), e->value);
    } else if (address_split(m->front, e, &target, &addend) && e->sort->width == m->front->pointer_width) {
        Relocation r = {.offset = offset, .target = target->symbol, .addend = (int64_t)addend};
        vec_push(m->relocations, r);
    } else {
        m->failed = true;
    }
}

static void write_wide(Image *m, LLVMValueRef c, uint64_t offset) {
    const Leaves *type = type_leaves(m->front, LLVMTypeOf(c));
    const Expr **limbs = arena_array(m->front->scratch, const Expr *, type->n + 1);
    m->failed |= !type->supported || !constant_leaves(m->front, c, limbs);
    for (unsigned i = 0; i < type->n && !m->failed; i++)
        if (limbs[i]) write_bits(m, offset + type->leaf[i].offset, type->leaf[i].size, limbs[i]->value);
}

static void write_string(Image *m, LLVMValueRef c, uint64_t offset) {
    size_t length = 0;
    const char *text = LLVMGetAsString(c, &length);
    for (size_t i = 0; i < length; i++) write_bits(m, offset + i, 1, (uint8_t)text[i]);
}

/* The C library's initialisers store the kind of a mutex in a field of its own, but the mutex word of the IR has it in its top bits.
   Kind 3, adaptive, is a normal mutex. */
enum { RECURSIVE = 1, CHECKED = 2, KIND_SHIFT = 28 };

static bool is_mutex(LLVMTypeRef type) {
    static const char tag[] = "struct.__pthread_mutex_s";
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    return name && !strncmp(name, tag, sizeof tag - 1);
}

static uint64_t kind_offset(const Front *f) { return f->pointer_width == 64 ? 16 : 12; }

static u128 kind_word(u128 kind) { return kind == RECURSIVE || kind == CHECKED ? kind << KIND_SHIFT : 0; }

static void write_mutex_kind(Image *m, LLVMTypeRef type, uint64_t offset) {
    uint64_t at = offset + kind_offset(m->front);
    if (!is_mutex(type) || at + 4 > m->size) return;
    unsigned kind = m->bytes[at];
    write_bits(m, at, 4, 0);
    if (kind_word(kind)) write_bits(m, offset, 4, kind_word(kind));
}

bool stores_mutex_kind(Lower *l, LLVMValueRef pointer, const Expr **address, const Expr **value) {
    if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 3) return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    if (!is_mutex(type)) return false;
    unsigned field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 2));
    if (LLVMOffsetOfElement(l->front->target, type, field) != kind_offset(l->front)) return false;
    if (!expr_is_const(*value)) emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_MUTEX_KIND);
    else *value = expr_const(l->pool, (*value)->sort, kind_word((*value)->value));
    *address = address_add(l->front, *address, -kind_offset(l->front));
    return true;
}

static void write_constant(Image *m, LLVMValueRef c, uint64_t offset) {
    Front *f = m->front;
    LLVMTypeRef type = LLVMTypeOf(c);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsAConstantAggregateZero(c) || LLVMIsUndef(c)) return;
    if (kind == LLVMArrayTypeKind && LLVMIsAConstantDataSequential(c) && LLVMIsConstantString(c)) {
        write_string(m, c, offset);
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            write_constant(m, LLVMGetAggregateElement(c, i), offset + LLVMOffsetOfElement(f->target, type, i));
        write_mutex_kind(m, type, offset);
    } else if (kind == LLVMArrayTypeKind) {
        uint64_t n = LLVMGetArrayLength2(type), stride = type_size(f, LLVMGetElementType(type));
        for (uint64_t i = 0; i < n; i++) write_constant(m, LLVMGetAggregateElement(c, (unsigned)i), offset + i * stride);
    } else if (type_is_wide(type)) {
        write_wide(m, c, offset);
    } else {
        write_scalar(m, c, offset);
    }
}

/* False if the initialiser is not a constant that is modelled. */
static bool initialise(Front *f, Object *o, LLVMValueRef initialiser) {
    Image m = {.front = f, .size = o->size, .zero = true};
    if (LLVMIsAConstantAggregateZero(initialiser)) return true;
    m.bytes = arena_alloc(f->program->arena, o->size + 1);
    write_constant(&m, initialiser, 0);
    o->bytes = m.zero ? NULL : m.bytes;
    o->nrelocations = (unsigned)vec_len(m.relocations);
    o->relocations = arena_copy(f->program->arena, m.relocations, o->nrelocations * sizeof(Relocation));
    vec_free(m.relocations);
    return !m.failed;
}

/* ---- variables and objects ---- */

/* True if a const global is written. As that is a fault, it becomes an object. */
static bool is_written_though_const(LLVMValueRef global) {
    if (!LLVMIsGlobalConstant(global)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(global); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == global) return true;
        if (LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user)) return true;
    }
    return false;
}

static bool make_variable(Front *f, LLVMValueRef global, GlobalInfo *info, const DebugName *d) {
    const Sort *sort = type_sort(f, LLVMGlobalGetValueType(global));
    if (!sort || LLVMIsThreadLocal(global) || !is_plain(f, global, sort) || is_written_though_const(global)) return false;
    LLVMValueRef c = LLVMGetInitializer(global);
    const Expr *init = NULL;
    if (c && !constant_leaves(f, c, &init)) return false;
    Object *target;
    uint64_t offset;
    if (init && !expr_is_const(init) && !address_split(f, init, &target, &offset)) return false;
    Variable *v = program_global(f->program, d->name, sort, init);
    v->is_signed = d->is_signed;
    v->ctype = d->ctype;
    v->shape = shape_special(d->shape);
    v->position = d->position;
    info->variable = v;
    if (!init) vec_push(f->foreign, v);
    return true;
}

static void make_object(Front *f, LLVMValueRef global, GlobalInfo *info, const DebugName *d) {
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t size = LLVMTypeIsSized(type) ? type_size(f, type) : 0;
    Object *o = program_object(f->program, LLVMIsThreadLocal(global) ? OBJECT_THREAD : OBJECT_GLOBAL, d->name, size);
    info->object = o;
    o->readonly = LLVMIsGlobalConstant(global);
    o->align = LLVMGetAlignment(global);
    o->mergeable = o->readonly && LLVMGetUnnamedAddress(global) != LLVMNoUnnamedAddr;
    o->ctype = d->ctype;
    o->shape = d->shape;
    o->position = d->position;
    LLVMValueRef c = LLVMGetInitializer(global);
    if (c && initialise(f, o, c)) return;
    o->readonly = false;
    f->guesses |= c != NULL;
    f->lacks |= c == NULL;
    f->writes_const |= is_written_though_const(global);
    vec_push(f->undefined, o);
}

bool is_model_variable(LLVMValueRef global) {
    const char *section = LLVMGetSection(global);
    return section && !strcmp(section, MODEL_ATTRIBUTE);
}

GlobalInfo *global_info(Front *f, LLVMValueRef global) {
    GlobalInfo *info = map_find(f->globals, global);
    if (info) return info;
    info = arena_new_of(f->scratch, GlobalInfo);
    map_set(f->globals, global, info);
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    DebugName d = {.name = length ? arena_strndup(f->scratch, name, length) : "global"};
    debug_global(f, global, &d);
    if (is_model_variable(global)) d.name = arena_printf(f->scratch, LIBRARY_PREFIX "%s", d.name);
    if (!make_variable(f, global, info, &d)) make_object(f, global, info, &d);
    return info;
}

/* ---- functions ---- */

Object *function_object(Front *f, LLVMValueRef function) {
    GlobalInfo *info = map_find(f->globals, function);
    if (info) return info->object;
    info = arena_new_of(f->scratch, GlobalInfo);
    info->object = program_object(f->program, OBJECT_FUNCTION, debug_function_name(f, function), 0);
    info->object->readonly = true;
    info->object->position = debug_function(f, function);
    map_set(f->globals, function, info);
    map_set(f->object_function, info->object, function);
    return info->object;
}

LLVMValueRef function_of(Front *f, const Expr *address) {
    Object *o;
    uint64_t offset;
    if (!address_split(f, address, &o, &offset) || offset || o->kind != OBJECT_FUNCTION) return NULL;
    return map_find(f->object_function, o);
}

/* ---- reading constant objects ---- */

static const Relocation *relocation_at(const Object *o, uint64_t offset, uint64_t size, unsigned pointer, bool *overlap) {
    *overlap = false;
    for (unsigned i = 0; i < o->nrelocations; i++) {
        const Relocation *r = &o->relocations[i];
        if (r->offset == offset && size == pointer) return r;
        if (r->offset < offset + size && offset < r->offset + pointer) *overlap = true;
    }
    return NULL;
}

const Expr *constant_load(Front *f, const Expr *address, const Sort *sort, uint64_t size) {
    Object *o;
    uint64_t offset;
    if (!address_split(f, address, &o, &offset) || !o->readonly || o->kind != OBJECT_GLOBAL) return NULL;
    if (offset > o->size || size > o->size - offset || size > 16) return NULL;
    bool overlap;
    const Relocation *r = relocation_at(o, offset, size, f->pointer_width / 8, &overlap);
    if (r) return address_add(f, expr_symbol(f->pool, r->target), (uint64_t)r->addend);
    if (overlap) return NULL;
    u128 bits = 0;
    for (uint64_t i = 0; o->bytes && i < size; i++) bits |= (u128)o->bytes[offset + i] << (8 * i);
    return from_memory(f, expr_bv(f->pool, (unsigned)size * 8, bits), sort);
}

const char *constant_string(Front *f, const Expr *address) {
    Object *o;
    uint64_t offset;
    if (!address_split(f, address, &o, &offset) || o->kind != OBJECT_GLOBAL || !o->readonly || offset >= o->size) return NULL;
    if (!o->bytes) return "";
    const char *text = (const char *)o->bytes + offset;
    if (!memchr(text, 0, o->size - offset)) return NULL;
    return arena_strndup(f->scratch, text, strnlen(text, o->size - offset));
}

Object *label_object(Front *f, LLVMBasicBlockRef block) {
    Object *o = map_find(f->labels, block);
    if (o) return o;
    const char *name = LLVMGetBasicBlockName(block);
    o = program_object(f->program, OBJECT_FUNCTION, *name ? name : "label", 0);
    o->readonly = true;
    map_set(f->labels, block, o);
    return o;
}
