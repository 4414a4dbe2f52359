/* SPDX-License-Identifier: Apache-2.0 */
/* Reads debug information: the program's own names, types and positions.

   The C API has no accessors for most of it, so nodes are read as generic metadata, by operand number:

     blocks  file scope     variables  scope name file type …     derived types  file scope name base …
     composite types  file scope name base elements …     basic types  - - name     subroutine types  - - - types */
#include "base/messages.h"
#include "front/lower.h"
#include <llvm-c/DebugInfo.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TAG_ARRAY = 0x01,
    TAG_ENUM = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_STRUCT = 0x13,
    TAG_SUBROUTINE = 0x15,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_ATOMIC = 0x47
};
enum { OPERAND_OUTER = 1, OPERAND_NAME = 1, OPERAND_TYPE = 3, OPERAND_BASE = 3, OPERAND_ELEMENTS = 4 };
enum { MAX_NESTING = 12, MAX_MEMBERS = 2000, MAX_SHAPE = 40000 };

static LLVMValueRef operand(Front *f, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef v = LLVMMetadataAsValue(f->context, node), few[64];
    unsigned n = LLVMGetMDNodeNumOperands(v);
    if (index >= n) return NULL;
    LLVMValueRef *ops = n > 64 ? calloc(n, sizeof *ops) : few;
    if (!ops) out_of_resources(MSG_BASE_NO_MEMORY);
    LLVMGetMDNodeOperands(v, ops);
    LLVMValueRef found = ops[index];
    if (ops != few) free(ops);
    return found;
}

static LLVMMetadataRef node_operand(Front *f, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef v = operand(f, node, index);
    return v ? LLVMValueAsMetadata(v) : NULL;
}

static const char *text_operand(Front *f, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef v = operand(f, node, index);
    unsigned length = 0;
    const char *text = v ? LLVMGetMDString(v, &length) : NULL;
    return text && length ? arena_strndup(f->scratch, text, length) : NULL;
}

/* ---- positions ---- */

/* Returns a name relative to the present directory. clang writes names relative to where it ran, or to a directory with a shorter path. */
static const char *file_name(Front *f, LLVMMetadataRef file) {
    if (!file) return NULL;
    const char *known = map_find(f->files, file);
    if (known) return known;
    unsigned length = 0, n = 0;
    const char *text = LLVMDIFileGetFilename(file, &length), *directory = LLVMDIFileGetDirectory(file, &n);
    char here[PATH_MAX];
    bool near = (length && *text == '/') || n == 0 || (getcwd(here, sizeof here) && strlen(here) == n && !memcmp(here, directory, n));
    known = near ? arena_strndup(f->scratch, text, length) : arena_printf(f->scratch, "%.*s/%.*s", (int)n, directory, (int)length, text);
    known = exprs_intern(f->pool, known);
    map_set(f->files, file, known);
    return known;
}

Position debug_position(Front *f, LLVMValueRef instruction) {
    Position p = {0};
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    if (!at || !LLVMDILocationGetLine(at)) return p;
    p.file = file_name(f, LLVMDIScopeGetFile(LLVMDILocationGetScope(at)));
    p.line = LLVMDILocationGetLine(at);
    p.column = LLVMDILocationGetColumn(at);
    return p;
}

Position debug_function(Front *f, LLVMValueRef function) {
    Position p = {0};
    LLVMMetadataRef program = LLVMGetSubprogram(function);
    if (!program) return p;
    p.file = file_name(f, LLVMDIScopeGetFile(program));
    p.line = LLVMDISubprogramGetLine(program);
    p.column = 1;
    return p;
}

const char *debug_function_name(Front *f, LLVMValueRef function) {
    enum { FUNCTION_NAME = 2 };
    const char *linked = LLVMGetValueName(function);
    bool own = LLVMGetLinkage(function) == LLVMInternalLinkage || LLVMGetLinkage(function) == LLVMPrivateLinkage;
    LLVMMetadataRef program = own && strchr(linked, '.') ? LLVMGetSubprogram(function) : NULL;
    const char *name = program ? text_operand(f, program, FUNCTION_NAME) : NULL;
    return exprs_intern(f->pool, name && !strncmp(linked, name, strlen(name)) ? name : linked);
}

/* ---- blocks ---- */

/* Returns the block around a change of file, which is no block itself. */
static LLVMMetadataRef real_block(Front *f, LLVMMetadataRef scope) {
    while (scope && LLVMGetMetadataKind(scope) == LLVMDILexicalBlockFileMetadataKind) scope = node_operand(f, scope, OPERAND_OUTER);
    return scope;
}

