/* SPDX-License-Identifier: Apache-2.0 */
/* Executes instructions of x86 in the syntax of AT&T: moves, exchanges and arithmetic on registers and memory. Reading and writing are
   one step with the prefix `lock` and for an exchange with memory, else two steps. The flags are whether the result is zero, and its
   sign. */
#include "front/assembler.h"
#include <string.h>

/* An operand of an instruction. */
typedef struct Spot {
    enum { SPOT_CONSTANT, SPOT_REGISTER, SPOT_MEMORY } kind;
    unsigned number; /* for a register */
    unsigned width;  /* for a register: the width in its name; 0: the instruction determines it */
    uint64_t value;
    const Expr *address;
    /* For memory: the number of bits that the operand lets the code read and write, unless the code declares that it accesses all memory */
    unsigned reads, writes;
} Spot;

typedef struct Name {
    const char *text;
    size_t length;
} Name;

static bool is(Name s, const char *text) { return strlen(text) == s.length && !strncmp(text, s.text, s.length); }

/* ---- registers and flags ---- */

const Expr *asm_read_register(Assembler *m, unsigned number, unsigned width) {
    AsmRegister *r = &m->reg[number];
    if (!r->value) r->value = emit_any(m->lower, sort_bv(m->lower->pool, REGISTER_BITS));
    if (r->value->sort->width < width) return NULL;
    return r->value->sort->width == width ? r->value : expr_extract(m->lower->pool, r->value, 0, width);
}

/* Writes part of a register: 32 bits clear the bits above them, fewer bits keep those. */
static bool write_register(Assembler *m, unsigned number, const Expr *value) {
    AsmRegister *r = &m->reg[number];
    Exprs *p = m->lower->pool;
    unsigned width = value->sort->width;
    if (!r->declared) return false;
    if (width == 32) value = expr_convert(p, OP_ZEXT, value, REGISTER_BITS);
    else if (width < 32 && r->value && r->value->sort->width > width)
        value = expr_2(p, OP_CONCAT, expr_extract(p, r->value, width, r->value->sort->width - width), value);
    r->value = value;
    r->changed |= r->output && !r->early;
    m->spoilt |= r->output && !r->early && !r->given;
    return true;
}

const Expr *asm_flag(const Assembler *m, const char *name, size_t length) {
    Name s = {name, length};
    Exprs *p = m->lower->pool;
    if (is(s, "z") || is(s, "e")) return m->zero;
    if (is(s, "nz") || is(s, "ne")) return m->zero ? expr_not(p, m->zero) : NULL;
    if (is(s, "s")) return m->sign;
    if (is(s, "ns")) return m->sign ? expr_not(p, m->sign) : NULL;
    return NULL;
}

static void set_flags(Assembler *m, const Expr *result) {
    Exprs *p = m->lower->pool;
    unsigned width = result->sort->width;
    m->zero = expr_eq(p, result, expr_bv(p, width, 0));
    m->sign = expr_eq(p, expr_extract(p, result, width - 1, 1), expr_bv(p, 1, 1));
}

/* ---- places ---- */

static bool read_number(Name *s, uint64_t *value) {
    bool minus = s->length && *s->text == '-';
    size_t i = minus, first = i;
    unsigned base = s->length > i + 2 && s->text[i] == '0' && s->text[i + 1] == 'x' ? 16 : 10;
    if (base == 16) i += 2, first = i;
    for (*value = 0; i < s->length; i++) {
        const char *digits = "0123456789abcdef", *d = strchr(digits, s->text[i]);
        if (!d || !*d || (unsigned)(d - digits) >= base || i - first > 15) break;
        *value = *value * base + (uint64_t)(d - digits);
    }
    if (minus) *value = -*value;
    bool found = i > first;
    s->text += i, s->length -= i;
    return found;
}

