/* SPDX-License-Identifier: Apache-2.0 */
/* Walks shapes as text and builds no tree. Malformed text ends the walk with the plain offset. */
#include "ir/shape.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number(const char **s) {
    char *end;
    uint64_t n = strtoull(*s, &end, 10);
    *s = end;
    return n;
}

/* Returns the end of the shape: the comma or brace behind it, or the end of the text. */
static const char *skip(const char *s) {
    for (int depth = 0; *s; s++) {
        if (*s == '{') depth++;
        if (*s == '}' && depth-- == 0) return s;
        if (*s == ',' && depth == 0) return s;
    }
    return s;
}

typedef struct Member {
    const char *name, *shape;
    size_t length; /* of the name */
    uint64_t start;
    unsigned low, width; /* of a bit-field; 0 for other members */
} Member;

static bool is_bits(char letter) { return letter == 'b' || letter == 's'; }

/* Reads the member at *s, and moves *s to the next member or the brace. Returns false at the end and at malformed text. */
static bool member(const char **s, Member *m) {
    const char *p = *s, *at = *p && *p != '}' ? strchr(p, '@') : NULL;
    if (!at) return false;
    *m = (Member){.name = p, .length = (size_t)(at - p)};
    p = at + 1;
    m->start = number(&p);
    if (*p++ != ':') return false;
    m->shape = p;
    if (is_bits(*p)) {
        const char *bits = p + 1;
        uint64_t low = number(&bits), width = *bits == '+' ? (bits++, number(&bits)) : 0;
        if (low > 7 || width < 1 || width > 64) return false;
        m->low = (unsigned)low;
        m->width = (unsigned)width;
    }
    *s = skip(p);
    if (**s == ',') ++*s;
    return true;
}

static uint64_t first_bit(const Member *m) { return 8 * m->start + m->low; }

/* Prints the adjacent bit-fields from the given one on. The struct's members begin at s. */
static void name_bits(Buf *out, const char *s, const Member *from) {
    uint64_t next = first_bit(from);
    const char *before = ".{";
    for (Member m; member(&s, &m);) {
        if (!m.width || m.name < from->name || first_bit(&m) != next) continue;
        buf_text(out, before);
        buf_bytes(out, m.name, m.length);
        next += m.width;
        before = ",";
    }
    buf_char(out, '}');
}

/* Finds the member in which offset lies: the last that starts at or before it. *s points behind the struct's brace. Prints the member's
   name and sets *s to its shape. Returns false if there is no such member. */
static bool field(Buf *out, const char **s, uint64_t *offset) {
    Member best = {0};
    const char *members = *s;
    for (Member m; member(s, &m);)
        if (m.start <= *offset && (!best.name || m.start > best.start)) best = m;
    if (!best.name) return false;
    if (best.width) {
        name_bits(out, members, &best);
    } else if (best.length) {
        buf_char(out, '.');
        buf_bytes(out, best.name, best.length);
    }
    *offset -= best.start;
    *s = best.shape;
    return true;
}

/* Appends the path to offset. *s, a shape, becomes that of the part in which offset lies. Then offset is relative to that part. *members
   becomes the members of the struct around the part, or NULL. */
static void walk(Buf *out, const char **s, uint64_t *offset, const char **members) {
    *members = NULL;
    while (*s && (**s == '[' || **s == '{')) {
        if (*(*s)++ == '[') {
            number(s);
            if (**s != 'x') break;
            ++*s;
            uint64_t stride = number(s);
            if (**s != ']' || !stride) break;
            ++*s;
            buf_printf(out, "[%" PRIu64 "]", *offset / stride);
            *offset %= stride;
            *members = NULL;
        } else {
            *members = *s;
            if (!field(out, s, offset)) break;
        }
    }
    if (*offset) buf_printf(out, "+%" PRIu64, *offset);
}

static char scalar_at(Buf *path, const char *s, uint64_t offset) {
    const char *members;
    walk(path, &s, &offset, &members);
    return s && !offset && *s && strchr("iufp", *s) ? *s : 0;
}

