/* SPDX-License-Identifier: Apache-2.0 */
/* memcpy, memmove and memset as clang makes them of assignments and initialisers. C copies a struct field by field, so
   each field is a step of its own where others can see it: a step for reading it and a step for writing it if they
   can see both sides. Fields come from the type of either side. The bytes between them have no value of their own, and are
   copied only where somebody may look: in unions, and in programs that compare memory. */
#include "front/lower.h"
#include <string.h>

enum { MAX_PIECES = 64, MAX_SHARED = 4096, MAX_CHUNK = 8 };

typedef struct Piece {
    uint64_t offset, size;
} Piece;

static void cover(Piece **pieces, uint64_t from, uint64_t to, uint64_t chunk) {
    while (from < to) {
        uint64_t size = chunk - from % chunk;
        if (size > to - from) size = to - from;
        Piece p = {from, size};
        vec_push(*pieces, p);
        from += size;
    }
}

/* The type that a pointer operand shows, if a value of it has that size. */
static LLVMTypeRef shown_type(Lower *l, LLVMValueRef pointer, uint64_t size) {
    LLVMTypeRef type = NULL;
    if (LLVMIsAAllocaInst(pointer)) type = LLVMGetAllocatedType(pointer);
    else if (LLVMIsAGlobalVariable(pointer)) type = LLVMGlobalGetValueType(pointer);
    else if (LLVMIsAGetElementPtrInst(pointer) || (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)) {
        type = LLVMGetGEPSourceElementType(pointer);
        for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            type = LLVMGetTypeKind(type) == LLVMStructTypeKind
                       ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, i)))
                       : LLVMGetElementType(type);
    }
    if (!type || !LLVMTypeIsSized(type) || type_size(l->front, type) != size) return NULL;
    return type_leaves(l->front, type)->supported ? type : NULL;
}

static bool same_fields(Lower *l, LLVMTypeRef a, LLVMTypeRef b) {
    const Leaves *x = type_leaves(l->front, a), *y = type_leaves(l->front, b);
    bool same = x->n == y->n;
    for (unsigned i = 0; i < x->n && same; i++) same = x->leaf[i].offset == y->leaf[i].offset && x->leaf[i].size == y->leaf[i].size;
    return same;
}

typedef struct Search {
    uint64_t size;
    LLVMTypeRef found;
    bool several;
} Search;

/* Is the type, or one inside it, a struct of the size looked for? */
static void consider(Lower *l, Search *s, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind) consider(l, s, LLVMGetElementType(type));
    if (kind != LLVMStructTypeKind || !LLVMTypeIsSized(type)) return;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) consider(l, s, LLVMStructGetTypeAtIndex(type, i));
    if (type_size(l->front, type) != s->size) return;
    if (!type_leaves(l->front, type)->supported || (s->found && !same_fields(l, s->found, type))) s->several = true;
    s->found = type;
}

/* A copy through two pointers shows no type: it is a struct that the program has elsewhere, if all of those with that size
   have the same fields. */
static LLVMTypeRef only_type(Lower *l, uint64_t size, bool *several) {
    Search s = {.size = size};
    for (LLVMValueRef g = LLVMGetFirstGlobal(l->front->module); g; g = LLVMGetNextGlobal(g)) consider(l, &s, LLVMGlobalGetValueType(g));
    for (LLVMValueRef f = LLVMGetFirstFunction(l->front->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsAGetElementPtrInst(i)) consider(l, &s, LLVMGetGEPSourceElementType(i));
                if (LLVMIsAAllocaInst(i)) consider(l, &s, LLVMGetAllocatedType(i));
            }
    *several = s.several;
    return s.several ? NULL : s.found;
}

static bool has_union(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind) return has_union(LLVMGetElementType(type));
    if (kind != LLVMStructTypeKind) return false;
    const char *name = LLVMGetStructName(type);
    bool found = !name || !strncmp(name, "union.", 6);
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && !found; i++) found = has_union(LLVMStructGetTypeAtIndex(type, i));
    return found;
}

static bool padding_matters(Lower *l, LLVMTypeRef type) {
    return has_union(type) || program_uses(l->front, "memcmp") || program_uses(l->front, "bcmp");
}

