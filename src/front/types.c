/* SPDX-License-Identifier: Apache-2.0 */
/* Translates LLVM's types to sorts and leaves, and values to bytes of memory. A scalar is Bool (i1) or a bit-vector. An aggregate is the
   list of its scalars in the order of their offsets. */
#include "front/lower.h"

enum { MAX_BITS = 128, MAX_LEAVES = 4096, MAX_WIDE = 4096 };

/* A vector of truth values, the result of a comparison, has one bit for each. */
static const Sort *vector_sort(Front *f, LLVMTypeRef type) {
    const Sort *element = type_sort(f, LLVMGetElementType(type));
    if (!element || (element->kind == SORT_BV && element->width % 8)) return NULL;
    unsigned bits = type_bits(element) * LLVMGetVectorSize(type);
    return bits <= MAX_BITS ? sort_bv(f->pool, bits) : NULL;
}

const Sort *type_sort(Front *f, LLVMTypeRef type) {
    unsigned width;
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        width = LLVMGetIntTypeWidth(type);
        return width == 1 ? sort_bool(f->pool) : width <= MAX_BITS ? sort_bv(f->pool, width) : NULL;
    case LLVMPointerTypeKind: return sort_bv(f->pool, f->pointer_width);
    case LLVMFloatTypeKind: return sort_bv(f->pool, 32);
    case LLVMDoubleTypeKind: return sort_bv(f->pool, 64);
    case LLVMX86_FP80TypeKind: return sort_bv(f->pool, 80);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return sort_bv(f->pool, 16);
    case LLVMVectorTypeKind: return vector_sort(f, type);
    default: return NULL;
    }
}

uint64_t type_store_size(Front *f, LLVMTypeRef type) { return LLVMStoreSizeOfType(f->target, type); }
uint64_t type_size(Front *f, LLVMTypeRef type) { return LLVMABISizeOfType(f->target, type); }
unsigned type_bits(const Sort *sort) { return sort->kind == SORT_BOOL ? 1 : sort->width; }

bool type_is_wide(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > MAX_BITS; }

static bool collect_limbs(Front *f, unsigned width, uint64_t offset, Leaves *out) {
    if (width % 8 || width > MAX_WIDE) return false;
    for (unsigned low = 0; low < width; low += LIMB) {
        unsigned bits = width - low < LIMB ? width - low : LIMB;
        Leaf leaf = {.offset = offset + low / 8, .size = bits / 8, .sort = sort_bv(f->pool, bits)};
        vec_push(out->leaf, leaf);
    }
    return true;
}

static bool collect(Front *f, LLVMTypeRef type, uint64_t offset, Leaves *out) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        if (LLVMIsOpaqueStruct(type)) return false;
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (!collect(f, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(f->target, type, i), out)) return false;
        return true;
    }
    if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t n = LLVMGetArrayLength2(type), stride = type_size(f, element);
        for (uint64_t i = 0; i < n; i++)
            if (!collect(f, element, offset + i * stride, out)) return false;
        return true;
    }
    if (type_is_wide(type)) return collect_limbs(f, LLVMGetIntTypeWidth(type), offset, out);
    const Sort *sort = type_sort(f, type);
    if (!sort || vec_len(out->leaf) >= MAX_LEAVES) return false;
    Leaf leaf = {.offset = offset, .size = type_store_size(f, type), .sort = sort};
    vec_push(out->leaf, leaf);
    return true;
}

const Leaves *type_leaves(Front *f, LLVMTypeRef type) {
    Leaves *l = map_find(f->types, type);
    if (l) return l;
    l = arena_new_of(f->scratch, Leaves);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool sized = kind != LLVMVoidTypeKind && kind != LLVMLabelTypeKind && kind != LLVMMetadataTypeKind && kind != LLVMTokenTypeKind &&
                 kind != LLVMFunctionTypeKind;
    l->supported = !sized ? kind == LLVMVoidTypeKind : collect(f, type, 0, l);
    Leaf *list = l->leaf;
    l->n = l->supported ? (unsigned)vec_len(list) : 0;
    l->leaf = arena_copy(f->scratch, list, l->n * sizeof *list);
    vec_free(list);
    map_set(f->types, type, l);
    return l;
}

/* ---- values in memory ---- */

const Expr *as_bits(Front *f, const Expr *e) { return e->sort->kind == SORT_BOOL ? expr_1(f->pool, OP_BOOL_TO_BV, e) : e; }

static const Expr *as_width(Front *f, const Expr *e, unsigned width, bool is_signed) {
    e = as_bits(f, e);
    if (e->sort->width > width) return expr_extract(f->pool, e, 0, width);
    return expr_convert(f->pool, is_signed ? OP_SEXT : OP_ZEXT, e, width);
}

const Expr *as_sort(Front *f, const Expr *e, const Sort *sort) {
    if (e->sort == sort) return e;
    if (sort->kind != SORT_BOOL) return as_width(f, e, sort->width, false);
    return expr_eq(f->pool, expr_extract(f->pool, e, 0, 1), expr_bv(f->pool, 1, 1));
}

const Expr *as_pointer(Front *f, const Expr *e, bool is_signed) { return as_width(f, e, f->pointer_width, is_signed); }

const Expr *to_memory(Front *f, const Expr *e, uint64_t size) { return as_width(f, e, (unsigned)size * 8, false); }

const Expr *from_memory(Front *f, const Expr *raw, const Sort *sort) { return as_sort(f, raw, sort); }

/* ---- addresses ---- */

const Expr *pointer_const(Front *f, uint64_t value) { return expr_bv(f->pool, f->pointer_width, value); }

const Expr *address_add(Front *f, const Expr *address, uint64_t offset) {
    return offset ? expr_2(f->pool, OP_ADD, address, pointer_const(f, offset)) : address;
}

static bool compute_closed(Front *f, const Expr *e) {
    if (e->op == OP_SYMBOL) return e->symbol->kind == SYM_ADDRESS || is_question(e);
    for (unsigned i = 0; i < e->nargs; i++)
        if (!expr_closed(f, e->args[i])) return false;
    return e->op != OP_APPLY;
}

bool expr_closed(Front *f, const Expr *e) {
    if (e->op == OP_CONST) return true;
    if (e->op == OP_SYMBOL) return e->symbol->kind == SYM_ADDRESS || is_question(e);
    uint64_t known;
    if (map_get(f->closed, map_key(e), &known)) return known == 2;
    bool closed = compute_closed(f, e);
    map_put(f->closed, map_key(e), closed ? 2 : 1);
    return closed;
}

bool address_split(Front *f, const Expr *e, Object **object, uint64_t *offset) {
    const Expr *base = e;
    uint64_t sum = 0;
    if (e->op == OP_ADD && (expr_is_const(e->args[0]) || expr_is_const(e->args[1]))) {
        bool first = expr_is_const(e->args[0]);
        base = e->args[first ? 1 : 0];
        sum = (uint64_t)e->args[first ? 0 : 1]->value;
        if (f->pointer_width == 32) sum = (uint64_t)(int32_t)sum;
    }
    if (base->op != OP_SYMBOL || base->symbol->kind != SYM_ADDRESS) return false;
    *object = base->symbol->user;
    *offset = sum;
    return true;
}