void shape_path(Buf *out, const char *s, uint64_t offset, bool *is_signed) {
    char scalar = scalar_at(out, s, offset);
    if (is_signed) *is_signed = scalar == 'i';
}

char shape_scalar(const char *s, uint64_t offset) {
    Buf path = {0};
    char scalar = scalar_at(&path, s, offset);
    buf_free(&path);
    return scalar;
}

size_t shape_bits(const char *s, uint64_t offset, uint64_t size, ShapeBits list[SHAPE_BITS_MAX]) {
    Buf path = {0};
    const char *members;
    uint64_t rest = offset, start = 0;
    size_t n = 0;
    walk(&path, &s, &rest, &members);
    buf_free(&path);
    if (!s || !is_bits(*s) || !members || size > 16) return 0;
    const char *all = members;
    for (Member m; member(&all, &m);)
        if (m.shape == s) start = m.start + rest; /* the offset within the struct */
    for (Member m; member(&members, &m);) {
        if (!m.width || first_bit(&m) < 8 * start || first_bit(&m) + m.width > 8 * (start + size) || n == SHAPE_BITS_MAX) continue;
        list[n++] = (ShapeBits){m.name, m.length, (unsigned)(first_bit(&m) - 8 * start), m.width, *m.shape == 's'};
    }
    return n;
}

i128 shape_bits_value(const ShapeBits *b, u128 bytes) {
    u128 value = (bytes >> b->low) & (((u128)1 << b->width) - 1);
    return b->is_signed && value >> (b->width - 1) ? (i128)value - ((i128)1 << b->width) : (i128)value;
}

/* Describes the scalar that starts at offset. Returns false if none starts there, as in padding. */
static bool scalar_here(const char *s, uint64_t offset, ShapeScalar *one) {
    Buf path = {0};
    const char *members;
    uint64_t rest = offset;
    walk(&path, &s, &rest, &members);
    buf_free(&path);
    if (!s || rest || !*s || !strchr("iufp", *s)) return false;
    const char *after = s + 1;
    *one = (ShapeScalar){.offset = offset, .kind = *s, .size = *s == 'p' ? 0 : number(&after)};
    return one->size > 0 || *s == 'p';
}

/* Guesses the size of the pointer at offset: shapes leave it out, but another scalar may follow. */
static uint64_t pointer_size(const char *s, uint64_t offset, uint64_t room) {
    ShapeScalar next;
    return room < 8 || scalar_here(s, offset + 4, &next) ? 4 : 8;
}

size_t shape_scalars(const char *s, uint64_t offset, uint64_t size, ShapeScalar list[SHAPE_SCALARS_MAX]) {
    size_t n = 0;
    ShapeScalar one;
    ShapeBits bits[SHAPE_BITS_MAX];
    if (size > 16) return 0;
    for (uint64_t at = 0; at < size;) {
        if (!scalar_here(s, offset + at, &one)) {
            if (shape_bits(s, offset + at, 1, bits)) return 0;
            at++;
            continue;
        }
        if (one.kind == 'p') one.size = pointer_size(s, offset + at, size - at);
        if (at + one.size > size) return 0;
        list[n++] = one;
        at += one.size;
    }
    return n;
}

/* Returns the length of the common prefix of two paths, up to where a member begins. */
static size_t common_path(const char *a, const char *b) {
    size_t n = 0, end = 0;
    for (; a[n] && a[n] == b[n]; n++)
        if (a[n] == '.' || a[n] == '[') end = n;
    return (a[n] == '.' || a[n] == '[') && (b[n] == '.' || b[n] == '[') ? n : end;
}

