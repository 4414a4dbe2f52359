/* SPDX-License-Identifier: Apache-2.0 */
/* Names places, values and callers, with the contents of memory that the trace has produced so far. */
#include "base/file.h"
#include "explain/trace_explainer.h"
#include <ctype.h>
#include <string.h>

/* ---- names and values ---- */
const char *kept(TraceExplainer *t, Buf *text) {
    const char *s = arena_strdup(t->counterexample->arena, buf_string(text));
    buf_free(text);
    return s;
}

static void object_name(Buf *out, const Object *o, unsigned number) {
    buf_text(out, o->name);
    if (o->kind == OBJECT_HEAP && !o->stack && number) buf_printf(out, "#%u", number);
}

/* True if the allocation has the name of a pointer to it. */
static bool is_pointed_to(const Object *o) { return o->kind == OBJECT_HEAP && o->shape && !o->ctype; }

/* Adds the part of the object at the offset as C names it: s.next, node#1->next, buf[3]; buf+12 if the shape does not have it.
   `size`: the bytes of the access. `pointer`: the part is the target of a pointer. */
static void part_name(Buf *out, const Object *o, unsigned number, uint64_t offset, uint64_t size, bool pointer) {
    Buf path = {0}, several = {0};
    if (pointer) shape_target(&path, o->shape, offset);
    else if (!size || !shape_several(&path, &several, o->shape, offset, size)) shape_path(&path, o->shape, offset, NULL);
    const char *text = buf_string(&path);
    bool member = is_pointed_to(o) && *text == '.';
    if (is_pointed_to(o) && !*text) buf_char(out, '*');
    object_name(out, o, number);
    if (member) buf_text(out, "->");
    buf_text(out, text + member);
    buf_free(&path);
    buf_free(&several);
}

/* Returns the allocation that had the address at the time `then`, since addresses are reused; NULL if no allocation had it. */
static const HeapPlace *heap_find(const TraceExplainer *t, uint64_t address, uint64_t then) {
    for (size_t i = vec_len(t->heap); i-- > 0;)
        if (t->heap[i].since <= then && address >= t->heap[i].address && address - t->heap[i].address <= t->heap[i].size)
            return &t->heap[i];
    return NULL;
}

static unsigned heap_number(const TraceExplainer *t, const Access *a) {
    const HeapPlace *h = a->object->kind == OBJECT_HEAP ? heap_find(t, a->address, t->now) : NULL;
    return h && h->object == a->object ? h->number : 0;
}

/* Adds a pointer's value that was written at the time `then`: NULL, &x, &buf[3]. Returns false if its target is not known. */
static bool pointer_text(TraceExplainer *t, Buf *out, uint64_t address, uint64_t then) {
    unsigned thread = 0;
    uint64_t offset = 0;
    if (!address) {
        buf_text(out, "NULL");
        return true;
    }
    const HeapPlace *h = heap_find(t, address, then);
    const Object *o = h ? h->object : layout_find(t->layout, address, &thread, &offset);
    if (!o) return false;
    if (h) offset = address - h->address;
    if (o->kind != OBJECT_FUNCTION && (offset || !is_pointed_to(o))) buf_char(out, '&');
    if (offset == 0 && o->input) part_name(out, o, 0, 0, 0, false); /* &argv[1][0] */
    else if (offset == 0) object_name(out, o, h ? h->number : 0);
    else part_name(out, o, h ? h->number : 0, offset, 0, true);
    put_which(t, out, NULL, o, address);
    return true;
}

const char *value_text(TraceExplainer *t, const Sort *sort, Value v, char kind, uint64_t then) {
    Buf out = {0};
    bool wide = sort->kind == SORT_BV && sort->width == t->program->pointer_width;
    bool pointer = wide && (kind == 'p' || (!kind && v.bits >> 16));
    if (pointer && pointer_text(t, &out, (uint64_t)v.bits, then)) return kept(t, &out);
    if (kind == 'f' && (sort->width == 32 || sort->width == 64 || sort->width == 80)) float_print_c(&out, v.bits, sort->width);
    else if (kind == 'i' && sort->width == 8 && v.bits < 0x7f && isprint((int)v.bits)) buf_printf(&out, "'%c'", (int)v.bits);
    else value_print(&out, sort, v, kind == 'i');
    return kept(t, &out);
}

const Sort *access_sort(const Access *a) {
    if (a->variable) return a->variable->sort;
    if (!a->instr) return NULL;
    if (a->instr->kind == INSTR_LOAD && a->instr->target) return a->instr->target->sort;
    if (a->instr->kind == INSTR_STORE && a->instr->value) return a->instr->value->sort;
    return NULL;
}

