/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers assembler code.

   Code that does nothing under sequential consistency is left out: empty code, and instructions that order or delay accesses. One of
   these is the locked addition of zero to the top of the stack, which old kernels use as a barrier. Code that ends the process does so.

   A few instructions of x86, mostly those of locks, are executed (assembler_x86.c), with their operands where the constraints put them.
   All other code is not modelled, whatever its operands and clobbers declare: code without operands can name variables of the program. */
#include "front/assembler.h"
#include "front/messages.h"
#include <string.h>

/* "lock" and "rep" are prefixes of the next statement. */
bool asm_does_nothing(const char *s, size_t n) {
    static const char *const texts[] = {"",
                                        "nop",
                                        "pause",
                                        "rep",
                                        "rep nop",
                                        "lock",
                                        "mfence",
                                        "lfence",
                                        "sfence",
                                        "addl $$0,0(%esp)",
                                        "addl $$0,(%esp)",
                                        "addl $$0,0(%rsp)",
                                        "addl $$0,(%rsp)",
                                        "addl $$0,-4(%rsp)",
                                        "addl $$0, 0(%esp)",
                                        "addl $$0, 0(%rsp)",
                                        "orl $$0,(%rsp)",
                                        "orl $$0, (%rsp)",
                                        "orq $$0,(%rsp)",
                                        "orq $$0, (%rsp)",
                                        "yield",
                                        "isb",
                                        "dmb sy",
                                        "dmb ish",
                                        "dmb ishld",
                                        "dmb ishst",
                                        "dsb sy",
                                        "dsb ish",
                                        "dsb ishld",
                                        "dsb ishst"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strlen(texts[i]) == n && !strncmp(texts[i], s, n)) return true;
    return false;
}

/* Returns the next statement of the text without blanks around it. *rest is the text behind it, NULL at the end. */
static const char *statement(const char *s, size_t *n, const char **rest) {
    static const char blank[] = " \t\r";
    s += strspn(s, blank);
    size_t all = *n = strcspn(s, ";\n");
    while (*n && strchr(blank, s[*n - 1])) --*n;
    *rest = s[all] ? s + all + 1 : NULL;
    return s;
}

/* The locked addition of zero is a barrier, too. */
void asm_order(Lower *l, const char *s, size_t n, bool locked) {
    static const struct {
        const char *text;
        MemoryOrder order;
    } barriers[] = {{"mfence", ORDER_SEQ_CST},    {"lfence", ORDER_ACQUIRE},    {"sfence", ORDER_RELEASE},    {"dmb ishld", ORDER_ACQUIRE},
                    {"dsb ishld", ORDER_ACQUIRE}, {"dmb ishst", ORDER_RELEASE}, {"dsb ishst", ORDER_RELEASE}, {"dmb sy", ORDER_SEQ_CST},
                    {"dsb sy", ORDER_SEQ_CST},    {"dmb ish", ORDER_SEQ_CST},   {"dsb ish", ORDER_SEQ_CST}};
    if (n > 2 && locked) emit_fence(l, ORDER_SEQ_CST);
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
        if (strlen(barriers[i].text) == n && !strncmp(barriers[i].text, s, n)) emit_fence(l, barriers[i].order);
}

static void order_all(Lower *l, const char *text) {
    bool locked = false;
    for (const char *rest = text; rest;) {
        size_t n;
        const char *s = statement(rest, &n, &rest);
        bool prefix = n == 4 && !strncmp(s, "lock", 4);
        if (n > 5 && !strncmp(s, "lock ", 5)) s += 5, n -= 5, locked = true;
        if (!prefix) asm_order(l, s, n, locked);
        locked = prefix;
    }
}

static bool is_barrier(const char *text) {
    for (const char *rest = text; rest;) {
        size_t n;
        const char *s = statement(rest, &n, &rest);
        if (n > 5 && !strncmp(s, "lock ", 5)) s += 5, n -= 5;
        if (!asm_does_nothing(s, n)) return false;
    }
    return true;
}

/* ---- operands ---- */

