/* SPDX-License-Identifier: Apache-2.0 */
/* Prints expressions in SMT-LIB 2.6. Operators that would fault mean what SMT-LIB defines. Shared subterms are bound by let, so the text
   is as large as the expression is in memory.

   Floating point: to_fp turns bit patterns into FloatingPoint terms, and fp.to_ieee_bv turns results into bit patterns again. Between
   two float operators neither is printed. SMT-LIB has no x87 extended precision and no fmod. The text has functions on bit-vectors for
   these (x87.add, frem64), which the caller declares. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */
static bool is_reserved(const char *name) {
    static const char *const words[] = {
#define WORD(text) text,
#include "expr/smt_words.def"
#undef WORD
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i])) return true;
    return false;
}

static bool is_simple(const char *name) {
    if (isdigit((unsigned char)*name) || !*name) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("_.$@-", *name)) return false;
    return true;
}

/* Prints different symbols differently. Names that SMT-LIB or our let uses, and names that end in ', get a '. Characters that |…| cannot
   contain become %XX, and so does a first . or @, which SMT-LIB reserves. */
void symbol_print_smt(Buf *b, const Symbol *s) {
    const char *name = s->name;
    size_t n = strlen(name);
    bool primed = is_reserved(name) || name[0] == '?' || (n && name[n - 1] == '\'');
    bool quoted = primed || !is_simple(name) || name[0] == '.' || name[0] == '@';
    buf_text(b, quoted ? "|" : "");
    for (; *name; name++)
        if (*name == '|' || *name == '\\' || *name == '%' || (name == s->name && (*name == '.' || *name == '@')))
            buf_printf(b, "%%%02x", (unsigned char)*name);
        else buf_char(b, *name);
    buf_text(b, primed ? "'" : "");
    buf_text(b, quoted ? "|" : "");
}

void sort_print_smt(Buf *b, const Sort *s) {
    switch (s->kind) {
    case SORT_BOOL: buf_text(b, "Bool"); break;
    case SORT_INT: buf_text(b, "Int"); break;
    case SORT_BV: buf_printf(b, "(_ BitVec %u)", s->width); break;
    case SORT_ARRAY:
        buf_text(b, "(Array ");
        sort_print_smt(b, s->index);
        buf_char(b, ' ');
        sort_print_smt(b, s->element);
        buf_char(b, ')');
    }
}

/* ---- terms ---- */
typedef struct Printer {
    Buf *out;
    Map *bound; /* maps a node to 1 if an enclosing let binds it; NULL: no lets */
} Printer;

static void print(Printer *, const Expr *);
static void print_fp(Printer *, const Expr *);

static void print_bv(Buf *b, u128 value, unsigned width) {
    buf_text(b, "(_ bv");
    print_u128(b, value);
    buf_printf(b, " %u)", width);
}

static void print_constant(Buf *b, const Expr *e) {
    i128 v = (i128)e->value;
    switch (e->sort->kind) {
    case SORT_BOOL: buf_text(b, v ? "true" : "false"); break;
    case SORT_INT:
        buf_text(b, v < 0 ? "(- " : "");
        print_u128(b, v < 0 ? -e->value : e->value);
        buf_text(b, v < 0 ? ")" : "");
        break;
    default: print_bv(b, e->value, e->sort->width);
    }
}

static void print_list(Printer *s, const char *head, const Expr *e) {
    buf_printf(s->out, "(%s", head);
    for (unsigned i = 0; i < e->nargs; i++) {
        buf_char(s->out, ' ');
        print(s, e->args[i]);
    }
    buf_char(s->out, ')');
}

/* Returns the name of SMT-LIB's operator on the same operands; NULL if it has none. */
static const char *plain_name(const Expr *e) {
    bool integer = e->nargs && is_int(e->args[0]->sort);
    switch (e->op) {
    case OP_EQ: return "=";
    case OP_ITE: return "ite";
    case OP_NOT: return "not";
    case OP_AND: return "and";
    case OP_OR: return "or";
    case OP_ADD: return integer ? "+" : "bvadd";
    case OP_SUB: return integer ? "-" : "bvsub";
    case OP_MUL: return integer ? "*" : "bvmul";
    case OP_UDIV: return "bvudiv";
    case OP_SDIV: return "bvsdiv";
    case OP_UREM: return "bvurem";
    case OP_SREM: return "bvsrem";
    case OP_DIV: return "div";
    case OP_MOD: return "mod";
    case OP_SHL: return "bvshl";
    case OP_LSHR: return "bvlshr";
    case OP_ASHR: return "bvashr";
    case OP_BAND: return "bvand";
    case OP_BOR: return "bvor";
    case OP_BXOR: return "bvxor";
    case OP_ULT: return "bvult";
    case OP_ULE: return "bvule";
    case OP_SLT: return integer ? "<" : "bvslt";
    case OP_SLE: return integer ? "<=" : "bvsle";
    case OP_CONCAT: return "concat";
    case OP_UBV_TO_INT: return "bv2nat";
    case OP_SELECT: return "select";
    case OP_STORE: return "store";
    default: return NULL;
    }
}