DebugBlock debug_block(Front *f, LLVMValueRef instruction) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    if (!at) return (DebugBlock){0};
    return (DebugBlock){.scope = real_block(f, LLVMDILocationGetScope(at)), .inlined = LLVMDILocationGetInlinedAt(at)};
}

DebugBlock debug_block_of_variable(Front *f, LLVMValueRef declare) {
    DebugBlock block = debug_block(f, declare);
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
    block.scope = block.scope ? real_block(f, node_operand(f, variable, 0)) : NULL;
    return block;
}

DebugBlock debug_outer(Front *f, DebugBlock b) {
    DebugBlock none = {0};
    LLVMMetadataKind kind = LLVMGetMetadataKind(b.scope);
    if (kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind) {
        b.scope = node_operand(f, b.scope, OPERAND_OUTER);
        return b;
    }
    if (!b.inlined) return none;
    return (DebugBlock){.scope = LLVMDILocationGetScope(b.inlined), .inlined = LLVMDILocationGetInlinedAt(b.inlined)};
}

/* ---- types ---- */

static bool is_qualifier(unsigned tag) { return tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT || tag == TAG_ATOMIC; }

bool debug_is_const(Front *f, LLVMMetadataRef type) {
    for (unsigned depth = 0; type && depth < MAX_NESTING; depth++) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag == TAG_CONST) return true;
        if (tag != TAG_TYPEDEF && tag != TAG_ARRAY && !is_qualifier(tag)) return false;
        type = node_operand(f, type, OPERAND_BASE);
    }
    return false;
}

static const char *type_name(Front *f, LLVMMetadataRef type) {
    size_t length = 0;
    const char *text = LLVMDITypeGetName(type, &length);
    return text && length ? arena_strndup(f->scratch, text, length) : NULL;
}

static LLVMMetadataRef stripped(Front *f, LLVMMetadataRef type) {
    for (unsigned i = 0; type && i < 64; i++) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag != TAG_TYPEDEF && !is_qualifier(tag)) break;
        type = node_operand(f, type, OPERAND_BASE);
    }
    return type;
}

static uint64_t array_count(Front *f, LLVMMetadataRef array, unsigned dimension) {
    LLVMMetadataRef elements = node_operand(f, array, OPERAND_ELEMENTS);
    LLVMMetadataRef range = elements ? node_operand(f, elements, dimension) : NULL;
    LLVMValueRef count = range ? operand(f, range, 0) : NULL;
    return count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
}

static unsigned array_dimensions(Front *f, LLVMMetadataRef array) {
    LLVMMetadataRef elements = node_operand(f, array, OPERAND_ELEMENTS);
    return elements ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(f->context, elements)) : 0;
}

static const char *type_text(Front *f, LLVMMetadataRef type, unsigned depth) {
    if (!type) return "void";
    if (depth > MAX_NESTING) return "…";
    unsigned tag = LLVMGetDINodeTag(type);
    const char *name = type_name(f, type);
    LLVMMetadataRef base = tag == TAG_BASE ? NULL : node_operand(f, type, OPERAND_BASE);
    switch (tag) {
    case TAG_POINTER: {
        if (base && LLVMGetDINodeTag(base) == TAG_SUBROUTINE) return "function *";
        const char *to = type_text(f, base, depth + 1);
        return arena_printf(f->scratch, "%s%s*", to, to[strlen(to) - 1] == '*' ? "" : " ");
    }
    case TAG_CONST: return arena_printf(f->scratch, "const %s", type_text(f, base, depth + 1));
    case TAG_VOLATILE: return arena_printf(f->scratch, "volatile %s", type_text(f, base, depth + 1));
    case TAG_ATOMIC: return arena_printf(f->scratch, "_Atomic %s", type_text(f, base, depth + 1));
    case TAG_RESTRICT: return type_text(f, base, depth + 1);
    case TAG_STRUCT: return name ? arena_printf(f->scratch, "struct %s", name) : "struct";
    case TAG_UNION: return name ? arena_printf(f->scratch, "union %s", name) : "union";
    case TAG_ENUM: return name ? arena_printf(f->scratch, "enum %s", name) : "enum";
    case TAG_ARRAY: {
        const char *text = type_text(f, base, depth + 1);
        unsigned n = array_dimensions(f, type);
        for (unsigned i = 0; i < n; i++) text = arena_printf(f->scratch, "%s[%llu]", text, (unsigned long long)array_count(f, type, i));
        return text;
    }
    case TAG_SUBROUTINE: return "function";
    default: return name;
    }
}

