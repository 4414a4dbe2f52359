/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers memcpy, memmove and memset, which clang makes of calls, assignments and initialisers.

   C copies a struct field by field. So each field is a step of its own where other threads can see it, and two steps, reading and
   writing, if they can see both sides. The fields come from the type of either side.

   The bytes between fields are copied and set as well, since the library's functions do so, and compilers do where a struct is assigned.
   The step of the field before them includes them. In a union they may be a field of another member, and are steps of their own. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

enum { MAX_PIECES = 64, MAX_SHARED = 4096, MAX_CHUNK = 8 };

typedef struct Piece {
    uint64_t offset, size;
    bool padding; /* bytes of no field, which belong to the step before them */
} Piece;

static void cover(Piece **pieces, uint64_t from, uint64_t to, uint64_t chunk, bool padding) {
    while (from < to) {
        uint64_t size = chunk - from % chunk;
        if (size > to - from) size = to - from;
        Piece p = {from, size, padding && vec_len(*pieces)};
        vec_push(*pieces, p);
        from += size;
    }
}

static uint64_t at_most_chunk(uint64_t align) { return align < MAX_CHUNK ? align : MAX_CHUNK; }

static uint64_t type_align(Lower *l, LLVMTypeRef type) { return at_most_chunk(LLVMABIAlignmentOfType(l->front->target, type)); }

static uint64_t alignment(LLVMValueRef call, unsigned operand) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
    return a ? at_most_chunk(LLVMGetEnumAttributeValue(a)) : 1;
}

/* Returns the type that a pointer operand shows, if its value has `size` bytes. For a struct, several in a row or the first bytes of one
   are enough. */
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
    if (!type || !LLVMTypeIsSized(type) || !type_leaves(l->front, type)->supported) return NULL;
    uint64_t one = type_size(l->front, type);
    if (one == size) return type;
    LLVMTypeRef element = type;
    while (LLVMGetTypeKind(element) == LLVMArrayTypeKind) element = LLVMGetElementType(element);
    return LLVMGetTypeKind(element) == LLVMStructTypeKind && one && (size < one || size % one == 0) ? type : NULL;
}

/* Returns the type, such as "struct S *", that debug information gives for the variable that a pointer was read from. */
static const char *declared_type(Lower *l, LLVMValueRef pointer) {
    if (!LLVMIsALoadInst(pointer)) return NULL;
    LLVMValueRef variable = strip_alias(LLVMGetOperand(pointer, 0));
    DebugName name;
    if (LLVMIsAGlobalVariable(variable)) return debug_global(l->front, variable, &name) ? name.ctype : NULL;
    const AllocaInfo *a = LLVMIsAAllocaInst(variable) ? map_find(l->frame->info->alloca_of, variable) : NULL;
    return a ? a->ctype : NULL;
}

/* Returns the struct that such a variable points to, if it has that size and its fields need no better alignment. */
static LLVMTypeRef declared_struct(Lower *l, LLVMValueRef pointer, uint64_t size, uint64_t align) {
    const char *text = declared_type(l, pointer);
    if (!text) return NULL;
    if (!strncmp(text, "const ", 6)) text += 6;
    if (!strncmp(text, "struct ", 7)) text += 7;
    size_t n = strcspn(text, " ");
    if (strcmp(text + n, " *") != 0) return NULL;
    const char *name = arena_printf(l->front->scratch, "struct.%.*s", (int)n, text);
    LLVMTypeRef type = LLVMGetTypeByName2(l->front->context, name);
    if (!type || LLVMIsOpaqueStruct(type) || !type_leaves(l->front, type)->supported) return NULL;
    return type_size(l->front, type) == size && type_align(l, type) <= align ? type : NULL;
}

static bool same_fields(Lower *l, LLVMTypeRef a, LLVMTypeRef b) {
    const Leaves *x = type_leaves(l->front, a), *y = type_leaves(l->front, b);
    bool same = x->n == y->n;
    for (unsigned i = 0; i < x->n && same; i++) same = x->leaf[i].offset == y->leaf[i].offset && x->leaf[i].size == y->leaf[i].size;
    return same;
}

typedef struct Search {
    uint64_t size, least, most; /* least and most: bounds of its alignment */
    LLVMTypeRef found;
    bool several;
} Search;

