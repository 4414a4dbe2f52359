/* SPDX-License-Identifier: Apache-2.0 */
/* Finds inputs that a program only compares with constants. An input's value is followed, without regard to control flow, through copies into
   variables, thread arguments, thread results, and objects whose address does not escape. A copy may be extended by zeros or by its sign.

   1. All copies are used only in comparisons with constants, of integers or of floating-point numbers. Then the constants divide the value's range
      into intervals. One value of each interval represents the interval.
   2. If the input is used only by its remainder modulo one constant, the remainder's value is followed in the same way.
   3. If that remainder has another use, all remainders are tried, if they are at most MOST_REMAINDERS. */
#include "engine/explicit/values.h"

/* Records how a variable's value was extended from the input. Numbers that were extended in different ways have different remainders. */
typedef enum Extension { AS_IT_IS, BY_ZEROS, BY_SIGN, IN_SEVERAL_WAYS } Extension;
typedef struct Held {
    const Variable *variable;
    Extension extension;
} Held;

typedef struct Flow {
    const Program *program;
    Held *inputs;              /* a vec: variables that may hold the input itself, if its remainder is followed */
    const Variable **carriers; /* vecs: variables and objects that may hold the followed value */
    const Object **objects;
    uint64_t bytes; /* of the value in these objects */
    u128 *cuts;     /* a vec: first values of intervals */
    unsigned width;
    bool has_sign;     /* some use depends on the value's sign */
    bool by_remainder; /* the followed value is the input's remainder, not the input … */
    Op remainder;      /* … by this operator … */
    u128 modulus;      /* … and this constant; 0: no remainder was met yet */
    unsigned reading;  /* the number that the remainder is taken of, as reading_of classifies it */
    size_t changes;    /* number of changes of extensions in `inputs` */
    bool lost;         /* the followed value has another use */
    bool input_lost;   /* the input itself has a use other than its remainder */
} Flow;

enum { MOST_REMAINDERS = 64 };

static void add_carrier(const Variable ***set, const Variable *v) {
    if (!vec_has(*set, v)) vec_push(*set, v);
}

/* Returns e without its extensions. Sets *sign if one of them is by the sign. */
static const Expr *strip(const Expr *e, bool *sign) {
    for (; e->op == OP_ZEXT || e->op == OP_SEXT; e = e->args[0])
        if (e->op == OP_SEXT) *sign = true;
    return e;
}

static Held *held_by(const Flow *f, const Variable *v) {
    for (size_t i = 0; i < vec_len(f->inputs); i++)
        if (f->inputs[i].variable == v) return &f->inputs[i];
    return NULL;
}

static void add_input(Flow *f, const Variable *v, Extension how) {
    Held *known = held_by(f, v);
    if (!known) {
        vec_push(f->inputs, ((Held){v, how}));
    } else if (known->extension != how && known->extension != IN_SEVERAL_WAYS) {
        known->extension = IN_SEVERAL_WAYS;
        f->changes++;
    }
}

/* Returns how a value is extended that is extended once more, by op. After an extension by zeros, one by the sign adds zeros as well. */
static Extension extended(Extension first, Op op) {
    if (first == BY_ZEROS || first == IN_SEVERAL_WAYS) return first;
    if (op == OP_SEXT) return BY_SIGN;
    return first == AS_IT_IS ? BY_ZEROS : IN_SEVERAL_WAYS;
}

/* Returns true if e is the input, or the extended input; *how is its extension. */
static bool is_input(const Flow *f, const Expr *e, Extension *how) {
    if (e->op == OP_ZEXT || e->op == OP_SEXT) {
        if (!is_input(f, e->args[0], how)) return false;
        *how = extended(*how, e->op);
        return true;
    }
    const Variable *v = expr_variable(e);
    const Held *held = v ? held_by(f, v) : NULL;
    if (held) *how = held->extension;
    return held != NULL;
}

/* Classifies the number that an operator reads: in one class, the same input gives the same number, so the same remainder. Read as unsigned, a number
   that was extended by its sign depends on its width. */
static unsigned reading_of(Op op, const Held *held) {
    if (op == OP_SREM) return held->extension == BY_ZEROS ? 2 : 1;
    return held->extension == BY_SIGN ? 2 + held->variable->sort->width : 1;
}

