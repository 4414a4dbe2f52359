/* SPDX-License-Identifier: Apache-2.0 */
/* Parses formats of scanf and its variants: how many conversions one has, and what each of them stores. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

typedef struct Conversion {
    char kind;  /* as in the format; [ for a set */
    int length; /* -2 char, -1 short, 0 int, 1 long, 2 long long */
    unsigned width;
} Conversion;

enum { WIDEST = 64 };

static const char *end_of_set(const char *s) {
    s += s[1] == '^' ? 2 : 1;
    return *s ? strchr(s + 1, ']') : NULL;
}

/* Parses the conversion after a percent sign and returns its last character; NULL if it is not modelled. */
static const char *read_conversion(const char *s, Conversion *c) {
    *c = (Conversion){.length = 0};
    for (; *s >= '0' && *s <= '9' && c->width <= WIDEST; s++) c->width = 10 * c->width + (unsigned)(*s - '0');
    for (;; s++) {
        if (*s == 'h') c->length--;
        else if (*s == 'l') c->length++;
        else if (*s == 'z' || *s == 't') c->length = 1;
        else if (*s == 'j' || *s == 'q') c->length = 2;
        else break;
    }
    c->kind = *s;
    bool text = c->kind == 's' || c->kind == '[' || c->kind == 'c';
    if (!*s || !strchr("diuoxXeEfgGas[c", *s) || c->width > WIDEST) return NULL;
    if (text && (c->length || (c->kind != 'c' && !c->width))) return NULL; /* wide characters, or a text of any length */
    return c->kind == '[' ? end_of_set(s) : s;
}

/* Returns the number of conversions, and the one with the index in *wanted; -1 if the format is not modelled. */
static int read_format(const char *s, unsigned index, Conversion *wanted) {
    int n = 0;
    for (; s && *s; s++) {
        if (*s != '%') continue;
        s++;
        if (*s == '%') continue;
        Conversion c;
        s = read_conversion(s, &c);
        if (!s) return -1;
        if ((unsigned)n++ == index) *wanted = c;
    }
    return s ? n : -1;
}

/* Returns the call of scanf, fscanf or sscanf that is being lowered, or NULL. */
static LLVMValueRef scanning_call(const Lower *l) {
    const Frame *f = l->frame;
    while (f && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f->info->function))) f = f->caller;
    return f ? f->call : NULL;
}

static const char *scanned_format(Lower *l, LLVMValueRef call, unsigned *first) {
    LLVMValueRef function = call ? strip_alias(LLVMGetCalledValue(call)) : NULL;
    if (!function || !LLVMIsAFunction(function)) return NULL;
    *first = LLVMCountParams(function);
    if (LLVMGetNumArgOperands(call) < *first || !*first) return NULL;
    Frame *inner = l->frame;
    while (l->frame->call != call) l->frame = l->frame->caller;
    l->frame = l->frame->caller;
    const char *format = constant_string(l->front, value_of(l, LLVMGetOperand(call, *first - 1)));
    l->frame = inner;
    return format;
}

int scan_conversions(Lower *l) {
    unsigned first;
    LLVMValueRef call = scanning_call(l);
    const char *format = scanned_format(l, call, &first);
    Conversion c;
    int n = format ? read_format(format, 0, &c) : -1;
    return n >= 0 && LLVMGetNumArgOperands(call) >= first + (unsigned)n ? n : -1;
}

static unsigned bytes_of(Lower *l, const Conversion *c) {
    if (strchr("eEfgGa", c->kind)) return c->length >= 1 ? 8 : 4;
    if (c->length < 0) return c->length == -1 ? 2 : 1;
    return c->length == 0 ? 4 : c->length == 1 ? l->front->pointer_width / 8 : 8;
}

/* True if the text is read from a stream, so that it may be any. */
static bool reads_stream(LLVMValueRef call) { return !strstr(LLVMGetValueName(strip_alias(LLVMGetCalledValue(call))), "sscanf"); }

static void store_text(Lower *l, const Expr *to, unsigned count, bool words, bool ends) {
    const Sort *byte = sort_bv(l->pool, 8);
    for (unsigned i = 0; i < count; i++) {
        const Expr *c = emit_any(l, byte), *blank = expr_const(l->pool, byte, ' ');
        if (words) emit_assume(l, expr_2(l->pool, OP_ULT, blank, c), false, NULL);
        store_scalar(l, address_add(l->front, to, i), c, 1, false);
    }
    if (ends) store_scalar(l, address_add(l->front, to, count), expr_const(l->pool, byte, 0), 1, false);
}

/* Adds the path on which a stream has a word of the greatest length. */
static unsigned store_longest(Lower *l, const Expr *to, unsigned count) {
    Cursor longest, other;
    emit_branch(l, emit_any(l, sort_bool(l->pool)), &longest, &other);
    l->cursor = longest;
    store_text(l, to, count, true, true);
    unsigned meet = emit_location(l, LOCATION_PLAIN);
    emit_goto(l, meet);
    l->cursor = other;
    return meet;
}

void scan_store(Lower *l, unsigned index) {
    unsigned first;
    LLVMValueRef call = scanning_call(l);
    const char *format = scanned_format(l, call, &first);
    Conversion c;
    if (!format || read_format(format, index, &c) <= (int)index) return;
    Frame *inner = l->frame;
    while (l->frame->call != call) l->frame = l->frame->caller;
    l->frame = l->frame->caller;
    const Expr *to = as_pointer(l->front, value_of(l, LLVMGetOperand(call, first + index)), false);
    l->frame = inner;
    bool text = c.kind == 's' || c.kind == '[' || c.kind == 'c';
    unsigned count = text && c.width ? c.width : 1, depth = l->cursor.depth;
    bool longest = c.kind == 's' && reads_stream(call);
    to = emit_hold(l, to);
    unsigned meet = longest ? store_longest(l, to, count) : NONE;
    if (text) emit_over(l, MSG_FRONT_SCANF_TEXT);
    else if (c.width) emit_over(l, MSG_FRONT_SCANF_NUMBER);
    if (text) store_text(l, to, count, false, c.kind != 'c');
    else store_scalar(l, to, emit_any(l, sort_bv(l->pool, 8 * bytes_of(l, &c))), bytes_of(l, &c), false);
    if (!longest) return;
    emit_goto(l, meet);
    l->cursor = (Cursor){.location = meet, .action = NONE, .depth = depth};
}
