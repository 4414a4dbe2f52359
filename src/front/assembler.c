/* SPDX-License-Identifier: Apache-2.0 */
/* Assembler code. What is known to do nothing under sequential consistency is left out: no instruction at all, instructions that
   order or delay accesses, and the locked addition of nothing to the top of the stack that old kernels use as a barrier. What is known to end
   the process does. Everything else is not modelled, whatever its operands and clobbers say: code without operands can
   name variables of the program itself. */
#include "front/lower.h"
#include <string.h>

/* One instruction, without blanks around it. ("lock" and "rep" are prefixes of the next.) */
static bool does_nothing(const char *s, size_t n) {
    static const char *const texts[] = {
        "", "nop", "pause", "rep", "rep nop", "lock", "mfence", "lfence", "sfence",
        "addl $$0,0(%esp)", "addl $$0,(%esp)", "addl $$0,0(%rsp)", "addl $$0,(%rsp)", "addl $$0,-4(%rsp)", "addl $$0, 0(%esp)", "addl $$0, 0(%rsp)",
        "orl $$0,(%rsp)", "orl $$0, (%rsp)", "orq $$0,(%rsp)", "orq $$0, (%rsp)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strlen(texts[i]) == n && !strncmp(texts[i], s, n)) return true;
    return false;
}

static bool is_barrier(const char *text) {
    static const char blank[] = " \t\r";
    for (const char *s = text; *s || s == text;) {
        s += strspn(s, blank);
        if (!strncmp(s, "lock ", 5)) s += 5 + strspn(s + 5, blank);
        size_t all = strcspn(s, ";\n"), n = all;
        while (n && strchr(blank, s[n - 1])) n--;
        if (!does_nothing(s, n)) return false;
        if (!s[all]) break;
        s += all + 1;
    }
    return true;
}

/* With no instruction in between, an output that is tied to an input has its value. *value is that operand, or NULL where there is no
   output at all. False: there are other outputs. (An output in memory, "=*m", is an address to the call: no instruction, no write.) */
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
        if (type->n) define(l, call, coerce(l, value_leaves(l, given), type_leaves(l->front, LLVMTypeOf(given))->n, type));
    } else {
        emit_stop(l, APPROX_UNSUPPORTED, "assembler code");
    }
}