/* Finds a register by name: %rax, %eax, %ax, %al, %r8. */
static bool named_spot(Assembler *m, Name s, Spot *out) {
    static const struct {
        const char *text, *name;
        unsigned width;
    } names[] = {{"al", "ax", 8},   {"bl", "bx", 8},   {"cl", "cx", 8},   {"dl", "dx", 8},   {"ax", "ax", 16},   {"bx", "bx", 16},
                 {"cx", "cx", 16},  {"dx", "dx", 16},  {"eax", "ax", 32}, {"ebx", "bx", 32}, {"ecx", "cx", 32},  {"edx", "dx", 32},
                 {"esi", "si", 32}, {"edi", "di", 32}, {"rax", "ax", 64}, {"rbx", "bx", 64}, {"rcx", "cx", 64},  {"rdx", "dx", 64},
                 {"rsi", "si", 64}, {"rdi", "di", 64}, {"r8", "r8", 64},  {"r9", "r9", 64},  {"r10", "r10", 64}, {"r11", "r11", 64}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(s, names[i].text)) {
            out->kind = SPOT_REGISTER;
            out->number = asm_register(m, names[i].name, strlen(names[i].name));
            out->width = names[i].width;
            return out->number != NONE;
        }
    return false;
}

/* True if an input that is used after an output was written may be lost. Input and output may share a register, unless the output has an
   input with another value there. */
static bool is_spoilt(const Assembler *m, const AsmOperand *o) {
    if (o->kind != ASM_MEMORY && m->reg[o->number].output) return false;
    const Expr *value = o->kind == ASM_MEMORY ? o->address : m->reg[o->number].given;
    bool spoilt = m->spoilt;
    for (unsigned i = 0; i < m->registers; i++) spoilt |= m->reg[i].changed && m->reg[i].given == value;
    return spoilt;
}

/* Returns the number of bits at the address that are an input. */
static unsigned input_at(const Assembler *m, const Expr *address) {
    unsigned width = 0;
    for (unsigned i = 0; i < m->operands; i++) {
        const AsmOperand *o = &m->operand[i];
        if (o->kind == ASM_MEMORY && !o->output && o->address == address && o->width > width) width = o->width;
    }
    return width;
}

/* Finds an operand: $2, ${2:b}. */
static bool operand_spot(Assembler *m, Name s, Spot *out) {
    bool braces = s.length && *s.text == '{';
    uint64_t index;
    if (braces) s.text++, s.length--;
    if (!read_number(&s, &index) || index >= m->operands) return false;
    const AsmOperand *o = &m->operand[index];
    *out = (Spot){.width = o->width, .number = o->number, .address = o->address};
    out->kind = o->kind == ASM_MEMORY ? SPOT_MEMORY : SPOT_REGISTER;
    out->reads = o->kind == ASM_MEMORY ? input_at(m, o->address) : 0;
    out->writes = o->kind == ASM_MEMORY && o->output ? o->width : 0;
    if (o->kind == ASM_FLAG || is_spoilt(m, o)) return false;
    if (!braces) return s.length == 0;
    if (s.length == 1) return *s.text == '}';
    static const char letters[] = "bwkq";
    const char *letter = s.length == 3 && s.text[0] == ':' && s.text[2] == '}' ? strchr(letters, s.text[1]) : NULL;
    if (!letter || !*letter || out->kind != SPOT_REGISTER) return false;
    out->width = 8u << (letter - letters);
    return true;
}

static bool find_spot(Assembler *m, Name s, Spot *out);

/* Finds memory: 8($2), (%rax). */
static bool indirect_spot(Assembler *m, Name s, Spot *out) {
    uint64_t offset = 0;
    unsigned pointer = m->lower->front->pointer_width;
    if (*s.text != '(' && !read_number(&s, &offset)) return false;
    if (s.length < 3 || *s.text != '(' || s.text[s.length - 1] != ')') return false;
    Spot base = {0};
    Name inner = {s.text + 1, s.length - 2};
    if (!find_spot(m, inner, &base) || base.kind != SPOT_REGISTER || base.width != pointer) return false;
    const Expr *address = asm_read_register(m, base.number, pointer);
    if (!address) return false;
    *out = (Spot){.kind = SPOT_MEMORY, .address = address_add(m->lower->front, address, offset)};
    return true;
}