/* Returns true if e is the remainder that is followed. The first remainder that is met sets the operator, the constant and the reading. */
static bool is_remainder(Flow *f, const Expr *e) {
    if (!f->by_remainder || (e->op != OP_UREM && e->op != OP_SREM) || !expr_is_const(e->args[1])) return false;
    const Variable *v = expr_variable(e->args[0]);
    const Held *held = v ? held_by(f, v) : NULL;
    if (!held || held->extension == IN_SEVERAL_WAYS || e->args[1]->value >> (f->width - 1)) return false;
    if (!f->modulus) {
        f->modulus = e->args[1]->value;
        f->remainder = e->op;
        f->reading = reading_of(e->op, held);
    }
    return f->modulus == e->args[1]->value && f->remainder == e->op && f->reading == reading_of(e->op, held) && f->modulus;
}

/* Returns true if e is the followed value, or the extended value. */
static bool is_value(Flow *f, const Expr *e) {
    bool sign = false;
    e = strip(e, &sign);
    const Variable *v = expr_variable(e);
    if (!(v && vec_has(f->carriers, v)) && !is_remainder(f, e)) return false;
    f->has_sign |= sign || e->op == OP_SREM;
    return true;
}

/* Returns the constant that a local variable always has when it is read, if all its assignments assign this constant; or NULL. */
static const Expr *only_constant(const Flow *f, const Variable *v) {
    const Expr *found = NULL;
    program_each_instr(const Instr, i, f->program) {
        if (i->target != v) continue;
        if (i->kind != INSTR_ASSIGN || !expr_is_const(i->value) || (found && found != i->value)) return NULL;
        found = i->value;
    }
    return found;
}

/* Returns the constant that is e's value; NULL: e is not known to be constant. */
static const Expr *constant_of(const Flow *f, const Expr *e) {
    if (expr_is_const(e)) return e;
    const Variable *v = expr_variable(e);
    if (!v || v->global || vec_has(f->carriers, v)) return NULL;
    const Template *t = f->program->templates[v->template_];
    return v == t->self || v == t->argument || v == t->result ? NULL : only_constant(f, v);
}

static bool is_carrier(const Flow *f, const Expr *e) {
    bool sign;
    const Variable *v = expr_variable(strip(e, &sign));
    return v && vec_has(f->carriers, v);
}

/* Returns the constant that argument i of the comparison is compared with; NULL: it is not compared with a constant. */
static const Expr *compared_with(const Flow *f, const Expr *comparison, unsigned i) {
    const Expr *other = comparison->args[1 - i];
    return expr_is_const(other) ? other : is_carrier(f, comparison->args[i]) ? constant_of(f, other) : NULL;
}

static bool is_comparison(Op op) { return op == OP_EQ || op == OP_ULT || op == OP_ULE || op == OP_SLT || op == OP_SLE; }

/* Adds the first values of the intervals that a comparison of the value with c makes. An interval begins where the result changes. */
static void add_cuts(Flow *f, Op op, bool value_first, u128 c) {
    bool strict = op == OP_ULT || op == OP_SLT, equal = op == OP_EQ;
    if (equal || strict == value_first) values_add(&f->cuts, c & values_mask(f->width));
    if (equal || strict != value_first) values_add(&f->cuts, (c + 1) & values_mask(f->width));
    if (op == OP_SLT || op == OP_SLE) f->has_sign = true;
}

static bool is_float_comparison(Op op) { return op == OP_FEQ || op == OP_FLT || op == OP_FLE; }

/* Adds the intervals for a comparison with the floating-point number c. Among the bit patterns of one sign, larger patterns are larger numbers, and
   NaNs come last. */
static void add_float_cuts(Flow *f, u128 c) {
    u128 sign = (u128)1 << (f->width - 1), size = c & (sign - 1);
    u128 infinity = f->width == 64 ? (u128)0x7ff << 52 : (u128)0xff << 23;
    for (unsigned negative = 0; negative < 2; negative++) {
        u128 at = negative ? sign : 0;
        values_add(&f->cuts, at);
        values_add(&f->cuts, at + 1);
        values_add(&f->cuts, at + size);
        values_add(&f->cuts, (at + size + 1) & values_mask(f->width));
        values_add(&f->cuts, at + infinity + 1);
    }
}