unsigned asm_register(Assembler *m, const char *name, size_t length) {
    for (unsigned i = 0; i < m->registers && name; i++)
        if (m->reg[i].name && strlen(m->reg[i].name) == length && !strncmp(m->reg[i].name, name, length)) return i;
    if (m->registers == MAX_REGISTERS) return NONE;
    m->reg[m->registers] = (AsmRegister){.name = name ? arena_strndup(m->lower->front->scratch, name, length) : NULL};
    return m->registers++;
}

/* Returns the register with a name as in constraints and clobbers ("ax", "rax", "%rax", "r8"), in one spelling for each. */
static unsigned named_register(Assembler *m, const char *name, size_t n) {
    if (n && *name == '%') name++, n--;
    bool letters = n == 3 && (*name == 'r' || *name == 'e') && !(name[1] >= '0' && name[1] <= '9');
    return letters ? asm_register(m, name + 1, n - 1) : asm_register(m, name, n);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* True if the constraint asks for a general register, or also allows a constant or memory: the operand is a value in any case. */
static bool is_value(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!strchr("rqQRlimngeZIJKLMNO", s[i])) return false;
    return n > 0;
}

/* Finds where the constraint puts a value. False if that is unknown. */
static bool place_register(Assembler *m, AsmOperand *o, const char *s, size_t n) {
    if (n && *s == '{') {
        if (n > 3 && s[1] == '@' && !strncmp(s + 2, "cc", 2)) {
            o->kind = ASM_FLAG;
            o->flag = arena_strndup(m->lower->front->scratch, s + 4, n - 5);
            return o->output;
        }
        o->number = named_register(m, s + 1, n - 2);
    } else if (n && is_digit(*s)) {
        unsigned tied = (unsigned)(*s - '0');
        if (n != 1 || o->output || tied >= m->operands || !m->operand[tied].output || m->operand[tied].kind != ASM_REGISTER) return false;
        o->number = m->operand[tied].number;
    } else if (is_value(s, n)) {
        o->number = asm_register(m, NULL, 0);
    } else {
        return false;
    }
    if (o->number == NONE) return false;
    m->reg[o->number].output |= o->output;
    m->reg[o->number].declared |= o->output;
    return true;
}