static bool type_is_signed(Front *f, LLVMMetadataRef type) {
    type = stripped(f, type);
    if (!type) return false;
    unsigned tag = LLVMGetDINodeTag(type);
    if (tag == TAG_ENUM) {
        LLVMMetadataRef base = node_operand(f, type, OPERAND_BASE);
        return base && type_is_signed(f, base);
    }
    const char *name = tag == TAG_BASE ? type_name(f, type) : NULL;
    return name && !strstr(name, "unsigned") && strcmp(name, "_Bool") && strcmp(name, "bool") && !strstr(name, "double") &&
           !strstr(name, "float");
}

/* ---- shapes: see ir/shape.h ---- */

/* Limits of a shape: its nesting depth, and the end of its text, so that one large part leaves space for those behind it. */
typedef struct Room {
    unsigned depth;
    size_t end;
} Room;

static bool shape_of(Front *f, Buf *out, LLVMMetadataRef type, Room room);

static bool shape_scalar(Front *f, Buf *out, LLVMMetadataRef type) {
    unsigned long long size = LLVMDITypeGetSizeInBits(type) / 8;
    const char *name = type_name(f, type);
    bool floating = name && (strstr(name, "float") || strstr(name, "double"));
    buf_printf(out, "%c%llu", floating ? 'f' : type_is_signed(f, type) ? 'i' : 'u', size);
    return size > 0;
}

static bool shape_array(Front *f, Buf *out, LLVMMetadataRef type, Room room) {
    LLVMMetadataRef element = node_operand(f, type, OPERAND_BASE);
    unsigned n = array_dimensions(f, type);
    uint64_t stride = element ? LLVMDITypeGetSizeInBits(stripped(f, element)) / 8 : 0;
    uint64_t total = stride;
    if (!stride) return false;
    for (unsigned i = 1; i < n; i++) total *= array_count(f, type, i);
    for (unsigned i = 0; i < n; i++) {
        uint64_t count = array_count(f, type, i);
        if (!count && n > 1) return false;
        if (i) total /= count;
        buf_printf(out, "[%llux%llu]", (unsigned long long)count, (unsigned long long)total);
    }
    room.depth++;
    return shape_of(f, out, element, room);
}

static bool shape_members(Front *f, Buf *out, LLVMMetadataRef type, Room room) {
    LLVMMetadataRef elements = node_operand(f, type, OPERAND_ELEMENTS);
    if (!elements) return false;
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(f->context, elements)), shown = 0;
    if (n > MAX_MEMBERS) return false;
    room.depth++;
    buf_char(out, '{');
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef member = node_operand(f, elements, i);
        if (!member || LLVMGetDINodeTag(member) != TAG_MEMBER) continue;
        const char *name = type_name(f, member);
        unsigned long long offset = LLVMDITypeGetOffsetInBits(member), width = LLVMDITypeGetSizeInBits(member);
        LLVMMetadataRef base = node_operand(f, member, OPERAND_BASE);
        bool bits = LLVMDITypeGetFlags(member) & LLVMDIFlagBitField;
        if (bits ? !name || !width || width > 64 : offset % 8) continue;
        buf_printf(out, "%s%s@%llu:", shown++ ? "," : "", name ? name : "", offset / 8);
        size_t before = out->length;
        if (bits) buf_printf(out, "%c%llu+%llu", type_is_signed(f, base) ? 's' : 'b', offset % 8, width);
        else if (before > room.end || !shape_of(f, out, base, (Room){room.depth, before + (room.end - before) / 4})) {
            out->length = before;
            buf_char(out, '?');
        }
    }
    buf_char(out, '}');
    return shown > 0;
}

static bool shape_of(Front *f, Buf *out, LLVMMetadataRef type, Room room) {
    type = stripped(f, type);
    if (!type || room.depth > MAX_NESTING || out->length > room.end) return false;
    switch (LLVMGetDINodeTag(type)) {
    case TAG_BASE:
    case TAG_ENUM: return shape_scalar(f, out, type);
    case TAG_POINTER: buf_char(out, 'p'); return true;
    case TAG_ARRAY: return shape_array(f, out, type, room);
    case TAG_STRUCT:
    case TAG_UNION: return shape_members(f, out, type, room);
    default: return false;
    }
}