/* Checks a use of e that is not a copy, and adds the intervals of its comparisons. */
static void check_use(Flow *f, const Expr *e) {
    const Variable *v = expr_variable(e);
    if (f->input_lost) return;
    if (v) {
        f->lost |= vec_has(f->carriers, v);
        f->input_lost |= held_by(f, v) != NULL;
        return;
    }
    if (is_remainder(f, e)) {
        f->lost = true;
        return;
    }
    if (is_comparison(e->op) && e->args[0]->sort->kind == SORT_BV)
        for (unsigned i = 0; i < 2; i++) {
            const Expr *with = compared_with(f, e, i);
            if (!with || !is_value(f, e->args[i])) continue;
            add_cuts(f, e->op, i == 0, with->value);
            return;
        }
    if (is_float_comparison(e->op) && (f->width == 64 || f->width == 32) && e->args[0]->sort->width == f->width && !f->by_remainder)
        for (unsigned i = 0; i < 2; i++) {
            const Variable *compared = expr_variable(e->args[i]);
            const Expr *with = compared_with(f, e, i);
            if (!with || !compared || !vec_has(f->carriers, compared)) continue;
            add_float_cuts(f, with->value);
            return;
        }
    for (unsigned i = 0; i < e->nargs; i++) check_use(f, e->args[i]);
}

static void check_use_in(void *context, const Expr *e) { check_use(context, e); }

/* ---- memory ---- */

static unsigned occurrences(const Expr *e, const Symbol *s) {
    unsigned n = e->op == OP_SYMBOL && e->symbol == s;
    for (unsigned i = 0; i < e->nargs && n < 2; i++) n += occurrences(e->args[i], s);
    return n;
}

/* Returns true if e is the object's address plus a multiple of size. The address must occur once in e. */
static bool is_multiple(const Expr *e, const Symbol *base, uint64_t size) {
    if (e->op == OP_SYMBOL) return e->symbol == base;
    if (e->op == OP_CONST) return (uint64_t)e->value % size == 0;
    if (e->op == OP_ADD) return is_multiple(e->args[0], base, size) && is_multiple(e->args[1], base, size);
    if (e->op != OP_MUL) return false;
    return (expr_is_const(e->args[1]) && (uint64_t)e->args[1]->value % size == 0) ||
           (expr_is_const(e->args[0]) && (uint64_t)e->args[0]->value % size == 0);
}

/* Returns true if the instruction uses o's address only for a LOAD or STORE of `bytes` bytes at a multiple of `bytes`. */
static bool instr_keeps(const Instr *i, const Object *o, uint64_t bytes) {
    const Symbol *s = o->symbol;
    if ((i->value && occurrences(i->value, s)) || (i->size && occurrences(i->size, s))) return false;
    if (!i->address || !occurrences(i->address, s)) return true;
    if (i->kind != INSTR_LOAD && i->kind != INSTR_STORE) return false;
    const Sort *sort = i->kind == INSTR_LOAD ? i->target->sort : i->value->sort;
    return occurrences(i->address, s) == 1 && address_base(i->address) == o && sort->kind == SORT_BV && sort->width == 8 * bytes &&
           is_multiple(i->address, s, bytes);
}

/* Returns true if the program accesses o only in pieces of `bytes` bytes that do not overlap, and o's address does not escape. */
static bool object_is_plain(const Program *p, const Object *o, uint64_t bytes) {
    if (o->kind != OBJECT_GLOBAL && o->kind != OBJECT_LOCAL && o->kind != OBJECT_THREAD) return false;
    if (bytes & (bytes - 1)) return false; /* modulo 2^width, only multiples of a power of two remain multiples */
    for (size_t i = 0; i < vec_len(p->globals); i++)
        if (p->globals[i]->init && occurrences(p->globals[i]->init, o->symbol)) return false;
    for (size_t i = 0; i < vec_len(p->objects); i++)
        for (unsigned r = 0; r < p->objects[i]->nrelocations; r++)
            if (p->objects[i]->relocations[r].target == o->symbol) return false;
    program_each_action(const Action, action, p) {
        if (occurrences(action->guard, o->symbol)) return false;
        for (size_t k = 0; k < vec_len(action->instrs); k++)
            if (!instr_keeps(&action->instrs[k], o, bytes)) return false;
    }
    return true;
}