static bool find_spot(Assembler *m, Name s, Spot *out) {
    if (!s.length) return false;
    if (s.length > 2 && !strncmp(s.text, "$$", 2)) {
        Name rest = {s.text + 2, s.length - 2};
        *out = (Spot){.kind = SPOT_CONSTANT};
        return read_number(&rest, &out->value) && !rest.length;
    }
    Name rest = {s.text + 1, s.length - 1};
    if (*s.text == '$') return operand_spot(m, rest, out);
    if (*s.text == '%') return named_spot(m, rest, out);
    return indirect_spot(m, s, out);
}

static const Expr *read_spot(Assembler *m, const Spot *s, unsigned width) {
    Lower *l = m->lower;
    if (s->kind == SPOT_CONSTANT) return expr_bv(l->pool, width, s->value);
    if (s->kind == SPOT_REGISTER) return asm_read_register(m, s->number, width);
    if (!m->memory && s->reads < width) return NULL; /* compilers do not know that it reads other memory */
    l->order = m->locked ? ORDER_SEQ_CST : ORDER_RELAXED;
    return load_scalar(l, s->address, sort_bv(l->pool, width), width / 8, true);
}

static bool write_spot(Assembler *m, const Spot *s, const Expr *value) {
    if (s->kind == SPOT_MEMORY && !m->memory && s->writes < value->sort->width) return false;
    m->lower->order = ORDER_RELAXED;
    if (s->kind == SPOT_MEMORY) store_scalar(m->lower, s->address, value, value->sort->width / 8, true);
    else if (s->kind == SPOT_CONSTANT || !write_register(m, s->number, value)) return false;
    return true;
}

/* ---- read, then write: one step if it is locked ---- */

static const Expr *begin_change(Assembler *m, const Spot *s, unsigned width) {
    if (m->locked && m->lower->cursor.depth == 0) settle_faults(m->lower);
    if (m->locked && s->kind == SPOT_MEMORY) fence_private(m->lower, NULL, s->address, true);
    return read_spot(m, s, width);
}

static bool end_change(Assembler *m, const Spot *s, const Expr *value) {
    if (s->kind == SPOT_MEMORY && !m->memory && s->writes < value->sort->width) return false;
    if (s->kind != SPOT_MEMORY || !m->locked) return write_spot(m, s, value);
    Instr *i = emit(m->lower, INSTR_STORE);
    i->address = s->address;
    i->value = to_memory(m->lower->front, value, value->sort->width / 8);
    i->atomic = true;
    return true;
}

/* ---- instructions ---- */

typedef struct Statement {
    Name name; /* without the letter for the width */
    unsigned width, n;
    Spot spot[2]; /* the source, and last the place that changes */
} Statement;

static bool exchange(Assembler *m, Statement *s) {
    Spot *a = &s->spot[0], *b = &s->spot[1];
    if (a->kind == SPOT_MEMORY) {
        Spot other = *a;
        *a = *b;
        *b = other;
    }
    m->locked |= b->kind == SPOT_MEMORY;
    if (a->kind != SPOT_REGISTER) return false;
    const Expr *x = asm_read_register(m, a->number, s->width), *y = x ? begin_change(m, b, s->width) : NULL;
    return y && end_change(m, b, x) && write_spot(m, a, y);
}

static bool exchange_add(Assembler *m, const Statement *s) {
    const Expr *x = s->spot[0].kind == SPOT_REGISTER ? asm_read_register(m, s->spot[0].number, s->width) : NULL;
    const Expr *y = x ? begin_change(m, &s->spot[1], s->width) : NULL;
    if (!y) return false;
    const Expr *sum = expr_2(m->lower->pool, OP_ADD, y, x);
    set_flags(m, sum);
    return end_change(m, &s->spot[1], sum) && write_spot(m, &s->spot[0], y);
}

/* Compares the accumulator with memory. If they are equal, memory gets the new value, else the accumulator gets that of memory. Memory
   is written in any case. */