/* Considers each struct of the wanted size in the type. */
static void consider(Lower *l, Search *s, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind) consider(l, s, LLVMGetElementType(type));
    if (kind != LLVMStructTypeKind || !LLVMTypeIsSized(type)) return;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) consider(l, s, LLVMStructGetTypeAtIndex(type, i));
    if (type_size(l->front, type) != s->size || type_align(l, type) < s->least || type_align(l, type) > s->most) return;
    if (!type_leaves(l->front, type)->supported || (s->found && !same_fields(l, s->found, type))) s->several = true;
    s->found = type;
}

/* Returns the struct for a copy through two pointers, which shows no type: all structs of the program with that size and alignment must
   have the same fields. */
static LLVMTypeRef only_type(Lower *l, uint64_t size, uint64_t least, uint64_t most, bool *several) {
    Search s = {.size = size, .least = least, .most = most};
    for (LLVMValueRef g = LLVMGetFirstGlobal(l->front->module); g; g = LLVMGetNextGlobal(g))
        if (!is_model_variable(g)) consider(l, &s, LLVMGlobalGetValueType(g));
    for (LLVMValueRef f = LLVMGetFirstFunction(l->front->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || function_info(l->front, f)->model) continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsAGetElementPtrInst(i)) consider(l, &s, LLVMGetGEPSourceElementType(i));
                if (LLVMIsAAllocaInst(i)) consider(l, &s, LLVMGetAllocatedType(i));
            }
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

/* Returns the pieces of the first `size` bytes of values of the type in a row. */
static Piece *typed_pieces(Lower *l, LLVMTypeRef type, uint64_t size) {
    const Leaves *leaves = type_leaves(l->front, type);
    bool padding = !has_union(type);
    uint64_t one = type_size(l->front, type), at = 0;
    Piece *pieces = NULL;
    for (uint64_t base = 0; base < size; base += one)
        for (unsigned i = 0; i < leaves->n; i++) {
            uint64_t offset = base + leaves->leaf[i].offset, end = offset + leaves->leaf[i].size;
            if (offset < at || offset >= size) continue;
            cover(&pieces, at, offset, MAX_CHUNK, padding);
            Piece p = {offset, (end < size ? end : size) - offset, false};
            vec_push(pieces, p);
            at = offset + p.size;
        }
    cover(&pieces, at, size, MAX_CHUNK, padding);
    return pieces;
}

/* Returns the variable whose debug information has the type of a pointer operand's target. *pointer: it is the target of the variable's
   type. */
static LLVMValueRef described(Lower *l, LLVMValueRef place, bool *pointer) {
    *pointer = LLVMIsALoadInst(place);
    if (*pointer) place = strip_alias(LLVMGetOperand(place, 0));
    if (LLVMIsAGlobalVariable(place)) return place;
    const AllocaInfo *a = LLVMIsAAllocaInst(place) ? map_find(l->frame->info->alloca_of, place) : NULL;
    return a ? a->declare : NULL;
}

static Piece *cut_pieces(Piece *pieces, const bool *cut) {
    Piece *finer = NULL;
    vec_each(Piece, p, pieces) {
        for (uint64_t at = p.offset + 1, end = p.offset + p.size; at < end; at++) {
            if (!cut[at]) continue;
            Piece before = {p.offset, at - p.offset, p.padding};
            vec_push(finer, before);
            p = (Piece){at, end - at, p.padding};
        }
        vec_push(finer, p);
    }
    vec_free(pieces);
    return finer;
}

/* Splits pieces where a field of any member of a union ends. LLVM knows only one member, but debug information knows all. */
static Piece *cut_unions(Lower *l, LLVMValueRef call, uint64_t size, unsigned sides, Piece *pieces) {
    bool *cut = NULL;
    vec_resize(cut, size + 1);
    for (unsigned k = 0; k < sides; k++) {
        bool pointer;
        LLVMValueRef variable = described(l, LLVMGetOperand(call, k), &pointer);
        if (variable) debug_fields(l->front, variable, pointer, size, cut);
    }
    pieces = cut_pieces(pieces, cut);
    vec_free(cut);
    return pieces;
}

static Piece *pieces_of_type(Lower *l, LLVMValueRef call, uint64_t size, unsigned sides, LLVMTypeRef type) {
    Piece *pieces = typed_pieces(l, type, size);
    return has_union(type) ? cut_unions(l, call, size, sides, pieces) : pieces;
}

/* Returns the pieces of a copy. Sets *unclear if the program has structs of that size with different fields: a piece may then be two
   fields. This and the alignment do not matter if the copy is hidden. */
