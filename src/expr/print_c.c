/* SPDX-License-Identifier: Apache-2.0 */
/* Prints expressions as a C programmer would write them: for display, not for a compiler. Bit-vectors have no sign, but operators do. A
   reading (signed, unsigned, floating) is passed down to the constants. A cast is written where C would read the operands in another way
   than the operator does. */
#include "expr/internal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Reading { UNSIGNED = -1, ANY = 0, SIGNED = 1, FLOATING = 2 } Reading;

enum { /* C's precedences, tighter is higher */
       P_CHOICE = 1,
       P_OR,
       P_AND,
       P_BOR,
       P_BXOR,
       P_BAND,
       P_EQUAL,
       P_LESS,
       P_SHIFT,
       P_SUM,
       P_PRODUCT,
       P_UNARY,
       P_POSTFIX
};

static void print(Buf *, const Expr *, int least, Reading);

/* ---- how C would read an expression ---- */
static Reading joined(Reading a, Reading b) {
    return a == UNSIGNED || b == UNSIGNED ? UNSIGNED : a == SIGNED || b == SIGNED ? SIGNED : ANY;
}

static Reading reading_of(const Expr *e) {
    switch (e->op) {
    case OP_SYMBOL: return e->symbol->sign > 0 ? SIGNED : e->symbol->sign < 0 ? UNSIGNED : ANY;
    case OP_UDIV:
    case OP_UREM:
    case OP_LSHR:
    case OP_FP_TO_UBV: return UNSIGNED;
    case OP_SDIV:
    case OP_SREM:
    case OP_ASHR:
    case OP_SEXT:
    case OP_FP_TO_SBV: return SIGNED;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_SHL:
        if (e->flags) return e->flags & FLAG_NSW ? SIGNED : UNSIGNED;
        return joined(reading_of(e->args[0]), e->op == OP_SHL ? ANY : reading_of(e->args[1]));
    case OP_ITE: return joined(reading_of(e->args[1]), reading_of(e->args[2]));
    default: return ANY;
    }
}

static const char *type_name(unsigned width, Reading reading, char room[32]) {
    bool is_unsigned = reading == UNSIGNED;
    if (reading == FLOATING) return width == 32 ? "float" : width == 64 ? "double" : "long double";
    switch (width) {
    case 8: return is_unsigned ? "unsigned char" : "signed char";
    case 16: return is_unsigned ? "unsigned short" : "short";
    case 32: return is_unsigned ? "unsigned" : "int";
    case 64: return is_unsigned ? "unsigned long" : "long";
    case 128: return is_unsigned ? "unsigned __int128" : "__int128";
    default: snprintf(room, 32, "%s_BitInt(%u)", is_unsigned ? "unsigned " : "", width); return room;
    }
}

static void print_cast(Buf *b, unsigned width, Reading reading) {
    char room[32];
    buf_printf(b, "(%s)", type_name(width, reading, room));
}

