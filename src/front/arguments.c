/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the arguments of main.

   Without --args, main gets any number of arguments up to a bound, each any string up to a bound; more or longer ones are a stop. The
   name argv[0] is one of them and may be missing. The environment, main's third parameter, is made in the same way.

   The bytes of a string are undefined, so each gets its value when the program reads it. A copy from a local object that no other code
   knows leaves them undefined and lets the string outlive main. The last byte stays 0. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

enum { MAX_STRINGS = 4, MAX_LENGTH = 15, MAX_ENVIRONMENT = 1, WORD = 8 /* bytes, at least half of MAX_LENGTH */ };

/* True if the program uses the parameter. A store to its own variable that is never read is no use. */
static bool is_read(LLVMValueRef parameter) {
    for (LLVMUseRef u = LLVMGetFirstUse(parameter); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), place = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 1) : NULL;
        if (!place || !LLVMIsAAllocaInst(place)) return true;
        for (LLVMUseRef w = LLVMGetFirstUse(place); w; w = LLVMGetNextUse(w))
            if (LLVMGetUser(w) != user) return true;
    }
    return false;
}

/* ---- objects ---- */

static const char *name_of(Lower *l, const char *array, unsigned i) {
    return exprs_intern(l->pool, arena_printf(l->front->scratch, "%s[%u]", array, i));
}

static Object *make_string(Lower *l, const char *name, const char *text, uint64_t size) {
    Object *o = program_object(l->program, OBJECT_GLOBAL, name, size);
    o->shape = exprs_intern(l->pool, arena_printf(l->front->scratch, "[%llux1]i1", (unsigned long long)size));
    o->position = l->position;
    o->input = true;
    if (text) o->bytes = arena_copy(l->program->arena, text, size);
    return o;
}

/* Returns an object with room for n pointers and the final null. */
static Object *make_array(Lower *l, const char *name, unsigned n) {
    unsigned bytes = l->front->pointer_width / 8;
    Object *o = program_object(l->program, OBJECT_GLOBAL, name, (n + 1) * bytes);
    o->shape = exprs_intern(l->pool, arena_printf(l->front->scratch, "[%ux%u]p", n + 1, bytes));
    o->input = true;
    o->position = l->position;
    return o;
}

/* ---- --args ---- */

/* Appends the next word as a shell splits a line: at blanks, except in '…' and "…" and behind a backslash. False at the end of the line. */
static bool next_word(const char **s, Buf *word) {
    char quote = 0;
    const char *p = *s + strspn(*s, " \t\n");
    if (!*p) return false;
    for (; *p && (quote || !strchr(" \t\n", *p)); p++) {
        if (quote ? *p == quote : *p == '\'' || *p == '"') quote = quote ? 0 : *p;
        else if (*p == '\\' && quote != '\'' && p[1]) buf_char(word, *++p);
        else buf_char(word, *p);
    }
    *s = p;
    return true;
}

static unsigned count_words(const char *s) {
    unsigned n = 0;
    Buf word = {0};
    while (next_word(&s, &word)) n++;
    buf_free(&word);
    return n;
}

static Object *given_arguments(Lower *l, const char *args) {
    unsigned n = count_words(args), bytes = l->front->pointer_width / 8;
    Object *argv = make_array(l, "argv", n + 1);
    argv->relocations = arena_array(l->program->arena, Relocation, n + 1);
    argv->nrelocations = n + 1;
    argv->relocations[0].target = make_string(l, name_of(l, "argv", 0), "program", sizeof "program")->symbol;
    for (unsigned i = 1; i <= n; i++) {
        Buf word = {0};
        next_word(&args, &word);
        argv->relocations[i].offset = i * bytes;
        argv->relocations[i].target = make_string(l, name_of(l, "argv", i), buf_string(&word), word.length + 1)->symbol;
        buf_free(&word);
    }
    return argv;
}

/* ---- any ---- */

/* Makes all bytes of the string but the last undefined, by two copies of a word. The copies overlap. */
static void fill_string(Lower *l, const Object *string, Object *unknown) {
    for (unsigned k = 0; k < 2; k++) {
        emit(l, INSTR_ALIVE)->object = unknown;
        Instr *copy = emit(l, INSTR_COPY);
        copy->address = address_add(l->front, object_address(l->program, string), k * (MAX_LENGTH - unknown->size));
        copy->value = object_address(l->program, unknown);
        copy->size = pointer_const(l->front, unknown->size);
        emit(l, INSTR_DEAD)->object = unknown;
    }
}