static void print_indexed(Printer *s, const Expr *e) {
    unsigned width = e->sort->width, from = e->args[0]->sort->width;
    buf_text(s->out, "((_ ");
    switch (e->op) {
    case OP_EXTRACT: buf_printf(s->out, "extract %u %u", e->low + width - 1, e->low); break;
    case OP_ZEXT: buf_printf(s->out, "zero_extend %u", width - from); break;
    case OP_SEXT: buf_printf(s->out, "sign_extend %u", width - from); break;
    default: buf_printf(s->out, "int2bv %u", width);
    }
    buf_text(s->out, ") ");
    print(s, e->args[0]);
    buf_char(s->out, ')');
}

/* Prints the signed value: 2^width is subtracted if the sign bit is set. */
static void print_signed_int(Printer *s, const Expr *e) {
    const Expr *a = e->args[0];
    unsigned width = a->sort->width;
    buf_text(s->out, "(let ((?s ");
    print(s, a);
    buf_printf(s->out, ")) (ite (= ((_ extract %u %u) ?s) #b1) (- (bv2nat ?s) ", width - 1, width - 1);
    if (width == 128) buf_text(s->out, "340282366920938463463374607431768211456");
    else print_u128(s->out, (u128)1 << width);
    buf_text(s->out, ") (bv2nat ?s)))");
}

/* ---- floating point ---- */
static const char *format_of(unsigned width) { return width == 32 ? "8 24" : "11 53"; }

/* Returns the FloatingPoint operator for an operator whose result is a float; NULL for other operators. */
static const char *fp_name(Op op) {
    switch (op) {
    case OP_FADD: return "fp.add RNE";
    case OP_FSUB: return "fp.sub RNE";
    case OP_FMUL: return "fp.mul RNE";
    case OP_FDIV: return "fp.div RNE";
    case OP_FNEG: return "fp.neg";
    default: return NULL;
    }
}

static bool from_integer(Op op) { return op == OP_SBV_TO_FP || op == OP_UBV_TO_FP; }
static bool to_integer(Op op) { return op == OP_FP_TO_SBV || op == OP_FP_TO_UBV; }

/* Returns true if e has an operand or a result in x87's format. An integer of 80 bits is not in that format. */
static bool is_x87(const Expr *e) {
    return (!to_integer(e->op) && e->sort->width == 80) || (!from_integer(e->op) && e->args[0]->sort->width == 80);
}

/* Returns true if the SMT-LIB operator itself gives a term of sort FloatingPoint. */
static bool gives_fp(const Expr *e) { return (fp_name(e->op) || from_integer(e->op) || e->op == OP_FP_TO_FP) && !is_x87(e); }

static void print_fp_operands(Printer *s, const char *head, const Expr *e) {
    buf_printf(s->out, "(%s", head);
    for (unsigned i = 0; i < e->nargs; i++) {
        buf_char(s->out, ' ');
        print_fp(s, e->args[i]);
    }
    buf_char(s->out, ')');
}

/* Prints e as a FloatingPoint term. */
static void print_fp(Printer *s, const Expr *e) {
    bool bound = s->bound && map_get(s->bound, map_key(e), NULL);
    if (bound || !e->nargs || !gives_fp(e)) {
        buf_printf(s->out, "((_ to_fp %s) ", format_of(e->sort->width));
        print(s, e);
        buf_char(s->out, ')');
    } else if (fp_name(e->op)) {
        print_fp_operands(s, fp_name(e->op), e);
    } else {
        const char *unsigned_suffix = e->op == OP_UBV_TO_FP ? "_unsigned" : "";
        buf_printf(s->out, "((_ to_fp%s %s) RNE ", unsigned_suffix, format_of(e->sort->width));
        if (e->op == OP_FP_TO_FP) print_fp(s, e->args[0]);
        else print(s, e->args[0]);
        buf_char(s->out, ')');
    }
}

static void print_x87(Printer *s, const Expr *e) {
    Buf name = {0};
    unsigned from = e->args[0]->sort->width;
    switch (e->op) {
    case OP_FP_TO_SBV: buf_printf(&name, "x87.to_sbv%u", e->sort->width); break;
    case OP_FP_TO_UBV: buf_printf(&name, "x87.to_ubv%u", e->sort->width); break;
    case OP_SBV_TO_FP: buf_printf(&name, "x87.from_sbv%u", from); break;
    case OP_UBV_TO_FP: buf_printf(&name, "x87.from_ubv%u", from); break;
    case OP_FP_TO_FP: buf_printf(&name, from == 80 ? "x87.to_fp%u" : "x87.from_fp%u", from == 80 ? e->sort->width : from); break;
    default: buf_printf(&name, "x87.%s", op_text(e->op) + 1);
    }
    print_list(s, buf_string(&name), e);
    buf_free(&name);
}