bool shape_several(Buf *path, Buf *part, const char *s, uint64_t offset, uint64_t size) {
    ShapeScalar list[SHAPE_SCALARS_MAX];
    size_t n = shape_scalars(s, offset, size, list);
    Buf first = {0}, one = {0};
    if (n < 2) return false;
    shape_path(&first, s, list[0].offset, NULL);
    shape_path(&one, s, list[n - 1].offset, NULL);
    size_t shared = common_path(buf_string(&first), buf_string(&one));
    buf_bytes(path, first.text, shared);
    for (size_t i = 0; i < n; i++) {
        one.length = 0;
        shape_path(&one, s, list[i].offset, NULL);
        const char *name = buf_string(&one) + shared;
        buf_printf(part, "%s%s@%" PRIu64 ":%c", i ? "," : "{", name + (*name == '.'), list[i].offset - offset, list[i].kind);
        if (list[i].kind != 'p') buf_printf(part, "%" PRIu64, list[i].size);
    }
    buf_char(part, '}');
    buf_free(&first);
    buf_free(&one);
    return true;
}

bool shape_is_piece(const char *s, uint64_t offset, uint64_t size) {
    ShapeScalar scalars[SHAPE_SCALARS_MAX];
    ShapeBits bits[SHAPE_BITS_MAX];
    if (!s || size > 8 || shape_scalars(s, offset, size, scalars) || shape_bits(s, offset, size, bits)) return false;
    Buf path = {0};
    shape_path(&path, s, offset, NULL);
    bool own = strstr(buf_string(&path), ".__") != NULL;
    buf_free(&path);
    return !own;
}

void shape_piece(Buf *out, const char *name, uint64_t offset, uint64_t size) {
    if (size == 1) buf_printf(out, "(byte %" PRIu64 " of %s)", offset, name);
    else buf_printf(out, "(bytes %" PRIu64 " to %" PRIu64 " of %s)", offset, offset + size - 1, name);
}

void shape_target(Buf *out, const char *s, uint64_t offset) {
    while (offset && s && (*s == '[' || *s == '{')) {
        if (*s++ == '{') {
            if (!field(out, &s, &offset)) break;
            continue;
        }
        number(&s);
        if (*s++ != 'x') break;
        uint64_t stride = number(&s);
        if (*s++ != ']' || !stride) break;
        buf_printf(out, "[%" PRIu64 "]", offset / stride);
        offset %= stride;
    }
    if (offset) buf_printf(out, "+%" PRIu64, offset);
}

/* Prints the shape of `size` bytes at offset alone: a scalar of that size, or a struct of bit-fields or scalars. Returns false if it is
   neither. */
static bool shape_part(Buf *out, const char *s, uint64_t offset, uint64_t size) {
    ShapeBits bits[SHAPE_BITS_MAX];
    size_t n = shape_bits(s, offset, size, bits);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.*s@%u:%c%u+%u", i ? "," : "{", (int)bits[i].length, bits[i].name, bits[i].low / 8,
                   bits[i].is_signed ? 's' : 'b', bits[i].low % 8, bits[i].width);
    if (n) {
        buf_char(out, '}');
        return true;
    }
    Buf path = {0};
    const char *members;
    bool several = shape_several(&path, out, s, offset, size);
    if (!several) walk(&path, &s, &offset, &members);
    buf_free(&path);
    if (several) return true;
    if (!s || offset || !*s || !strchr("iufp", *s)) return false;
    const char *after = s + 1;
    uint64_t whole = *s == 'p' ? size : number(&after);
    if (whole != size && !(*s == 'f' && whole > 10 && size == 10)) return false; /* a long double's padding is not accessed */
    buf_bytes(out, s, (size_t)(after - s));
    return true;
}

const char *shape_special(const char *s) { return s && *s != 'i' && *s != 'u' ? s : NULL; }

const char *shape_of_part(Exprs *x, const char *s, uint64_t offset, uint64_t size) {
    Buf part = {0};
    const char *text = shape_part(&part, s, offset, size) ? exprs_intern(x, part.text) : NULL;
    buf_free(&part);
    return text;
}

size_t shape_prefix(const char *name) {
    const char *end = strrchr(name, '{');
    return end && end > name && end[-1] == '.' ? (size_t)(end - name) - 1 : strlen(name);
}