static Piece *pieces_of(Lower *l, LLVMValueRef call, uint64_t size, unsigned sides, bool hidden, bool *unclear) {
    *unclear = false;
    LLVMTypeRef finest = NULL;
    for (unsigned k = 0; k < sides; k++) {
        LLVMTypeRef type = shown_type(l, LLVMGetOperand(call, k), size);
        if (!type) type = declared_struct(l, LLVMGetOperand(call, k), size, alignment(call, k));
        if (type && (!finest || type_leaves(l->front, type)->n > type_leaves(l->front, finest)->n)) finest = type;
    }
    /* Finest of both sides: no field is accessed together with another one */
    if (finest) return pieces_of_type(l, call, size, sides, finest);
    uint64_t chunk = alignment(call, 0);
    if (sides == 2 && alignment(call, 1) < chunk) chunk = alignment(call, 1);
    LLVMTypeRef type = only_type(l, size, hidden ? 0 : chunk, hidden ? MAX_CHUNK : chunk, unclear);
    if (!type && !*unclear) type = only_type(l, size, 0, chunk, unclear); /* it may be aligned better than its fields need */
    if (type) return pieces_of_type(l, call, size, sides, type);
    *unclear = *unclear && chunk > 1;
    Piece *pieces = NULL;
    cover(&pieces, 0, size, chunk ? chunk : 1, false);
    return pieces;
}

/* ---- copying ---- */

static void set_copy(Lower *l, Instr *i, const Expr *to, const Expr *from, uint64_t size) {
    i->address = to;
    i->value = from;
    i->size = pointer_const(l->front, size);
}

static void emit_copy(Lower *l, const Expr *to, const Expr *from, uint64_t size, bool visible) {
    set_copy(l, visible ? emit_visible(l, INSTR_COPY) : emit_private(l, INSTR_COPY), to, from, size);
}

/* Sets padding in the step of the field before it. Padding does not fault where the field did not, unless the struct is cut off there.
   With store buffers it is a step of its own, since a step that stores twice does not wait. */