static Piece *typed_pieces(Lower *l, LLVMTypeRef type, uint64_t size) {
    const Leaves *leaves = type_leaves(l->front, type);
    bool padding = padding_matters(l, type);
    Piece *pieces = NULL;
    uint64_t at = 0;
    for (unsigned i = 0; i < leaves->n; i++) {
        const Leaf *leaf = &leaves->leaf[i];
        if (leaf->offset < at) continue;
        if (padding) cover(&pieces, at, leaf->offset, MAX_CHUNK);
        Piece p = {leaf->offset, leaf->size};
        vec_push(pieces, p);
        at = leaf->offset + leaf->size;
    }
    if (padding) cover(&pieces, at, size, MAX_CHUNK);
    return pieces;
}

static uint64_t alignment(LLVMValueRef call, unsigned operand) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
    uint64_t align = a ? LLVMGetEnumAttributeValue(a) : 1;
    return align < MAX_CHUNK ? align : MAX_CHUNK;
}

/* *unclear: the program has several structs of that size with different fields, and it cannot be told which this is: a
   piece may be two fields. */
static Piece *pieces_of(Lower *l, LLVMValueRef call, uint64_t size, unsigned sides, bool *unclear) {
    *unclear = false;
    for (unsigned k = 0; k < sides; k++) {
        LLVMTypeRef type = shown_type(l, LLVMGetOperand(call, k), size);
        if (type) return typed_pieces(l, type, size);
    }
    LLVMTypeRef type = only_type(l, size, unclear);
    if (type) return typed_pieces(l, type, size);
    uint64_t chunk = alignment(call, 0);
    if (sides == 2 && alignment(call, 1) < chunk) chunk = alignment(call, 1);
    *unclear = *unclear && chunk > 1;
    Piece *pieces = NULL;
    cover(&pieces, 0, size, chunk ? chunk : 1);
    return pieces;
}

/* ---- copying ---- */

static void emit_copy(Lower *l, const Expr *to, const Expr *from, uint64_t size, bool visible) {
    Instr *i = visible ? emit_visible(l, INSTR_COPY) : emit_private(l, INSTR_COPY);
    i->address = to;
    i->value = from;
    i->size = pointer_const(l->front, size);
}

static void copy_piece(Lower *l, const Expr *to, const Expr *from, Piece p) {
    to = address_add(l->front, to, p.offset);
    from = address_add(l->front, from, p.offset);
    bool to_private = address_private(l, to), from_private = address_private(l, from);
    const Expr *known = p.size <= MAX_CHUNK ? constant_load(l->front, from, sort_bv(l->pool, (unsigned)p.size * 8), p.size) : NULL;
    if (known) {
        store_scalar(l, to, known, p.size, false);
    } else if (to_private || from_private || p.size > 2 * MAX_CHUNK) {
        emit_copy(l, to, from, p.size, !to_private || !from_private);
    } else {
        const Expr *value = load_scalar(l, from, sort_bv(l->pool, (unsigned)p.size * 8), p.size, false);
        store_scalar(l, to, value, p.size, false);
    }
}

void copy_object(Lower *l, const Expr *to, const Expr *from, LLVMTypeRef type) {
    const Leaves *leaves = type_leaves(l->front, type);
    uint64_t size = type_size(l->front, type);
    Piece *pieces = NULL;
    if (leaves->supported) pieces = typed_pieces(l, type, size);
    else cover(&pieces, 0, size, MAX_CHUNK);
    for (size_t i = 0; i < vec_len(pieces); i++) copy_piece(l, to, from, pieces[i]);
    vec_free(pieces);
}