static char type_kind(const char *ctype, bool is_signed) {
    size_t n = ctype ? strlen(ctype) : 0;
    if (n && ctype[n - 1] == '*') return 'p';
    if (n && (strstr(ctype, "float") || strstr(ctype, "double"))) return 'f';
    return is_signed ? 'i' : ctype ? 'u' : 0;
}

static bool is_signed_type(const char *ctype) { return ctype && !strstr(ctype, "unsigned") && !strstr(ctype, "_Bool"); }

/* Takes the kind from the type of the variable, of the accessed part of the object, or of the load's target. */
char access_kind(const Access *a) {
    const Variable *v = a->variable;
    char kind = !v && a->object ? shape_scalar(a->object->shape, a->offset) : 0;
    if (!kind && !v && a->object && a->object->size == a->size) kind = type_kind(a->object->ctype, is_signed_type(a->object->ctype));
    if (!kind && !v && a->instr && a->kind == ACCESS_READ) v = a->instr->target;
    if (!kind && v && v->shape && strchr("iufp", *v->shape)) return *v->shape;
    return kind || !v ? kind : type_kind(v->ctype, v->is_signed);
}

/* ---- accesses of several members ---- */

const char *access_members(TraceExplainer *t, const Access *a) {
    ShapeBits bits[SHAPE_BITS_MAX];
    const char *shape = a->variable ? a->variable->shape : NULL;
    if (a->kind != ACCESS_READ && a->kind != ACCESS_WRITE) return NULL;
    if (a->variable) return shape && *shape == '{' && a->variable->sort->kind == SORT_BV && !shape_bits(shape, 0, 1, bits) ? shape : NULL;
    Buf path = {0}, part = {0};
    bool several = a->object && shape_several(&path, &part, a->object->shape, a->offset, a->size);
    buf_free(&path);
    if (several) return kept(t, &part);
    buf_free(&part);
    return NULL;
}

const char *members_text(TraceExplainer *t, const char *shape, uint64_t size, Value v, uint64_t then) {
    ShapeScalar list[SHAPE_SCALARS_MAX];
    size_t n = shape_scalars(shape, 0, size, list);
    Buf text = {0};
    for (size_t i = 0; i < n; i++) {
        Buf path = {0};
        shape_path(&path, shape, list[i].offset, NULL);
        Value part = {.bits = (v.bits >> (8 * list[i].offset)) & (~(u128)0 >> (128 - 8 * list[i].size))};
        const Sort *sort = sort_bv(t->program->exprs, (unsigned)list[i].size * 8);
        buf_printf(&text, "%s%s = %s", i ? ", " : "{", buf_string(&path) + 1, value_text(t, sort, part, list[i].kind, then));
        buf_free(&path);
    }
    buf_char(&text, '}');
    return kept(t, &text);
}

/* ---- values before a write ---- */
static bool initial_byte(const Access *a, uint64_t i, uint8_t *byte) {
    const Object *o = a->object;
    if (!o || o->kind != OBJECT_GLOBAL || a->offset + i >= o->size) return false;
    for (unsigned k = 0; k < o->nrelocations; k++)
        if (a->offset + i - o->relocations[k].offset < 8) return false;
    *byte = o->bytes ? o->bytes[a->offset + i] : 0;
    return true;
}

bool memory_before(const TraceExplainer *t, const Access *a, Value *v) {
    *v = (Value){0};
    if (a->size > 16) return false;
    for (uint64_t i = 0; i < a->size; i++) {
        uint64_t seen;
        uint8_t byte;
        if (map_get(t->bytes, a->address + i, &seen) && seen) byte = (uint8_t)(seen - 1);
        else if (!initial_byte(a, i, &byte)) return false;
        v->bits |= (u128)byte << (8 * i);
    }
    return true;
}

bool variable_before(const TraceExplainer *t, const Variable *x, Value *v) {
    uint64_t slot;
    if (map_get(t->variables, map_key(x), &slot)) *v = t->values[slot];
    else if (x->init && expr_is_const(x->init) && x->sort->kind != SORT_ARRAY) *v = (Value){.bits = x->init->value};
    else return false;
    return true;
}

static uint64_t place_key(const Access *a) { return a->variable ? map_key(a->variable) : a->address; }