/* Prints float operators as terms that are bit-vectors or Bool. */
static void print_float(Printer *s, const Expr *e) {
    Buf *b = s->out;
    if (gives_fp(e)) {
        buf_text(b, "(fp.to_ieee_bv ");
        print_fp(s, e);
        buf_char(b, ')');
        return;
    }
    if (is_x87(e)) {
        print_x87(s, e);
        return;
    }
    switch (e->op) {
    case OP_FREM: print_list(s, e->sort->width == 32 ? "frem32" : "frem64", e); return;
    case OP_FEQ: print_fp_operands(s, "fp.eq", e); return;
    case OP_FLT: print_fp_operands(s, "fp.lt", e); return;
    case OP_FLE: print_fp_operands(s, "fp.leq", e); return;
    case OP_FUNO:
        buf_text(b, "(or (fp.isNaN ");
        print_fp(s, e->args[0]);
        buf_text(b, ") (fp.isNaN ");
        print_fp(s, e->args[1]);
        buf_text(b, "))");
        return;
    case OP_FP_TO_SBV:
    case OP_FP_TO_UBV:
        buf_printf(b, "((_ fp.to_%s %u) RTZ ", e->op == OP_FP_TO_SBV ? "sbv" : "ubv", e->sort->width);
        print_fp(s, e->args[0]);
        buf_char(b, ')');
        return;
    default: die("no SMT-LIB text for operator %s", op_text(e->op));
    }
}

/* ---- all operators ---- */
static void print_application(Printer *s, const Expr *e) {
    buf_text(s->out, e->nargs ? "(" : "");
    symbol_print_smt(s->out, e->symbol);
    for (unsigned i = 0; i < e->nargs; i++) {
        buf_char(s->out, ' ');
        print(s, e->args[i]);
    }
    buf_text(s->out, e->nargs ? ")" : "");
}

static void print_node(Printer *s, const Expr *e) {
    const char *name = plain_name(e);
    if (name) {
        print_list(s, name, e);
        return;
    }
    switch (e->op) {
    case OP_CONST: print_constant(s->out, e); return;
    case OP_SYMBOL: symbol_print_smt(s->out, e->symbol); return;
    case OP_APPLY: print_application(s, e); return;
    case OP_ZEXT:
    case OP_SEXT:
    case OP_EXTRACT:
    case OP_INT_TO_BV: print_indexed(s, e); return;
    case OP_SBV_TO_INT: print_signed_int(s, e); return;
    case OP_BOOL_TO_BV:
        buf_text(s->out, "(ite ");
        print(s, e->args[0]);
        buf_text(s->out, " #b1 #b0)");
        return;
    case OP_CONST_ARRAY:
        buf_text(s->out, "((as const ");
        sort_print_smt(s->out, e->sort);
        buf_text(s->out, ") ");
        print(s, e->args[0]);
        buf_char(s->out, ')');
        return;
    default: print_float(s, e);
    }
}

static void print(Printer *s, const Expr *e) {
    if (s->bound && map_get(s->bound, map_key(e), NULL)) buf_printf(s->out, "?e%u", e->id);
    else print_node(s, e);
}

/* ---- sharing ---- */
/* For trees smaller than this, the text without let is easier to read. */
enum { LET_FROM = 100 };

/* Returns the nodes with operands that occur more than once, in no particular order. */
static const Expr **shared_nodes(const Expr *e) {
    Map *uses = map_new();
    const Expr **stack = NULL, **shared = NULL;
    vec_push(stack, e);
    while (vec_len(stack)) {
        const Expr *top = vec_pop(stack);
        uint64_t n = 0;
        map_get(uses, map_key(top), &n);
        map_put(uses, map_key(top), n + 1);
        if (n == 1) vec_push(shared, top);
        for (unsigned i = 0; i < top->nargs && n == 0; i++)
            if (top->args[i]->nargs) vec_push(stack, top->args[i]);
    }
    vec_free(stack);
    map_free(uses);
    return shared;
}

static int by_id(const void *a, const void *b) {
    const Expr *x = *(const Expr *const *)a, *y = *(const Expr *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

void expr_print_smt(Buf *b, const Expr *e) {
    Printer s = {.out = b};
    if (e->tree < LET_FROM) {
        print(&s, e);
        return;
    }
    const Expr **shared = shared_nodes(e);
    size_t n = vec_len(shared);
    if (n) /* lets are bound in the order of ids, since ids of operands are smaller */
        qsort(shared, n, sizeof *shared, by_id);
    s.bound = map_new();
    for (size_t i = 0; i < n; i++) {
        buf_printf(b, "(let ((?e%u ", shared[i]->id);
        print_node(&s, shared[i]);
        buf_text(b, ")) ");
        map_put(s.bound, map_key(shared[i]), 1);
    }
    print(&s, e);
    for (size_t i = 0; i < n; i++) buf_char(b, ')');
    map_free(s.bound);
    vec_free(shared);
}