static void set_padding(Lower *l, const Expr *to, const Expr *value) {
    bool along = !front_is_buffered(l->front) || address_private(l, to);
    Instr *i = along ? emit(l, INSTR_STORE) : emit_visible(l, INSTR_STORE);
    i->address = to;
    i->value = value;
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

static void copy_padding(Lower *l, const Expr *to, const Expr *from, Piece p) {
    if (front_is_buffered(l->front) && !address_private(l, to)) {
        copy_piece(l, to, from, p);
        return;
    }
    to = address_add(l->front, to, p.offset);
    from = address_add(l->front, from, p.offset);
    const Expr *known = constant_load(l->front, from, sort_bv(l->pool, (unsigned)p.size * 8), p.size);
    if (known) set_padding(l, to, known);
    else set_copy(l, emit(l, INSTR_COPY), to, from, p.size);
}

static void copy_pieces(Lower *l, const Expr *to, const Expr *from, const Piece *pieces) {
    for (size_t i = 0; i < vec_len(pieces); i++)
        if (pieces[i].padding) copy_padding(l, to, from, pieces[i]);
        else copy_piece(l, to, from, pieces[i]);
}

void copy_object(Lower *l, const Expr *to, const Expr *from, LLVMTypeRef type) {
    const Leaves *leaves = type_leaves(l->front, type);
    uint64_t size = type_size(l->front, type);
    Piece *pieces = NULL;
    if (leaves->supported) pieces = typed_pieces(l, type, size);
    else cover(&pieces, 0, size, MAX_CHUNK, false);
    copy_pieces(l, to, from, pieces);
    vec_free(pieces);
}

/* Returns each field with the padding behind it as one piece, up to the size of one access. */
static Piece *with_padding(const Piece *pieces) {
    Piece *out = NULL;
    for (size_t i = 0; i < vec_len(pieces); i++) {
        Piece *last = vec_len(out) ? &vec_last(out) : NULL;
        if (pieces[i].padding && last && last->size + pieces[i].size <= 2 * MAX_CHUNK) last->size += pieces[i].size;
        else vec_push(out, pieces[i]);
    }
    return out;
}

/* Loads a part of a struct that is passed in registers. C reads it field by field, too. */
const Expr *load_fields(Lower *l, const Expr *address, const AllocaInfo *as, uint64_t offset, uint64_t size) {
    LLVMTypeRef type = LLVMGetAllocatedType(as->value);
    Piece *all = typed_pieces(l, type, as->size), *pieces = with_padding(all);
    bool *cut = NULL;
    vec_resize(cut, as->size + 1);
    if (as->declare && has_union(type) && debug_fields(l->front, as->declare, false, as->size, cut)) pieces = cut_pieces(pieces, cut);
    vec_free(cut);
    const Expr *value = NULL;
    for (size_t i = 0; i < vec_len(pieces); i++) {
        uint64_t from = pieces[i].offset < offset ? offset : pieces[i].offset, end = pieces[i].offset + pieces[i].size;
        if (end > offset + size) end = offset + size;
        if (end <= from) continue;
        const Sort *sort = sort_bv(l->pool, (unsigned)(end - from) * 8);
        const Expr *part = load_scalar(l, address_add(l->front, address, from - offset), sort, end - from, false);
        value = value ? expr_2(l->pool, OP_CONCAT, part, value) : part;
    }
    vec_free(all);
    vec_free(pieces);
    return value;
}

/* Moves pieces between sides that may overlap: reads all before it writes any. */
static void move_pieces(Lower *l, const Expr *to, const Expr *from, const Piece *given) {
    Piece *pieces = with_padding(given);
    size_t n = vec_len(pieces);
    const Expr **values = arena_array(l->front->scratch, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        values[i] = load_scalar(l, address_add(l->front, from, pieces[i].offset), sort_bv(l->pool, (unsigned)pieces[i].size * 8),
                                pieces[i].size, false);
    for (size_t i = 0; i < n; i++) store_scalar(l, address_add(l->front, to, pieces[i].offset), values[i], pieces[i].size, false);
    vec_free(pieces);
}

/* Calls the library's function, which copies byte by byte, if the size is known only at run time or is too large to be split into
   fields. */
static void call_model(Lower *l, LLVMValueRef call, const char *name) {
    LLVMValueRef model = LLVMGetNamedFunction(l->front->module, name);
    native_answer(l, FOR_ALL, 1);
    if (model && !LLVMIsDeclaration(model)) call_function(l, call, model);
    else emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_COPY_SIZE, name);
}

/* True if the two sides certainly overlap without being equal, which is undefined for memcpy. Unknown addresses are not checked. */
static bool overlap(Lower *l, const Expr *to, const Expr *from, uint64_t n) {
    Object *a, *b;
    uint64_t i, k;
    if (!address_split(l->front, to, &a, &i) || !address_split(l->front, from, &b, &k)) return false;
    return a == b && i != k && (i < k ? k - i : i - k) < n;
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
    if (!move && overlap(l, to, from, n)) {
        end_step(l);
        l->cursor.dead = true;
        return;
    }
    if (n > MAX_SHARED) {
        if (hidden) emit_copy(l, to, from, n, false);
        else call_model(l, call, move ? "memmove" : "memcpy");
        return;
    }
    bool unclear;
    Piece *pieces = pieces_of(l, call, n, 2, hidden, &unclear);
    if (unclear && !hidden) emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_COPY_STRUCT, (unsigned long long)n);
    else if (hidden && (move || vec_len(pieces) > MAX_PIECES)) emit_copy(l, to, from, n, false);
    else if (move) move_pieces(l, to, from, pieces);
    else copy_pieces(l, to, from, pieces);
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
    if (p.size > 2 * MAX_CHUNK) {
        emit_fill(l, to, byte, p.size);
        return;
    }
    const Expr *value = byte;
    for (uint64_t i = 1; i < p.size; i++) value = expr_2(l->pool, OP_CONCAT, byte, value);
    if (p.padding) set_padding(l, to, value);
    else store_scalar(l, to, value, p.size, false);
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
        call_model(l, call, "memset");
        return;
    }
    bool unclear = false;
    Piece *pieces = n > MAX_SHARED ? NULL : pieces_of(l, call, n, 1, hidden, &unclear);
    if (unclear && !hidden) emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_FILL_STRUCT, (unsigned long long)n);
    else if (n > MAX_SHARED || (hidden && vec_len(pieces) > MAX_PIECES)) emit_fill(l, to, byte, n);
    else
        for (size_t i = 0; i < vec_len(pieces); i++) fill_piece(l, to, byte, pieces[i]);
    vec_free(pieces);
}