static LLVMTypeRef pointed_type(LLVMValueRef call, unsigned argument) {
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static bool add_memory(Assembler *m, AsmOperand *o, LLVMValueRef call, unsigned argument) {
    LLVMTypeRef type = pointed_type(call, argument);
    o->kind = ASM_MEMORY;
    o->address = value_of(m->lower, LLVMGetOperand(call, argument));
    if (!type || !LLVMTypeIsSized(type)) return false;
    o->width = 8 * (unsigned)type_size(m->lower->front, type);
    return true;
}

static bool add_input(Assembler *m, const AsmOperand *o, LLVMValueRef given) {
    const Leaves *type = type_leaves(m->lower->front, LLVMTypeOf(given));
    if (!type->supported || type->n != 1) return false;
    const Expr *value = as_bits(m->lower->front, value_of(m->lower, given));
    AsmRegister *r = &m->reg[o->number];
    if (value->sort->width > REGISTER_BITS || r->value) return false;
    r->value = r->given = value;
    return true;
}

/* Adds the operand of one constraint. *argument and *result count the arguments and results of the call that are used up. */
static bool add_operand(Assembler *m, LLVMValueRef call, const char *s, size_t n, unsigned *argument, unsigned *result) {
    if (m->operands == MAX_OPERANDS) return false;
    AsmOperand o = {.output = *s == '='};
    const Leaves *results = type_leaves(m->lower->front, LLVMTypeOf(call));
    bool indirect = false, early = false, fine = true;
    for (; n && strchr("=&*%", *s); s++, n--) indirect |= *s == '*', early |= *s == '&', fine &= *s != '%';
    if (!fine || (!indirect && o.output && *result >= results->n)) return false;
    if (indirect) {
        fine = add_memory(m, &o, call, (*argument)++);
    } else if (o.output) {
        fine = place_register(m, &o, s, n);
        if (fine && o.kind == ASM_REGISTER) m->reg[o.number].early |= early;
        o.width = type_bits(results->leaf[(*result)++].sort);
    } else {
        LLVMValueRef given = LLVMGetOperand(call, (*argument)++);
        fine = place_register(m, &o, s, n) && add_input(m, &o, given);
        if (fine) o.width = m->reg[o.number].value->sort->width;
    }
    m->operand[m->operands++] = o;
    return fine;
}

static bool add_operands(Assembler *m, LLVMValueRef call, const char *list) {
    unsigned argument = 0, result = 0;
    for (const char *s = list; *s; s += *s == ',') {
        size_t n = 0;
        for (bool inside = false; s[n] && (inside || s[n] != ','); n++) inside = s[n] == '{' || (inside && s[n] != '}');
        if (*s == '!') return false;
        if (*s == '~') {
            unsigned number = n > 3 && s[1] == '{' ? named_register(m, s + 2, n - 3) : NONE;
            if (number == NONE) return false;
            m->reg[number].declared = true;
            m->memory |= n == 9 && !strncmp(s, "~{memory}", n);
        } else if (!add_operand(m, call, s, n, &argument, &result)) {
            return false;
        }
        s += n;
    }
    return true;
}

/* ---- running ---- */

static bool define_results(Assembler *m, LLVMValueRef call) {
    Lower *l = m->lower;
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    const Expr **leaves = arena_array(l->front->scratch, const Expr *, type->n + 1);
    unsigned n = 0;
    for (unsigned i = 0; i < m->operands; i++) {
        const AsmOperand *o = &m->operand[i];
        if (!o->output || o->kind == ASM_MEMORY) continue;
        const Expr *e = o->kind == ASM_FLAG ? asm_flag(m, o->flag, strlen(o->flag)) : asm_read_register(m, o->number, o->width);
        if (!e || n == type->n) return false;
        leaves[n] = as_sort(l->front, o->kind == ASM_FLAG ? as_bits(l->front, e) : e, type->leaf[n].sort);
        n++;
    }
    if (n != type->n) return false;
    if (n) define(l, call, leaves);
    return true;
}

static bool run(Lower *l, LLVMValueRef call, const char *text, const char *list) {
    Assembler m = {.lower = l};
    if (!add_operands(&m, call, list)) return false;
    for (const char *rest = text; rest;) {
        size_t n;
        const char *s = statement(rest, &n, &rest);
        if (!asm_execute(&m, s, n)) return false;
    }
    return !m.locked && define_results(&m, call);
}

/* True if code without instructions has at most one output, which is tied to an input and so has its value. *value is the index of that
   operand, if *has_value. An output in memory, "=*m", is an address to the call; without an instruction it is not written. */
static bool passes_on(const char *list, unsigned operands, unsigned *value, bool *has_value) {
    unsigned direct = 0, operand = 0;
    *has_value = false;
    for (const char *s = list; *s; s += *s == ',') {
        size_t n = strcspn(s, ",");
        bool indirect = memchr(s, '*', n) != NULL;
        if (*s == '=') {
            direct += !indirect;
            operand += indirect;
        } else if (*s != '~' && *s != '!') {
            if (n == 1 && *s == '0') {
                *value = operand;
                *has_value = operand < operands;
            }
            operand++;
        }
        s += n;
    }
    return direct == 0 || (direct == 1 && list[0] == '=' && list[1] != '*' && *has_value);
}

void call_assembler(Lower *l, LLVMValueRef call, LLVMValueRef code) {
    size_t length, n;
    const char *text = LLVMGetInlineAsmAsmString(code, &length), *list = LLVMGetInlineAsmConstraintString(code, &n);
    text = arena_strndup(l->front->scratch, text, length);
    list = arena_strndup(l->front->scratch, list, n);
    unsigned operand = 0;
    bool has_value;
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    if (!strcmp(text, "ud2")) {
        emit_halt(l);
    } else if (is_barrier(text) && passes_on(list, LLVMGetNumArgOperands(call), &operand, &has_value) && (type->n == 0 || has_value)) {
        LLVMValueRef given = has_value ? LLVMGetOperand(call, operand) : NULL;
        order_all(l, text);
        if (type->n) define(l, call, coerce(l, value_leaves(l, given), type_leaves(l->front, LLVMTypeOf(given))->n, type));
    } else if (LLVMGetInlineAsmDialect(code) != LLVMInlineAsmDialectATT || !run(l, call, text, list)) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_ASSEMBLER);
    }
}