static bool compare_exchange(Assembler *m, const Statement *s) {
    Exprs *p = m->lower->pool;
    unsigned accumulator = asm_register(m, "ax", 2);
    if (accumulator == NONE || s->spot[0].kind != SPOT_REGISTER) return false;
    const Expr *desired = asm_read_register(m, s->spot[0].number, s->width), *expected = asm_read_register(m, accumulator, s->width);
    const Expr *old = desired && expected ? begin_change(m, &s->spot[1], s->width) : NULL;
    if (!old) return false;
    const Expr *equal = emit_hold(m->lower, expr_eq(p, old, expected));
    if (!end_change(m, &s->spot[1], expr_ite(p, equal, desired, old))) return false;
    m->zero = equal;
    m->sign = NULL;
    return write_register(m, accumulator, expr_ite(p, equal, expected, old));
}

/* Executes cmpxchg8b and cmpxchg16b: dx:ax is the accumulator, cx:bx the new value. */
static bool compare_exchange_pair(Assembler *m, const Spot *at, unsigned half) {
    static const char *const names[] = {"ax", "dx", "bx", "cx"};
    Exprs *p = m->lower->pool;
    unsigned number[4];
    const Expr *value[4];
    for (unsigned i = 0; i < 4; i++) {
        number[i] = asm_register(m, names[i], 2);
        value[i] = number[i] == NONE ? NULL : asm_read_register(m, number[i], half);
        if (!value[i]) return false;
    }
    const Expr *expected = expr_2(p, OP_CONCAT, value[1], value[0]), *old = begin_change(m, at, 2 * half);
    if (!old) return false;
    m->zero = m->sign = NULL;
    if (value[3] == value[1] && value[2] == value[0]) /* used only to read: memory does not change */
        return end_change(m, at, old) && write_register(m, number[0], expr_extract(p, old, 0, half)) &&
               write_register(m, number[1], expr_extract(p, old, half, half));
    const Expr *equal = m->zero = emit_hold(m->lower, expr_eq(p, old, expected));
    if (!end_change(m, at, expr_ite(p, equal, expr_2(p, OP_CONCAT, value[3], value[2]), old))) return false;
    return write_register(m, number[0], expr_ite(p, equal, value[0], expr_extract(p, old, 0, half))) &&
           write_register(m, number[1], expr_ite(p, equal, value[1], expr_extract(p, old, half, half)));
}

static const Expr *binary(Assembler *m, Name s, const Expr *a, const Expr *b) {
    static const struct {
        const char *name;
        Op op;
    } table[] = {{"add", OP_ADD}, {"sub", OP_SUB}, {"and", OP_BAND}, {"or", OP_BOR}, {"xor", OP_BXOR}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is(s, table[i].name)) return expr_2(m->lower->pool, table[i].op, a, b);
    return NULL;
}

static const Expr *unary(Assembler *m, Name s, const Expr *a) {
    Exprs *p = m->lower->pool;
    unsigned width = a->sort->width;
    if (is(s, "inc")) return expr_2(p, OP_ADD, a, expr_bv(p, width, 1));
    if (is(s, "dec")) return expr_2(p, OP_SUB, a, expr_bv(p, width, 1));
    if (is(s, "neg")) return expr_2(p, OP_SUB, expr_bv(p, width, 0), a);
    if (is(s, "not")) return expr_2(p, OP_BXOR, a, expr_bv(p, width, ~(u128)0));
    return NULL;
}

static bool change(Assembler *m, const Statement *s) {
    const Spot *to = &s->spot[s->n - 1];
    const Expr *by = s->n == 2 ? read_spot(m, &s->spot[0], s->width) : NULL;
    if ((s->n == 2 && !by) || to->kind == SPOT_CONSTANT || (s->n == 2 && s->spot[0].kind == SPOT_MEMORY && to->kind == SPOT_MEMORY))
        return false;
    const Expr *old = begin_change(m, to, s->width);
    const Expr *value = !old ? NULL : s->n == 2 ? binary(m, s->name, old, by) : unary(m, s->name, old);
    if (!value) return false;
    if (!is(s->name, "not")) set_flags(m, value);
    return end_change(m, to, value);
}

static bool move(Assembler *m, const Statement *s) {
    if (s->n != 2 || (s->spot[0].kind == SPOT_MEMORY && s->spot[1].kind == SPOT_MEMORY)) return false;
    const Expr *value = read_spot(m, &s->spot[0], s->width);
    return value && write_spot(m, &s->spot[1], value);
}