uint64_t written_at(const TraceExplainer *t, const Access *a) {
    uint64_t then;
    return map_get(t->written, place_key(a), &then) ? then : a->kind == ACCESS_WRITE ? 0 : t->now;
}

void forget(TraceExplainer *t, uint64_t address, uint64_t size, bool zeroed) {
    for (uint64_t i = 0; i < size && i < 1 << 16; i++) map_put(t->bytes, address + i, zeroed);
}

void remember(TraceExplainer *t, const Access *a) {
    if (a->kind == ACCESS_WRITE) map_put(t->written, place_key(a), t->now);
    if (a->variable) {
        uint64_t slot;
        if (!a->variable->global) return;
        if (!map_get(t->variables, map_key(a->variable), &slot)) {
            slot = vec_len(t->values);
            vec_push(t->values, a->value);
            map_put(t->variables, map_key(a->variable), slot);
        }
        t->values[slot] = a->value;
    } else {
        bool known = a->size <= 16 && access_sort(a) && !a->undefined;
        for (uint64_t i = 0; i < a->size && i < 1 << 16; i++)
            map_put(t->bytes, a->address + i, known ? 1 + (uint64_t)(uint8_t)(a->value.bits >> (8 * i)) : 0);
    }
}

/* ---- names of accesses ---- */
/* Cuts off a member of a library's type: mutex.__data.__lock becomes mutex. Returns true if the name had such a member; then reads are not shown. */
static bool hide_reserved(Buf *name) {
    char *inner = strstr(name->text, ".__"), *pointed = strstr(name->text, "->__");
    if (pointed && (!inner || pointed < inner)) inner = pointed;
    if (!inner) return false;
    *inner = 0;
    name->length = (size_t)(inner - name->text);
    return true;
}

void add_heap_place(TraceExplainer *t, const Access *a, unsigned thread, Position p) {
    HeapPlace h = {
        .address = a->address, .size = a->size, .object = a->object, .number = 1, .since = t->now, .allocator = thread, .allocated = p};
    for (size_t i = 0; i < vec_len(t->heap); i++) h.number += !strcmp(t->heap[i].object->name, a->object->name);
    vec_push(t->heap, h);
    forget(t, a->address, a->size, a->instr && a->instr->zeroed);
}

void end_heap_place(TraceExplainer *t, const Access *a, unsigned thread, Position p) {
    for (size_t i = vec_len(t->heap); i-- > 0;)
        if (t->heap[i].address == a->address) {
            t->heap[i].freer = thread;
            t->heap[i].freed = p;
            return;
        }
}

const char *address_before(TraceExplainer *t, const Access *a) {
    for (size_t i = vec_len(t->heap) - 1; i-- > 0;) {
        const HeapPlace *h = &t->heap[i];
        if (h->address != a->address) continue;
        Buf name = {0};
        object_name(&name, h->object, h->number);
        return kept(t, &name);
    }
    return NULL;
}

static void full_name(TraceExplainer *t, Buf *name, const Access *a) {
    if (a->variable) buf_text(name, a->variable->name);
    else if (a->object && (a->kind == ACCESS_ALLOC || a->kind == ACCESS_FREE)) object_name(name, a->object, heap_number(t, a));
    else if (a->object) part_name(name, a->object, heap_number(t, a), a->offset, a->size, false);
    else buf_printf(name, "*0x%llx", (unsigned long long)a->address);
}

const char *library_place(TraceExplainer *t, const Access *a, const char **part) {
    Buf name = {0};
    full_name(t, &name, a);
    const char *full = arena_strdup(t->counterexample->arena, buf_string(&name));
    bool reserved = hide_reserved(&name);
    *part = strchr(full + name.length, '_'); /* after a dot or an arrow */
    if (reserved) note_named(t, a);
    if (reserved) put_which(t, &name, a->variable, a->object, a->address);
    if (reserved) return kept(t, &name);
    buf_free(&name);
    return NULL;
}

const char *place_name(TraceExplainer *t, const Variable *v, uint64_t address) {
    Access a = {.kind = ACCESS_READ, .variable = v, .address = address, .size = 1};
    unsigned thread;
    bool hidden;
    const HeapPlace *h = heap_find(t, address, t->now);
    if (!v) a.object = h ? h->object : layout_find(t->layout, address, &thread, &a.offset);
    if (h) a.offset = address - h->address;
    return v || a.object ? access_name(t, &a, &hidden) : NULL;
}