/* The two sides may overlap: all is read before anything is written. */
static void move_pieces(Lower *l, const Expr *to, const Expr *from, const Piece *pieces) {
    size_t n = vec_len(pieces);
    const Expr **values = arena_array(l->front->scratch, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        values[i] = load_scalar(l, address_add(l->front, from, pieces[i].offset), sort_bv(l->pool, (unsigned)pieces[i].size * 8),
                                pieces[i].size, false);
    for (size_t i = 0; i < n; i++) store_scalar(l, address_add(l->front, to, pieces[i].offset), values[i], pieces[i].size, false);
}

/* Of a size known at run time only: the library's function does it. */
static void call_model(Lower *l, LLVMValueRef call, const char *name) {
    LLVMValueRef model = LLVMGetNamedFunction(l->front->module, name);
    if (model && !LLVMIsDeclaration(model)) call_function(l, call, model);
    else emit_stop(l, APPROX_UNSUPPORTED, "%s of a size that is not constant", name);
}

void lower_copy(Lower *l, LLVMValueRef call) {
    const Expr *to = value_of(l, LLVMGetOperand(call, 0)), *from = value_of(l, LLVMGetOperand(call, 1));
    const Expr *size = value_of(l, LLVMGetOperand(call, 2));
    bool move = strstr(LLVMGetValueName(LLVMGetCalledValue(call)), "memmove") != NULL;
    if (!expr_is_const(size)) {
        call_model(l, call, move ? "memmove" : "memcpy");
        return;
    }
    uint64_t n = (uint64_t)size->value;
    bool hidden = address_private(l, to) && address_private(l, from);
    if (n > MAX_SHARED) {
        if (hidden) emit_copy(l, to, from, n, false);
        else emit_stop(l, APPROX_UNSUPPORTED, "a copy of %llu bytes of shared memory", (unsigned long long)n);
        return;
    }
    bool unclear;
    Piece *pieces = pieces_of(l, call, n, 2, &unclear);
    if (unclear && !hidden) emit_stop(l, APPROX_UNSUPPORTED, "a copy of a struct of %llu bytes whose fields are not known", (unsigned long long)n);
    else if (hidden && (move || vec_len(pieces) > MAX_PIECES)) emit_copy(l, to, from, n, false);
    else if (move) move_pieces(l, to, from, pieces);
    else
        for (size_t i = 0; i < vec_len(pieces); i++) copy_piece(l, to, from, pieces[i]);
    vec_free(pieces);
}

/* ---- filling ---- */

static void emit_fill(Lower *l, const Expr *to, const Expr *byte, uint64_t size) {
    Instr *i = address_private(l, to) ? emit_private(l, INSTR_FILL) : emit_visible(l, INSTR_FILL);
    i->address = to;
    i->value = byte;
    i->size = pointer_const(l->front, size);
}

static void fill_piece(Lower *l, const Expr *to, const Expr *byte, Piece p) {
    to = address_add(l->front, to, p.offset);
    if (p.size > 2 * MAX_CHUNK || !expr_is_const(byte)) {
        emit_fill(l, to, byte, p.size);
        return;
    }
    u128 bits = 0;
    for (uint64_t i = 0; i < p.size; i++) bits |= byte->value << (8 * i);
    store_scalar(l, to, expr_bv(l->pool, (unsigned)p.size * 8, bits), p.size, false);
}

void lower_fill(Lower *l, LLVMValueRef call) {
    const Expr *to = value_of(l, LLVMGetOperand(call, 0)), *byte = value_of(l, LLVMGetOperand(call, 1));
    const Expr *size = value_of(l, LLVMGetOperand(call, 2));
    if (!expr_is_const(size)) {
        call_model(l, call, "memset");
        return;
    }
    uint64_t n = (uint64_t)size->value;
    bool hidden = address_private(l, to);
    if (n > MAX_SHARED && !hidden) {
        emit_stop(l, APPROX_UNSUPPORTED, "filling %llu bytes of shared memory", (unsigned long long)n);
        return;
    }
    bool unclear = false;
    Piece *pieces = n > MAX_SHARED ? NULL : pieces_of(l, call, n, 1, &unclear);
    if (unclear && !hidden) emit_stop(l, APPROX_UNSUPPORTED, "filling a struct of %llu bytes whose fields are not known", (unsigned long long)n);
    else if (n > MAX_SHARED || (hidden && vec_len(pieces) > MAX_PIECES)) emit_fill(l, to, byte, n);
    else
        for (size_t i = 0; i < vec_len(pieces); i++) fill_piece(l, to, byte, pieces[i]);
    vec_free(pieces);
}
