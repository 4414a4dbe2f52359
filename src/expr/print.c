/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the .hir form of sorts and expressions, values for display, and wide numbers in decimal. */
#include "expr/internal.h"
#include "expr/lexer.h"

void print_u128(Buf *b, u128 v) {
    char digits[40], *at = digits + sizeof digits - 1;
    *at = 0;
    do *--at = (char)('0' + (int)(v % 10));
    while (v /= 10);
    buf_text(b, at);
}

void print_i128(Buf *b, i128 v) {
    if (v < 0) buf_char(b, '-');
    print_u128(b, v < 0 ? -(u128)v : (u128)v);
}

void sort_print(Buf *b, const Sort *s) {
    switch (s->kind) {
    case SORT_BOOL: buf_text(b, "bool"); break;
    case SORT_INT: buf_text(b, "int"); break;
    case SORT_BV: buf_printf(b, "bv%u", s->width); break;
    case SORT_ARRAY:
        buf_text(b, "array(");
        sort_print(b, s->index);
        buf_char(b, ',');
        sort_print(b, s->element);
        buf_char(b, ')');
    }
}

static void print_constant(Buf *b, const Expr *e) {
    switch (e->sort->kind) {
    case SORT_BOOL: buf_text(b, e->value ? "true" : "false"); break;
    case SORT_INT: print_i128(b, (i128)e->value); break;
    default: print_u128(b, e->value); buf_printf(b, ":%u", e->sort->width);
    }
}

/* Prints the parameters between the operator and its operands. */
static void print_parameters(Buf *b, const Expr *e) {
    if (e->flags & FLAG_NSW) buf_text(b, " nsw");
    if (e->flags & FLAG_NUW) buf_text(b, " nuw");
    if (e->flags & FLAG_EXACT) buf_text(b, " exact");
    switch (e->op) {
    case OP_EXTRACT: buf_printf(b, " %u %u", e->low, e->sort->width); break;
    case OP_CONST_ARRAY:
        buf_char(b, ' ');
        sort_print(b, e->sort);
        break;
    case OP_APPLY:
        buf_char(b, ' ');
        name_print(b, e->symbol->name);
        break;
    default:
        if (op_is_conversion(e->op)) buf_printf(b, " %u", e->sort->width);
    }
}

void expr_print_named(Buf *b, const Expr *e, ExprName name, void *context) {
    const char *known = name ? name(context, e) : NULL;
    if (known) {
        name_print(b, known);
        return;
    }
    if (e->op == OP_CONST) {
        print_constant(b, e);
        return;
    }
    if (e->op == OP_SYMBOL) {
        name_print(b, e->symbol->name);
        return;
    }
    buf_printf(b, "(%s", op_text(e->op));
    print_parameters(b, e);
    for (unsigned i = 0; i < e->nargs; i++) {
        buf_char(b, ' ');
        expr_print_named(b, e->args[i], name, context);
    }
    buf_char(b, ')');
}

void expr_print(Buf *b, const Expr *e) { expr_print_named(b, e, NULL, NULL); }

static void print_array(Buf *b, const Sort *s, const ArrayValue *a, bool is_signed) {
    Value index, element;
    buf_char(b, '{');
    for (size_t i = 0; i < array_entries(a); i++) {
        array_entry(a, i, &index, &element);
        value_print(b, s->index, index, false);
        buf_text(b, ": ");
        value_print(b, s->element, element, is_signed);
        buf_text(b, ", ");
    }
    buf_text(b, "else ");
    value_print(b, s->element, array_default(a), is_signed);
    buf_char(b, '}');
}

void value_print(Buf *b, const Sort *s, Value v, bool is_signed) {
    switch (s->kind) {
    case SORT_BOOL: buf_text(b, v.bits ? "true" : "false"); break;
    case SORT_INT: print_i128(b, (i128)v.bits); break;
    case SORT_ARRAY: print_array(b, s, v.array, is_signed); break;
    case SORT_BV:
        if (is_signed) print_i128(b, signed_of(v.bits, s->width));
        else print_u128(b, v.bits);
    }
}
