/* SPDX-License-Identifier: Apache-2.0 */
/* Computes functions of <math.h> whose result IEEE 754 fixes to the last bit, for constant arguments. With other arguments they are
   unknown functions. */
#include "front/lower.h"
#include <math.h>
#include <string.h>

typedef struct Function {
    const char *name; /* the name for double; followed by f it is that for float */
    double (*one)(double);
    double (*two)(double, double);
} Function;

static const Function functions[] = {
    {"sqrt", sqrt, NULL}, {"floor", floor, NULL}, {"ceil", ceil, NULL},         {"trunc", trunc, NULL}, {"round", round, NULL},
    {"fabs", fabs, NULL}, {"fmod", NULL, fmod},   {"copysign", NULL, copysign}, {"fmax", NULL, fmax},   {"fmin", NULL, fmin},
};

/* Finds a function by its name. Each of them, computed in double and rounded, is right for float as well: a square root since double
   rounding does no harm, the other ones since they are exact. */
static const Function *function_called(const char *name, bool *single) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t n = strlen(functions[i].name);
        if (strncmp(name, functions[i].name, n)) continue;
        *single = name[n] == 'f' && !name[n + 1];
        if (!name[n] || *single) return &functions[i];
    }
    return NULL;
}

static double as_double(const Expr *e, bool single) {
    uint64_t bits = (uint64_t)e->value;
    double d;
    float s;
    memcpy(&s, &bits, sizeof s);
    memcpy(&d, &bits, sizeof d);
    return single ? (double)s : d;
}

/* Lowers "llvm.floor.f64" as floor and "llvm.floor.f32" as floorf. */
bool lower_math_intrinsic(Lower *l, LLVMValueRef call, const char *name) {
    const char *word = name + strlen("llvm."), *end = strchr(word, '.');
    if (!end) return false;
    return lower_math(l, call, arena_printf(l->front->scratch, "%.*s%s", (int)(end - word), word, strcmp(end, ".f32") ? "" : "f"));
}

bool lower_math(Lower *l, LLVMValueRef call, const char *name) {
    bool single = false;
    const Function *f = function_called(name, &single);
    unsigned n = LLVMGetNumArgOperands(call), width = single ? 32 : 64;
    const Sort *sort = type_sort(l->front, LLVMTypeOf(call));
    const Expr *x[2];
    if (!f || n != (f->one ? 1 : 2) || !sort || sort->kind != SORT_BV || sort->width != width) return false;
    for (unsigned i = 0; i < n; i++) {
        x[i] = value_of(l, LLVMGetOperand(call, i));
        if (!expr_is_const(x[i]) || x[i]->sort != sort) return false;
    }
    double result = f->one ? f->one(as_double(x[0], single)) : f->two(as_double(x[0], single), as_double(x[1], single));
    if (isnan(result)) return false; /* IEEE 754 does not fix which NaN it is */
    float narrow = (float)result;
    uint64_t bits = 0;
    if (single) memcpy(&bits, &narrow, sizeof narrow);
    else memcpy(&bits, &result, sizeof result);
    define_scalar(l, call, expr_bv(l->pool, width, bits));
    return true;
}