static bool set_byte(Assembler *m, Name condition, Spot *to, unsigned n) {
    const Expr *flag = asm_flag(m, condition.text, condition.length);
    if (!flag || n != 1 || (to->kind == SPOT_REGISTER && to->width != 8)) return false;
    return write_spot(m, to, expr_convert(m->lower->pool, OP_ZEXT, as_bits(m->lower->front, flag), 8));
}

/* ---- statements ---- */

static bool takes(Name s, unsigned *operands) {
    static const char *const two[] = {"mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor"}, *const one[] = {"inc", "dec",
                                                                                                                           "neg", "not"};
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (is(s, two[i])) return *operands = 2, true;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (is(s, one[i])) return *operands = 1, true;
    return false;
}

/* Finds the name, and the width from its last letter or from its registers, which must agree. */
static bool find_width(Statement *s) {
    static const char letters[] = "bwlq";
    unsigned operands;
    if (!takes(s->name, &operands)) {
        const char *letter = s->name.length ? strchr(letters, s->name.text[s->name.length - 1]) : NULL;
        if (!letter) return false;
        s->width = 8u << (letter - letters);
        s->name.length--;
        if (!takes(s->name, &operands)) return false;
    }
    for (unsigned i = 0; i < s->n; i++) {
        if (s->spot[i].kind != SPOT_REGISTER) continue;
        if (s->width && s->width != s->spot[i].width) return false;
        s->width = s->spot[i].width;
    }
    return operands == s->n && (s->width == 8 || s->width == 16 || s->width == 32 || s->width == 64);
}

static bool split(Assembler *m, const char *text, size_t n, Statement *s) {
    static const char blank[] = " \t";
    size_t at = 0;
    while (at < n && !strchr(blank, text[at])) at++;
    s->name = (Name){text, at};
    while (at < n) {
        size_t end = at, last;
        int depth = 0;
        for (; end < n && (depth || text[end] != ','); end++) depth += (text[end] == '(') - (text[end] == ')');
        last = end;
        while (at < last && strchr(blank, text[at])) at++;
        while (last > at && strchr(blank, text[last - 1])) last--;
        Name place = {text + at, last - at};
        if (s->n == 2 || !find_spot(m, place, &s->spot[s->n])) return false;
        s->n++;
        at = end < n ? end + 1 : n;
    }
    return true;
}

static bool run_statement(Assembler *m, Statement *s) {
    bool may_lock = s->n && s->spot[s->n - 1].kind == SPOT_MEMORY;
    if (s->name.length > 3 && !strncmp(s->name.text, "set", 3)) {
        Name condition = {s->name.text + 3, s->name.length - 3};
        return !m->locked && set_byte(m, condition, &s->spot[0], s->n);
    }
    if (is(s->name, "cmpxchg16b") || is(s->name, "cmpxchg8b"))
        return s->n == 1 && may_lock && compare_exchange_pair(m, &s->spot[0], is(s->name, "cmpxchg8b") ? 32 : 64);
    if (!find_width(s)) return false;
    if (is(s->name, "xchg")) return exchange(m, s);
    if (m->locked && (!may_lock || is(s->name, "mov"))) return false;
    if (is(s->name, "mov")) return move(m, s);
    if (is(s->name, "xadd")) return exchange_add(m, s);
    return is(s->name, "cmpxchg") ? compare_exchange(m, s) : change(m, s);
}

bool asm_execute(Assembler *m, const char *text, size_t n) {
    Name all = {text, n};
    if (is(all, "lock")) return m->locked = true;
    if (asm_does_nothing(text, n)) {
        asm_order(m->lower, text, n, false);
        return !m->locked || n == 0;
    }
    Statement s = {0};
    if (n > 5 && !strncmp(text, "lock ", 5)) {
        m->locked = true;
        while (n && text[0] != ' ') text++, n--;
        while (n && (text[0] == ' ' || text[0] == '\t')) text++, n--;
    }
    bool done = split(m, text, n, &s) && run_statement(m, &s);
    m->locked = false;
    return done;
}