/* Follows the value into the object that the STORE writes. */
static void follow_store(Flow *f, const Instr *i) {
    const Object *o = address_base(i->address);
    uint64_t bytes = i->value->sort->width / 8;
    check_use(f, i->address);
    if (o && vec_has(f->objects, o)) return;
    if (!o || i->value->sort->width % 8 || (f->bytes && f->bytes != bytes) || !object_is_plain(f->program, o, bytes)) {
        f->lost = true;
        return;
    }
    f->bytes = bytes;
    vec_push(f->objects, o);
}

/* ---- actions ---- */

static void follow_join(Flow *f, const Instr *i) {
    for (size_t t = 0; t < vec_len(f->program->templates); t++) {
        const Variable *result = f->program->templates[t]->result;
        if (!result || !i->target) continue;
        if (vec_has(f->carriers, result)) add_carrier(&f->carriers, i->target);
        const Held *held = held_by(f, result);
        if (held) add_input(f, i->target, held->extension);
    }
}

static void follow_instr(Flow *f, const Instr *i) {
    const Variable *to = NULL;
    Extension how;
    if (i->kind == INSTR_ASSIGN) to = i->target;
    if (i->kind == INSTR_CREATE) to = f->program->templates[i->template_]->argument;
    if (i->kind == INSTR_LOAD && vec_has(f->objects, address_base(i->address))) add_carrier(&f->carriers, i->target);
    if (to && is_value(f, i->value)) add_carrier(&f->carriers, to);
    else if (to && is_input(f, i->value, &how)) add_input(f, to, how);
    else if (i->kind == INSTR_STORE && is_value(f, i->value)) follow_store(f, i);
    else instr_expressions(i, check_use_in, f);
    if (i->cell) f->lost |= vec_has(f->carriers, i->cell);
    if (i->cell) f->input_lost |= held_by(f, i->cell) != NULL;
    if (i->kind == INSTR_JOIN) follow_join(f, i);
}

/* Repeats all actions until they add nothing. */
static void follow(Flow *f) {
    const Program *p = f->program;
    for (size_t known = SIZE_MAX, now = 0; known != now && !f->input_lost && !(f->lost && !f->by_remainder);) {
        known = now;
        program_each_action(const Action, action, p) {
            check_use(f, action->guard);
            for (size_t k = 0; k < vec_len(action->instrs); k++) follow_instr(f, &action->instrs[k]);
        }
        now = vec_len(f->carriers) + vec_len(f->inputs) + vec_len(f->objects) + (f->modulus != 0) + f->changes;
    }
}

/* ---- values ---- */

static bool by_comparison(Flow *f, u128 **values) {
    if (f->lost) return false;
    values_add(values, 0);
    for (size_t i = 0; i < vec_len(f->cuts); i++) values_add(values, f->cuts[i]);
    if (f->has_sign) values_add(values, (u128)1 << (f->width - 1));
    return true;
}

/* Chooses values between -modulus and modulus: each is its own remainder. Negative ones are needed only for signed remainders. */
static bool by_remainder(Flow *f, u128 **values) {
    u128 mask = values_mask(f->width);
    bool negatives = f->remainder == OP_SREM;
    if (f->input_lost || (f->lost && f->modulus > MOST_REMAINDERS)) return false;
    values_add(values, 0);
    if (!f->modulus) return true; /* not used at all */
    if (negatives) values_add(values, (1 - f->modulus) & mask);
    for (u128 v = 0; f->lost && v < f->modulus; v++) {
        values_add(values, v);
        if (negatives) values_add(values, -v & mask);
    }
    for (size_t i = 0; i < vec_len(f->cuts); i++)
        if (f->cuts[i] < f->modulus || (negatives && (-f->cuts[i] & mask) < f->modulus)) values_add(values, f->cuts[i]);
    return true;
}

static void flow_free(Flow *f) {
    vec_free(f->inputs);
    vec_free(f->carriers);
    vec_free(f->objects);
    vec_free(f->cuts);
}

bool values_by_flow(const Program *p, const Variable *v, u128 **values) {
    Flow direct = {.program = p, .width = v->sort->width};
    add_carrier(&direct.carriers, v);
    follow(&direct);
    bool found = by_comparison(&direct, values);
    flow_free(&direct);
    if (found || v->sort->width < 2) return found;
    Flow divided = {.program = p, .width = v->sort->width, .by_remainder = true};
    add_input(&divided, v, AS_IT_IS);
    follow(&divided);
    found = by_remainder(&divided, values);
    flow_free(&divided);
    return found;
}