static const char *shape_text(Front *f, LLVMMetadataRef type) {
    Buf b = {0};
    bool ok = type && shape_of(f, &b, type, (Room){0, MAX_SHAPE}) && b.length <= 4 * MAX_SHAPE;
    const char *text = ok ? exprs_intern(f->pool, buf_string(&b)) : NULL;
    buf_free(&b);
    return text;
}

/* ---- variables ---- */

static bool describe(Front *f, LLVMMetadataRef variable, DebugName *d) {
    const char *name = text_operand(f, variable, OPERAND_NAME);
    if (!name) return false;
    LLVMMetadataRef type = node_operand(f, variable, OPERAND_TYPE);
    const char *ctype = type_text(f, type, 0);
    d->name = exprs_intern(f->pool, name);
    d->type = type;
    d->ctype = ctype ? exprs_intern(f->pool, ctype) : NULL;
    d->shape = shape_text(f, type);
    d->is_signed = type_is_signed(f, type);
    d->position = (Position){.file = file_name(f, LLVMDIVariableGetFile(variable)), .line = LLVMDIVariableGetLine(variable), .column = 1};
    return true;
}

bool debug_local(Front *f, LLVMValueRef declare, LLVMValueRef *variable, DebugName *d) {
    LLVMValueRef place = LLVMGetOperand(declare, 0), found = NULL;
    if (LLVMGetMDNodeNumOperands(place) == 1) LLVMGetMDNodeOperands(place, &found);
    if (!found) return false;
    *variable = found;
    return describe(f, LLVMValueAsMetadata(LLVMGetOperand(declare, 1)), d);
}

bool debug_global(Front *f, LLVMValueRef global, DebugName *d) {
    size_t n = 0;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    bool found = false;
    for (unsigned i = 0; i < n && !found; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
        found = describe(f, LLVMDIGlobalVariableExpressionGetVariable(node), d);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

/* ---- types, for naming heap objects (heap.c) ---- */

bool debug_pointee(Front *f, LLVMMetadataRef pointer, DebugType *t) {
    *t = (DebugType){0};
    pointer = stripped(f, pointer);
    if (!pointer || LLVMGetDINodeTag(pointer) != TAG_POINTER) return false;
    t->type = stripped(f, node_operand(f, pointer, OPERAND_BASE));
    t->size = t->type ? LLVMDITypeGetSizeInBits(t->type) / 8 : 0;
    t->byte = t->size == 1;
    return t->size > 0;
}

const char *debug_shape(Front *f, const DebugType *t, uint64_t count) {
    const char *one = shape_text(f, t->type);
    if (!one || count == 1) return one;
    unsigned long long n = count, size = t->size;
    return exprs_intern(f->pool, arena_printf(f->scratch, "[%llux%llu]%s", n, size, one));
}

const char *debug_type_name(Front *f, const DebugType *t) { return type_name(f, t->type); }

bool debug_ends_open(Front *f, const DebugType *t) {
    bool is_struct = LLVMGetDINodeTag(t->type) == TAG_STRUCT;
    LLVMMetadataRef elements = is_struct ? node_operand(f, t->type, OPERAND_ELEMENTS) : NULL;
    unsigned n = elements ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(f->context, elements)) : 0;
    LLVMMetadataRef last = n ? node_operand(f, elements, n - 1) : NULL;
    LLVMMetadataRef type = last ? stripped(f, node_operand(f, last, OPERAND_BASE)) : NULL;
    return type && LLVMGetDINodeTag(type) == TAG_ARRAY && array_count(f, type, 0) <= 1;
}

bool debug_member(Front *f, LLVMMetadataRef composite, uint64_t offset, const char **name, LLVMMetadataRef *type) {
    LLVMMetadataRef elements = node_operand(f, composite, OPERAND_ELEMENTS);
    unsigned n = elements ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(f->context, elements)) : 0;
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef member = node_operand(f, elements, i);
        if (!member || LLVMGetDINodeTag(member) != TAG_MEMBER) continue;
        if (LLVMDITypeGetOffsetInBits(member) != 8 * offset) continue;
        *name = type_name(f, member);
        *type = node_operand(f, member, OPERAND_BASE);
        return *name != NULL;
    }
    return false;
}