static void set_pointer(Lower *l, const Object *array, unsigned i, const Object *string) {
    Instr *store = emit(l, INSTR_STORE);
    store->address = address_add(l->front, object_address(l->program, array), (uint64_t)i * l->front->pointer_width / 8);
    store->value = object_address(l->program, string);
}

/* Returns the number of strings, at most max, and sets *array to the object that points to them. Other threads do not run yet. */
static const Expr *any_strings(Lower *l, const char *name, unsigned max, const char *beyond, Object **array) {
    unsigned depth = l->cursor.depth;
    const Expr *n = emit_any(l, sort_bv(l->pool, 3));
    Object *strings[MAX_STRINGS], *unknown = program_object(l->program, OBJECT_LOCAL, "unknown", WORD);
    unknown->template_ = l->template_->index;
    *array = make_array(l, name, max);
    for (unsigned i = 0; i < max; i++) strings[i] = make_string(l, name_of(l, name, i), NULL, MAX_LENGTH + 1);
    Position place = l->position;
    l->position = (Position){0}; /* counterexamples do not show what happens before main starts */
    unsigned here = end_step(l), join = emit_location(l, LOCATION_PLAIN);
    for (unsigned k = 0; k <= max; k++) {
        l->cursor = emit_guarded(l, here, expr_eq(l->pool, n, expr_const(l->pool, n->sort, k)), depth);
        for (unsigned i = 0; i < k; i++) fill_string(l, strings[i], unknown);
        for (unsigned i = 0; i < k; i++) set_pointer(l, *array, i, strings[i]);
        emit_goto(l, join);
    }
    const Expr *more = expr_2(l->pool, OP_ULT, expr_const(l->pool, n->sort, max), n);
    l->cursor = emit_guarded(l, here, more, depth);
    l->position = place;
    emit_stop(l, APPROX_UNDER, MSG_FRONT_ARGUMENTS_LONG, beyond, MAX_LENGTH);
    l->cursor = (Cursor){.location = join, .action = NONE, .depth = depth};
    return n;
}

/* ---- parameters ---- */

typedef struct Arguments {
    const Expr *argc, *argv, *envp; /* NULL if main does not use it */
} Arguments;

static bool looks_at(LLVMValueRef function, unsigned i) { return LLVMCountParams(function) > i && is_read(LLVMGetParam(function, i)); }

static Arguments main_arguments(Lower *l, LLVMValueRef function) {
    const char *args = l->front->options->args;
    Arguments a = {0};
    Object *array;
    if (args && (looks_at(function, 0) || looks_at(function, 1))) {
        a.argv = object_address(l->program, given_arguments(l, args));
        a.argc = expr_bv(l->pool, 32, count_words(args) + 1);
        note_assumption(l, arena_printf(l->front->scratch, MSG_FRONT_ARGUMENTS_GIVEN, args));
    } else if (looks_at(function, 1)) {
        const char *beyond = MSG_FRONT_ARGUMENTS_MANY;
        a.argc = expr_convert(l->pool, OP_ZEXT, any_strings(l, "argv", MAX_STRINGS, beyond, &array), 32);
        a.argv = object_address(l->program, array);
    }
    if (looks_at(function, 2)) {
        any_strings(l, "envp", MAX_ENVIRONMENT, MSG_FRONT_ENVIRONMENT_MANY, &array);
        a.envp = object_address(l->program, array);
    }
    return a;
}

static const Expr *any_argument(Lower *l, unsigned i, const Sort *sort) {
    const Expr *e = emit_any(l, sort);
    if (i == 0 && sort->kind == SORT_BV) emit_assume(l, expr_2(l->pool, OP_SLE, expr_const(l->pool, sort, 0), e), false, NULL);
    return e;
}

const Expr ***start_arguments(Lower *l, LLVMValueRef function, unsigned *n) {
    *n = LLVMCountParams(function);
    const Expr ***arguments = arena_array(l->front->scratch, const Expr **, *n + 1);
    Variable *argument = l->template_->argument;
    Arguments a = argument ? (Arguments){.argc = variable_expr(l->program, argument)} : main_arguments(l, function);
    const Expr *known[] = {a.argc, a.argv, a.envp};
    for (unsigned i = 0; i < *n; i++) {
        const Leaves *type = type_leaves(l->front, LLVMTypeOf(LLVMGetParam(function, i)));
        arguments[i] = arena_array(l->front->scratch, const Expr *, type->n + 1);
        for (unsigned k = 0; k < type->n; k++) {
            const Sort *sort = type->leaf[k].sort;
            arguments[i][k] = i < 3 && known[i] ? as_sort(l->front, known[i], sort) : any_argument(l, i, sort);
        }
    }
    return arguments;
}