/* ---- leaves ---- */
void float_print_c(Buf *b, u128 bits, unsigned width) {
    long double v = float_value(bits, width);
    char text[64];
    if (isnan(v)) {
        buf_text(b, "NAN");
    } else if (isinf(v)) {
        buf_text(b, v < 0 ? "-INFINITY" : "INFINITY");
    } else {
        snprintf(text, sizeof text, "%.*Lg", width == 32 ? 9 : width == 64 ? 17 : 21, v);
        for (int digits = 1; digits < 21; digits++) { /* the shortest text that reads back the same */
            char shorter[64];
            long double read;
            snprintf(shorter, sizeof shorter, "%.*Lg", digits, v);
            if (sscanf(shorter, "%Lg", &read) == 1 && (width == 32   ? (float)read == (float)v
                                                       : width == 64 ? (double)read == (double)v
                                                                     : read == v)) {
                memcpy(text, shorter, sizeof text);
                break;
            }
        }
        buf_printf(b, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
    }
}

void float_literal_c(Buf *b, u128 bits, unsigned width) {
    float_print_c(b, bits, width);
    char last = b->text[b->length - 1];
    if (last >= '0' && last <= '9') buf_text(b, width == 32 ? "f" : width == 80 ? "L" : "");
}

static bool is_negative(const Expr *e) {
    return is_int(e->sort) ? (i128)e->value < 0 : e->sort->width > 1 && e->value >> (e->sort->width - 1) & 1;
}

static void print_constant(Buf *b, const Expr *e, Reading reading) {
    if (e->sort->kind == SORT_BOOL) buf_text(b, e->value ? "true" : "false");
    else if (is_int(e->sort)) print_i128(b, (i128)e->value);
    else if (reading == FLOATING && float_width(e->sort->width)) float_literal_c(b, e->value, e->sort->width);
    else if (reading == UNSIGNED || !is_negative(e)) print_u128(b, e->value);
    else print_i128(b, signed_of(e->value, e->sort->width));
}

/* ---- operators ---- */
/* Prints an operand that the operator reads as `wanted`, while C would read it as `found`. */
static void print_read_as(Buf *b, const Expr *e, int least, Reading wanted, Reading found) {
    if (wanted == ANY || found == ANY || wanted == found || e->op == OP_CONST || !is_bv(e->sort)) {
        print(b, e, least, wanted);
        return;
    }
    print_cast(b, e->sort->width, wanted);
    print(b, e, P_UNARY, found);
}

/* Prints two operands with the same reading. C reads both as unsigned if one is, so only operands that break this get a cast. */
static void print_pair(Buf *b, const Expr *e, const char *text, int left, int right, Reading wanted) {
    const Expr *x = e->args[0], *y = e->args[1];
    Reading rx = reading_of(x), ry = reading_of(y);
    bool unsigned_already = wanted == UNSIGNED && joined(rx, ry) == UNSIGNED;
    print_read_as(b, x, left, wanted, unsigned_already ? ANY : rx);
    buf_printf(b, " %s ", text);
    bool by_left = unsigned_already || (wanted == UNSIGNED && rx == SIGNED && x->op != OP_CONST);
    print_read_as(b, y, right, wanted, by_left ? ANY : ry);
}

static bool is_extension(const Expr *e) { return e->op == OP_ZEXT || e->op == OP_SEXT; }

/* Returns true for arithmetic wider than int on narrower operands: without a cast C would compute in the narrower type. */
static bool needs_widening(const Expr *e) {
    const Expr *a = e->args[0], *b = e->args[1];
    if (!is_bv(e->sort) || e->sort->width <= 32 || !is_extension(a)) return false;
    return e->op == OP_SHL || is_extension(b) || b->op == OP_CONST;
}

static void print_left(Buf *b, const Expr *e, int least, Reading reading) {
    const Expr *a = e->args[0];
    if (!needs_widening(e)) {
        print(b, a, least, reading);
        return;
    }
    print_cast(b, e->sort->width, a->op == OP_ZEXT ? UNSIGNED : SIGNED);
    print(b, a, P_UNARY, reading);
}

static void print_binary(Buf *b, const Expr *e, const char *text, int left, int right, Reading reading) {
    print_left(b, e, left, reading);
    buf_printf(b, " %s ", text);
    print(b, e->args[1], right, reading);
}

static void print_sum(Buf *b, const Expr *e, Reading reading) {
    const Expr *y = e->args[1];
    bool minus = y->op == OP_CONST && is_negative(y) && !(e->flags & FLAG_NUW);
    if (!minus) {
        print_binary(b, e, "+", P_SUM, P_SUM, reading);
        return;
    }
    print_left(b, e, P_SUM, reading);
    buf_text(b, " - ");
    print_u128(b, is_int(y->sort) ? -y->value : -y->value & mask_of(y->sort->width));
}

static void print_arithmetic(Buf *b, const Expr *e, Reading reading) {
    Reading own = reading_of(e), down = own == ANY ? reading : own;
    if (e->op == OP_ADD) print_sum(b, e, down);
    else if (e->op == OP_MUL) print_binary(b, e, "*", P_PRODUCT, P_UNARY, down);
    else if (e->op == OP_SHL) print_binary(b, e, "<<", P_SHIFT, P_SUM, down);
    else if (is_value(e->args[0], 0)) {
        buf_char(b, '-');
        print(b, e->args[1], P_POSTFIX, down);
    } else print_binary(b, e, "-", P_SUM, P_PRODUCT, down);
}

static void print_extract(Buf *b, const Expr *e, Reading reading) {
    unsigned width = e->sort->width;
    bool is_type = width == 8 || width == 16 || width == 32 || width == 64;
    if (is_type) {
        print_cast(b, width, reading == SIGNED || (reading == ANY && width >= 32) ? SIGNED : UNSIGNED);
        if (!e->low) {
            print(b, e->args[0], P_UNARY, ANY);
            return;
        }
        buf_char(b, '(');
    }
    print(b, e->args[0], e->low ? P_SHIFT : P_BAND, ANY);
    if (e->low) buf_printf(b, " >> %u", e->low);
    if (!is_type) {
        buf_text(b, " & ");
        print_u128(b, mask_of(width));
    }
    buf_text(b, is_type ? ")" : "");
}

static void print_concat(Buf *b, const Expr *e) {
    print_cast(b, e->sort->width, UNSIGNED);
    print(b, e->args[0], P_UNARY, UNSIGNED);
    buf_printf(b, " << %u | ", e->args[1]->sort->width);
    print(b, e->args[1], P_BXOR, UNSIGNED);
}

/* Prints a widening. C does it implicitly, if the operand has the right reading and is not computed in less than int. */
static void print_extension(Buf *b, const Expr *e, int least) {
    const Expr *a = e->args[0];
    Reading wanted = e->op == OP_ZEXT ? UNSIGNED : SIGNED, found = reading_of(a);
    bool arithmetic = a->op == OP_ADD || a->op == OP_SUB || a->op == OP_MUL || a->op == OP_SHL;
    if ((found != ANY && found != wanted) || (arithmetic && a->sort->width < 32)) {
        print_cast(b, a->sort->width, wanted);
        least = P_UNARY;
    }
    print(b, a, least, a->op == OP_EXTRACT ? wanted : found == ANY ? wanted : found);
}

/* Returns true if the types of its symbols show that an integer is never negative. */
static bool is_never_negative(const Expr *e) {
    switch (e->op) {
    case OP_CONST: return (i128)e->value >= 0;
    case OP_SYMBOL: return e->symbol->sign < 0;
    case OP_SELECT: return is_never_negative(e->args[0]);
    case OP_MOD:
    case OP_UBV_TO_INT: return true;
    case OP_ADD:
    case OP_MUL:
    case OP_DIV: return is_never_negative(e->args[0]) && is_never_negative(e->args[1]);
    case OP_ITE: return is_never_negative(e->args[1]) && is_never_negative(e->args[2]);
    default: return false;
    }
}

/* Prints OP_DIV and OP_MOD, which round down, while C rounds towards 0. If the results may differ, the text is div or mod. */
static void print_rounding_down(Buf *b, const Expr *e) {
    bool as_in_c = is_never_negative(e->args[0]);
    print_binary(b, e, e->op == OP_DIV ? as_in_c ? "/" : "div" : as_in_c ? "%" : "mod", P_PRODUCT, P_UNARY, SIGNED);
}

static void print_call(Buf *b, const char *name, const Expr *e, Reading reading) {
    buf_printf(b, "%s(", name);
    for (unsigned i = 0; i < e->nargs; i++) {
        buf_text(b, i ? ", " : "");
        print(b, e->args[i], 0, reading);
    }
    buf_char(b, ')');
}

static void print_junction(Buf *b, const Expr *e) {
    for (unsigned i = 0; i < e->nargs; i++) {
        if (i) buf_text(b, e->op == OP_AND ? " && " : " || ");
        print(b, e->args[i], e->op == OP_AND ? P_BOR : P_AND, ANY);
    }
}

static void print_equality(Buf *b, const Expr *e, const char *text) {
    bool floating = e->op == OP_FEQ;
    Reading reading = floating ? FLOATING : joined(reading_of(e->args[0]), reading_of(e->args[1]));
    print(b, e->args[0], P_LESS, reading);
    buf_printf(b, " %s ", text);
    print(b, e->args[1], P_LESS, reading);
}

static void print_not(Buf *b, const Expr *e) {
    const Expr *a = e->args[0];
    if (a->op == OP_EQ || a->op == OP_FEQ) {
        print_equality(b, a, "!=");
        return;
    }
    buf_char(b, '!');
    print(b, a, P_UNARY, ANY);
}

static void print_choice(Buf *b, const Expr *e, Reading reading) {
    print(b, e->args[0], P_OR, ANY);
    buf_text(b, " ? ");
    print(b, e->args[1], P_CHOICE, reading);
    buf_text(b, " : ");
    print(b, e->args[2], P_CHOICE, reading);
}

/* Returns true for a constant array that is 0 but for some elements. C can write this array: {[1] = 5}. */
static bool is_zero_but(const Expr *e) {
    while (e->op == OP_STORE && expr_is_const(e->args[1])) e = e->args[0];
    return e->op == OP_CONST_ARRAY && expr_is_const(e->args[0]) && !e->args[0]->value && e->args[0]->sort->kind != SORT_BOOL &&
           e->args[0]->sort->kind != SORT_ARRAY;
}

static void print_elements(Buf *b, const Expr *e) {
    if (e->op != OP_STORE) return;
    print_elements(b, e->args[0]);
    if (e->args[0]->op == OP_STORE) buf_text(b, ", ");
    buf_char(b, '[');
    print(b, e->args[1], 0, ANY);
    buf_text(b, "] = ");
    print(b, e->args[2], 0, ANY);
}

static void print_array(Buf *b, const Expr *e) {
    if (is_zero_but(e)) {
        buf_char(b, '{');
        print_elements(b, e);
        buf_text(b, e->op == OP_STORE ? "}" : "0}");
        return;
    }
    if (e->op == OP_CONST_ARRAY) {
        buf_text(b, "{else ");
        print(b, e->args[0], 0, ANY);
        buf_char(b, '}');
        return;
    }
    print(b, e->args[0], P_POSTFIX, ANY);
    buf_char(b, '[');
    print(b, e->args[1], 0, ANY);
    if (e->op == OP_STORE) { /* not C, which cannot express an array with one element changed */
        buf_text(b, " := ");
        print(b, e->args[2], 0, ANY);
    }
    buf_char(b, ']');
}

static void print_conversion(Buf *b, const Expr *e) {
    const Expr *a = e->args[0];
    switch (e->op) {
    case OP_INT_TO_BV:
        print_cast(b, e->sort->width, UNSIGNED);
        print(b, a, P_UNARY, ANY);
        break;
    case OP_FP_TO_SBV:
    case OP_FP_TO_UBV:
        print_cast(b, e->sort->width, e->op == OP_FP_TO_SBV ? SIGNED : UNSIGNED);
        print(b, a, P_UNARY, FLOATING);
        break;
    case OP_FP_TO_FP:
        print_cast(b, e->sort->width, FLOATING);
        print(b, a, P_UNARY, FLOATING);
        break;
    default:
        print_cast(b, e->sort->width, FLOATING);
        print_read_as(b, a, P_UNARY, e->op == OP_SBV_TO_FP ? SIGNED : UNSIGNED, reading_of(a));
    }
}

/* Returns the precedence of the text of e. In a context of higher precedence it needs parentheses. */
static int binding(const Expr *e, Reading reading) {
    switch (e->op) {
    case OP_CONST:
        if (e->sort->kind == SORT_BOOL || !is_negative(e) || (is_bv(e->sort) && reading == UNSIGNED)) return P_POSTFIX;
        return P_UNARY;
    case OP_ITE: return P_CHOICE;
    case OP_OR: return P_OR;
    case OP_AND: return P_AND;
    case OP_BOR:
    case OP_CONCAT: return P_BOR;
    case OP_BXOR: return is_ones(e->args[1]) ? P_UNARY : P_BXOR;
    case OP_BAND: return P_BAND;
    case OP_EQ:
    case OP_FEQ: return P_EQUAL;
    case OP_NOT: return e->args[0]->op == OP_EQ || e->args[0]->op == OP_FEQ ? P_EQUAL : P_UNARY;
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
    case OP_FLT:
    case OP_FLE: return P_LESS;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return P_SHIFT;
    case OP_SUB: return is_value(e->args[0], 0) ? P_UNARY : P_SUM;
    case OP_ADD:
    case OP_FADD:
    case OP_FSUB: return P_SUM;
    case OP_MUL:
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_DIV:
    case OP_MOD:
    case OP_FMUL:
    case OP_FDIV: return P_PRODUCT;
    case OP_EXTRACT: {
        unsigned w = e->sort->width;
        return w == 8 || w == 16 || w == 32 || w == 64 ? P_UNARY : P_BAND;
    }
    case OP_FNEG:
    case OP_INT_TO_BV:
    case OP_FP_TO_SBV:
    case OP_FP_TO_UBV:
    case OP_SBV_TO_FP:
    case OP_UBV_TO_FP:
    case OP_FP_TO_FP: return P_UNARY;
    default: return P_POSTFIX;
    }
}

static void print_bits(Buf *b, const Expr *e, Reading reading) {
    if (e->op == OP_BXOR && is_ones(e->args[1])) {
        buf_char(b, '~');
        print(b, e->args[0], P_UNARY, reading);
    } else if (e->op == OP_BAND) print_binary(b, e, "&", P_BAND, P_EQUAL, reading);
    else if (e->op == OP_BOR) print_binary(b, e, "|", P_BOR, P_BXOR, reading);
    else print_binary(b, e, "^", P_BXOR, P_BAND, reading);
}

static void print_shift_right(Buf *b, const Expr *e) {
    print_read_as(b, e->args[0], P_SHIFT, e->op == OP_LSHR ? UNSIGNED : SIGNED, reading_of(e->args[0]));
    buf_text(b, " >> ");
    print(b, e->args[1], P_SUM, UNSIGNED);
}

static void print_floating(Buf *b, const Expr *e) {
    switch (e->op) {
    case OP_FADD: print_binary(b, e, "+", P_SUM, P_PRODUCT, FLOATING); break;
    case OP_FSUB: print_binary(b, e, "-", P_SUM, P_PRODUCT, FLOATING); break;
    case OP_FMUL: print_binary(b, e, "*", P_PRODUCT, P_UNARY, FLOATING); break;
    case OP_FDIV: print_binary(b, e, "/", P_PRODUCT, P_UNARY, FLOATING); break;
    case OP_FREM: print_call(b, "fmod", e, FLOATING); break;
    case OP_FLT: print_binary(b, e, "<", P_SHIFT, P_SHIFT, FLOATING); break;
    case OP_FLE: print_binary(b, e, "<=", P_SHIFT, P_SHIFT, FLOATING); break;
    case OP_FUNO: print_call(b, "isunordered", e, FLOATING); break;
    case OP_FNEG:
        buf_char(b, '-');
        print(b, e->args[0], P_POSTFIX, FLOATING);
        break;
    default: print_conversion(b, e);
    }
}

/* Prints e without parentheses around it. */
static void print_bare(Buf *b, const Expr *e, int least, Reading reading) {
    switch (e->op) {
    case OP_CONST: print_constant(b, e, reading); break;
    case OP_SYMBOL: buf_printf(b, "%s%s", e->symbol->kind == SYM_ADDRESS ? "&" : "", e->symbol->name); break;
    case OP_EQ:
    case OP_FEQ: print_equality(b, e, "=="); break;
    case OP_ITE: print_choice(b, e, reading); break;
    case OP_NOT: print_not(b, e); break;
    case OP_AND:
    case OP_OR: print_junction(b, e); break;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_SHL: print_arithmetic(b, e, reading); break;
    case OP_UDIV: print_pair(b, e, "/", P_PRODUCT, P_UNARY, UNSIGNED); break;
    case OP_DIV:
    case OP_MOD: print_rounding_down(b, e); break;
    case OP_SDIV: print_pair(b, e, "/", P_PRODUCT, P_UNARY, SIGNED); break;
    case OP_UREM: print_pair(b, e, "%", P_PRODUCT, P_UNARY, UNSIGNED); break;
    case OP_SREM: print_pair(b, e, "%", P_PRODUCT, P_UNARY, SIGNED); break;
    case OP_LSHR:
    case OP_ASHR: print_shift_right(b, e); break;
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR: print_bits(b, e, reading); break;
    case OP_ULT: print_pair(b, e, "<", P_SHIFT, P_SHIFT, UNSIGNED); break;
    case OP_ULE: print_pair(b, e, "<=", P_SHIFT, P_SHIFT, UNSIGNED); break;
    case OP_SLT: print_pair(b, e, "<", P_SHIFT, P_SHIFT, SIGNED); break;
    case OP_SLE: print_pair(b, e, "<=", P_SHIFT, P_SHIFT, SIGNED); break;
    case OP_EXTRACT: print_extract(b, e, reading); break;
    case OP_CONCAT: print_concat(b, e); break;
    case OP_ZEXT:
    case OP_SEXT: print_extension(b, e, least); break;
    case OP_BOOL_TO_BV: print(b, e->args[0], least, ANY); break;
    case OP_UBV_TO_INT: print_read_as(b, e->args[0], least, UNSIGNED, reading_of(e->args[0])); break;
    case OP_SBV_TO_INT: print_read_as(b, e->args[0], least, SIGNED, reading_of(e->args[0])); break;
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: print_array(b, e); break;
    case OP_APPLY: print_call(b, e->symbol->name, e, ANY); break;
    default: print_floating(b, e);
    }
}

static void print(Buf *b, const Expr *e, int least, Reading reading) {
    bool parentheses = binding(e, reading) < least;
    buf_text(b, parentheses ? "(" : "");
    print_bare(b, e, parentheses ? 0 : least, reading);
    buf_text(b, parentheses ? ")" : "");
}

void expr_print_c(Buf *b, const Expr *e) { print(b, e, 0, ANY); }