/* Adds structs and unions by name, and unnamed ones by the name of their typedef. */
static void collect_structs(Front *f, LLVMMetadataRef type, const char *alias) {
    if (!type) return;
    unsigned tag = LLVMGetDINodeTag(type);
    bool composite = tag == TAG_STRUCT || tag == TAG_UNION;
    const char *name = composite ? type_name(f, type) : NULL;
    if (composite && !name) name = alias;
    if (name && !map_find(f->structs, exprs_intern(f->pool, name)) && node_operand(f, type, OPERAND_ELEMENTS))
        map_set(f->structs, exprs_intern(f->pool, name), type);
    if (map_find(f->seen_types, type)) return;
    map_set(f->seen_types, type, type);
    LLVMMetadataRef elements = composite ? node_operand(f, type, OPERAND_ELEMENTS) : NULL;
    unsigned n = elements ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(f->context, elements)) : 0;
    for (unsigned i = 0; i < n; i++) collect_structs(f, node_operand(f, elements, i), NULL);
    if (composite || tag == TAG_BASE || tag == TAG_SUBROUTINE || tag == TAG_ENUM) return;
    collect_structs(f, node_operand(f, type, OPERAND_BASE), tag == TAG_TYPEDEF ? type_name(f, type) : NULL);
}

static void collect_locals(Front *f, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (!callee || !LLVMIsAFunction(callee) || strcmp(LLVMGetValueName(callee), "llvm.dbg.declare")) continue;
            collect_structs(f, node_operand(f, LLVMValueAsMetadata(LLVMGetOperand(i, 1)), OPERAND_TYPE), NULL);
        }
}

LLVMMetadataRef debug_struct(Front *f, const char *name) {
    if (!f->structs) {
        f->structs = map_new();
        f->seen_types = map_new();
        for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v)) collect_locals(f, v);
        DebugName d;
        for (LLVMValueRef v = LLVMGetFirstGlobal(f->module); v; v = LLVMGetNextGlobal(v))
            if (debug_global(f, v, &d)) collect_structs(f, d.type, NULL);
    }
    return map_find(f->structs, exprs_intern(f->pool, name));
}

/* ---- fields ---- */

/* Marks where scalars begin and end, in all members of unions. Bit-fields that share a unit are not fields of their own. */
static void mark_fields(Front *f, LLVMMetadataRef type, uint64_t at, uint64_t size, bool *cut, unsigned depth) {
    type = stripped(f, type);
    if (!type || depth > MAX_NESTING) return;
    unsigned tag = LLVMGetDINodeTag(type);
    uint64_t bytes = LLVMDITypeGetSizeInBits(type) / 8;
    if (at + bytes > size || !bytes) return;
    if (tag == TAG_ARRAY) {
        LLVMMetadataRef element = node_operand(f, type, OPERAND_BASE);
        uint64_t stride = element ? LLVMDITypeGetSizeInBits(stripped(f, element)) / 8 : 0;
        for (uint64_t i = at; stride && i < at + bytes; i += stride) mark_fields(f, element, i, size, cut, depth + 1);
    } else if (tag == TAG_STRUCT || tag == TAG_UNION) {
        LLVMMetadataRef elements = node_operand(f, type, OPERAND_ELEMENTS);
        unsigned n = elements ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(f->context, elements)) : 0;
        for (unsigned i = 0; i < n; i++) {
            LLVMMetadataRef member = node_operand(f, elements, i);
            if (!member || LLVMGetDINodeTag(member) != TAG_MEMBER || (LLVMDITypeGetFlags(member) & LLVMDIFlagBitField)) continue;
            mark_fields(f, node_operand(f, member, OPERAND_BASE), at + LLVMDITypeGetOffsetInBits(member) / 8, size, cut, depth + 1);
        }
    } else {
        cut[at] = cut[at + bytes] = true;
    }
}

static LLVMMetadataRef variable_type(Front *f, LLVMValueRef v) {
    DebugName d;
    if (!LLVMIsAGlobalVariable(v)) return node_operand(f, LLVMValueAsMetadata(LLVMGetOperand(v, 1)), OPERAND_TYPE);
    return debug_global(f, v, &d) ? d.type : NULL;
}

bool debug_fields(Front *f, LLVMValueRef variable, bool pointer, uint64_t size, bool *cut) {
    LLVMMetadataRef type = variable_type(f, variable);
    type = type ? stripped(f, type) : NULL;
    if (type && pointer) type = LLVMGetDINodeTag(type) == TAG_POINTER ? node_operand(f, type, OPERAND_BASE) : NULL;
    type = type ? stripped(f, type) : NULL;
    if (!type || LLVMDITypeGetSizeInBits(type) != 8 * size) return false;
    mark_fields(f, type, 0, size, cut, 0);
    return true;
}