const char *access_name(TraceExplainer *t, const Access *a, bool *hidden) {
    Buf name = {0};
    full_name(t, &name, a);
    bool reserved = hide_reserved(&name);
    *hidden = reserved && (a->kind == ACCESS_READ || a->kind == ACCESS_WRITE);
    note_named(t, a);
    put_which(t, &name, a->variable, a->object, a->address);
    return kept(t, &name);
}

/* ---- variables of the same name ---- */

/* The first pass over the trace records names. A second pass adds a thread or place to the names that several variables share. */
static bool same_file(const Namesake *a, const Namesake *b) {
    return a->position.file && b->position.file && !strcmp(a->position.file, b->position.file);
}

/* Fills *out. An object that is named by its address belongs to the thread of that address. Returns false if the name needs no distinction. */
static bool find_namesake(const TraceExplainer *t, const Variable *v, const Object *o, uint64_t address, Namesake *out) {
    uint64_t offset;
    unsigned thread = 0;
    *out = (Namesake){.position = v ? v->position : o ? o->position : (Position){0}};
    if (v) {
        out->name = v->name;
        out->what = v;
        return v->global && !v->temporary;
    }
    if (!o || o->kind == OBJECT_HEAP || o->kind == OBJECT_FUNCTION) return false;
    out->name = o->name;
    out->what = o;
    if (o->kind != OBJECT_GLOBAL && layout_find(t->layout, address, &thread, &offset) == o) out->thread = thread;
    return o->kind == OBJECT_GLOBAL || out->thread;
}

/* Compares names without members and indices: s.next is a part of s. */
static bool same_name(const Namesake *a, const Namesake *b) {
    size_t n = strcspn(a->name, ".[");
    return n == strcspn(b->name, ".[") && !strncmp(a->name, b->name, n);
}

/* True if the two have the same name, but are different variables for the reader. Two local variables of one name and thread count as one, and so
   do the parts of a variable, which have its declaration. */
static bool is_other(const Namesake *a, const Namesake *b) {
    if (!same_name(a, b) || a->what == b->what) return same_name(a, b) && a->thread != b->thread;
    return a->thread != b->thread || (!a->thread && (!same_file(a, b) || a->position.line != b->position.line));
}

void note_named(TraceExplainer *t, const Access *a) {
    Namesake n;
    if (!a->shared || !find_namesake(t, a->variable, a->object, a->address, &n)) return;
    for (size_t i = 0; i < vec_len(t->named); i++)
        if (t->named[i].what == n.what && t->named[i].thread == n.thread) return;
    vec_push(t->named, n);
}

bool names_differ(const TraceExplainer *t) {
    for (size_t i = 0; i < vec_len(t->named); i++)
        for (size_t k = 0; k < i; k++)
            if (is_other(&t->named[i], &t->named[k])) return true;
    return false;
}

void put_which(const TraceExplainer *t, Buf *out, const Variable *v, const Object *o, uint64_t address) {
    Namesake n;
    bool several = false, near = false;
    if (!t->again || !find_namesake(t, v, o, address, &n)) return;
    for (size_t i = 0; i < vec_len(t->named); i++) {
        if (!is_other(&n, &t->named[i])) continue;
        several = true;
        near |= !n.thread && !t->named[i].thread && same_file(&n, &t->named[i]);
    }
    if (!several) return;
    if (n.thread > 1) buf_printf(out, " (thread %u)", n.thread);
    else if (n.thread) buf_text(out, " (main)");
    else if (n.position.file && near) buf_printf(out, " (%s:%u)", base_name(n.position.file), n.position.line);
    else if (n.position.file) buf_printf(out, " (%s)", base_name(n.position.file));
}

/* ---- callers ---- */

const Activation *own_activation(Position p) {
    const Activation *a = p.in;
    while (a && a->library) a = a->from.in;
    return a;
}

const char *callers_text(TraceExplainer *t, Position p) {
    enum { MOST = 5 };
    const Activation *a = own_activation(p);
    const char *file = p.file;
    Buf text = {0};
    for (unsigned n = 0; a && a->from.file; n++) {
        const Activation *caller = own_activation(a->from);
        bool other = !file || strcmp(file, a->from.file);
        if (n) buf_text(&text, " ← ");
        if (n == MOST) {
            buf_text(&text, "…");
            break;
        }
        if (other) buf_printf(&text, "%s (%s:%u)", caller ? caller->function : "?", base_name(a->from.file), a->from.line);
        else buf_printf(&text, "%s:%u", caller ? caller->function : "?", a->from.line);
        file = a->from.file;
        a = caller;
    }
    if (text.length) return kept(t, &text);
    return NULL;
}
