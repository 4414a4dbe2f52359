/* SPDX-License-Identifier: Apache-2.0 */
/* Text: what is printed reads back as itself, for programs built at random; broken text is refused, never fatal. */
#include "ir_test.h"
#include <stdlib.h>

/* ---- random programs, well-formed or not: the text must carry all of them ---- */

static unsigned below(unsigned n) { return (unsigned)rand() % n; }

static const char *odd_name(void) {
    static const char *const names[] = {"x",    "x",       "any",   "undefined", "s.next", "a[3]", "#", "",         "goto",
                                        "lock", "relaxed", "fence", "p|q",       "\\",     "\n",   "5", "@nowhere", "ü"};
    return names[below(sizeof names / sizeof *names)];
}

static Position somewhere(Program *p) {
    if (below(2)) return (Position){0};
    return (Position){.file = exprs_intern(p->exprs, below(2) ? "a.c" : "b \"q\":1.c"), .line = below(3), .column = below(3)};
}

static const Expr *random_expr(Program *p, const Template *t, unsigned width) {
    Exprs *x = p->exprs;
    if (width == p->pointer_width && below(3) == 0) return object_address(p, p->objects[below((unsigned)vec_len(p->objects))]);
    if (below(3) == 0) return expr_bv(x, width, below(300));
    const Variable *v = below(2) ? p->globals[below((unsigned)vec_len(p->globals))] : t->locals[below((unsigned)vec_len(t->locals))];
    const Expr *e = variable_expr(p, v);
    if (v->sort->kind != SORT_BV) return expr_bv(x, width, 1);
    e = v->sort->width >= width ? expr_extract(x, e, 0, width) : expr_convert(x, OP_SEXT, e, width);
    return below(2) ? e : expr_2f(x, OP_ADD, below(4), e, expr_bv(x, width, below(9)));
}

static Variable *random_variable(Program *p, const Template *t) {
    return below(2) ? p->globals[below((unsigned)vec_len(p->globals))] : t->locals[below((unsigned)vec_len(t->locals))];
}

static void random_call(Program *p, const Template *t, Instr *i) {
    const Expr *arguments[3];
    Variable *results[2];
    unsigned n = below(4), m = below(3);
    for (unsigned k = 0; k < n; k++) arguments[k] = random_expr(p, t, 8);
    for (unsigned k = 0; k < m; k++) results[k] = random_variable(p, t);
    i->call = call_new(p, n, arguments, m, results);
    if (!vec_len(p->procedures) || below(2)) i->address = random_expr(p, t, p->pointer_width);
    else i->template_ = PROCEDURE | below((unsigned)vec_len(p->procedures));
}

static void random_instr(Program *p, const Template *t, Action *a) {
    InstrKind kind = (InstrKind)below(INSTR_KINDS);
    unsigned width = p->pointer_width;
    Instr *i = action_instr(a, kind, somewhere(p));
    bool lock = kind == INSTR_LOCK || kind == INSTR_TRYLOCK || kind == INSTR_UNLOCK;
    bool optional = lock || kind == INSTR_CREATE || kind == INSTR_JOIN;
    bool target = kind == INSTR_ASSIGN || kind == INSTR_HAVOC || kind == INSTR_LOAD || kind == INSTR_ALLOC || kind == INSTR_SIZE ||
                  kind == INSTR_WRITTEN;
    if (target || (optional && below(2))) i->target = random_variable(p, t);
    if (lock && below(2)) i->cell = random_variable(p, t);
    else if (lock || kind == INSTR_LOAD || kind == INSTR_STORE || kind == INSTR_COPY || kind == INSTR_FILL || kind == INSTR_FREE ||
             kind == INSTR_SIZE || kind == INSTR_WRITTEN || kind == INSTR_JOIN || kind == INSTR_INVALID)
        i->address = random_expr(p, t, width);
    if (kind == INSTR_ASSIGN || kind == INSTR_ASSUME || kind == INSTR_STORE || kind == INSTR_COPY || kind == INSTR_FILL ||
        kind == INSTR_CREATE)
        i->value = random_expr(p, t, below(2) ? width : 8);
    if (kind == INSTR_COPY || kind == INSTR_FILL || kind == INSTR_ALLOC || (kind == INSTR_INVALID && below(2)))
        i->size = random_expr(p, t, width);
    if (kind == INSTR_ALLOC || kind == INSTR_ALIVE || kind == INSTR_DEAD) i->object = p->objects[below((unsigned)vec_len(p->objects))];
    if (kind == INSTR_LOAD || kind == INSTR_STORE || kind == INSTR_ASSIGN) i->atomic = below(2);
    if (i->atomic || kind == INSTR_FENCE) i->order = (MemoryOrder)below(ORDERS);
    if (kind == INSTR_ALLOC) i->zeroed = below(2);
    if (kind == INSTR_LOAD) i->plain = below(2);
    if (kind == INSTR_INVALID && i->size) i->writes = below(2);
    if (kind == INSTR_HAVOC) i->undefined = below(2);
    if (kind == INSTR_CREATE) i->template_ = below((unsigned)vec_len(p->templates));
    if (kind == INSTR_CALL) random_call(p, t, i);
}

static void random_object(Program *p) {
    ObjectKind kind = (ObjectKind)below(5);
    Object *o = program_object(p, kind, odd_name(), kind == OBJECT_HEAP || kind == OBJECT_FUNCTION ? 0 : below(40));
    o->position = somewhere(p);
    o->readonly = below(2);
    if (kind == OBJECT_LOCAL) o->template_ = below(2);
    if (below(2)) o->ctype = "struct s", o->shape = "{a@0:i4}";
    if (kind != OBJECT_GLOBAL && kind != OBJECT_THREAD) return;
    if (below(2)) {
        uint8_t *bytes = arena_alloc(p->arena, o->size + 1);
        for (uint64_t i = 0; i < o->size; i++) bytes[i] = (uint8_t)below(3);
        o->bytes = bytes;
    }
    o->nrelocations = below(3);
    o->relocations = arena_array(p->arena, Relocation, 3);
    for (unsigned i = 0; i < o->nrelocations; i++)
        o->relocations[i] = (Relocation){
            .offset = below(9), .target = p->objects[below((unsigned)vec_len(p->objects))]->symbol, .addend = (int64_t)below(9) - 4};
}

static void random_attributes(Program *p, Variable *v) {
    variable_set_signed(p, v, below(2));
    v->temporary = below(2);
    v->position = somewhere(p);
    if (below(3) == 0) v->ctype = "int *";
}

static void random_control(Program *p, Template *t) {
    unsigned n = 2 + below(5);
    for (unsigned i = below(4); i > 0; i--) random_attributes(p, template_local(p, t, odd_name(), sort_bv(p->exprs, 8u << below(4))));
    for (unsigned i = 0; i < n; i++) {
        unsigned index = template_location(p, t, (LocationKind)below(LOCATION_KINDS), somewhere(p));
        Location *l = &t->locations[index];
        l->atomic = below(2);
        l->loop_head = below(2);
        if (below(2)) l->text = exprs_intern(p->exprs, odd_name());
        if (below(2)) l->function = exprs_intern(p->exprs, odd_name());
        if (l->kind == LOCATION_STOP) l->approximation = below(2);
    }
    t->entry = below(n);
    for (unsigned i = below(8); i > 0; i--) {
        const Expr *guard = below(2) ? NULL : expr_eq(p->exprs, random_expr(p, t, 8), random_expr(p, t, 8));
        Action *a = template_action(p, t, below(n), below(n), guard, somewhere(p));
        if (below(4) == 0) a->approximation = below(2);
        for (unsigned k = below(4); k > 0; k--) random_instr(p, t, a);
    }
}

static void random_procedure(Program *p) {
    Template *t = program_procedure(p, odd_name());
    for (unsigned i = below(3); i > 0; i--) random_attributes(p, procedure_parameter(p, t, odd_name(), sort_bv(p->exprs, 8u << below(4))));
    for (unsigned i = below(3); i > 0; i--) random_attributes(p, procedure_result(p, t, odd_name(), sort_bv(p->exprs, 8u << below(4))));
    vec_each(Object *, o, p->objects)
        if (o->kind == OBJECT_FUNCTION && below(2)) t->address = o;
    t->library = below(2);
    if (below(2)) t->effects = "signal";
    if (below(2)) t->effects = "rw^ cancel";
    if (below(3)) t->function = exprs_intern(p->exprs, odd_name());
}

static Program *random_program(void) {
    Program *p = program_new(below(2) ? 32 : 64);
    program_approximation(p, APPROX_OVER, somewhere(p), "one");
    program_approximation(p, APPROX_UNSUPPORTED, somewhere(p), "two \"quoted\"\n");
    for (int i = 0; i < 4; i++) random_object(p);
    random_attributes(p, program_global(p, odd_name(), sort_bv(p->exprs, 8), NULL));
    random_attributes(p, program_global(p, odd_name(), sort_bv(p->exprs, 64), expr_bv(p->exprs, 64, 5)));
    random_attributes(p, program_global(p, odd_name(), sort_array(p->exprs, sort_int(p->exprs), sort_bool(p->exprs)), NULL));
    for (unsigned i = 0; i < 2; i++) program_template(p, odd_name(), below(3));
    for (unsigned i = below(3); i > 0; i--) random_procedure(p);
    for (unsigned i = 0; i < 2; i++) random_control(p, p->templates[i]);
    vec_each(Template *, t, p->procedures)
        if (below(3)) template_local(p, t, odd_name(), sort_bv(p->exprs, 8)), random_control(p, t);
    return p;
}

static void round_trip(void **state) {
    (void)state;
    srand(2);
    for (int round = 0; round < 3000; round++) {
        Program *p = random_program();
        Buf first = {0}, error = {0};
        program_print(&first, p);
        Program *q = program_parse("again", buf_string(&first), &error);
        if (!q) fail_msg("%s%s", buf_string(&error), buf_string(&first));
        assert_printed(q, buf_string(&first));
        for (size_t t = 0; t < vec_len(p->templates); t++)
            for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
                assert_int_equal(p->templates[t]->actions[a].source, q->templates[t]->actions[a].source);
        /* Whether well-formed or not, both are, and for the same reason. */
        Buf one = {0}, two = {0};
        assert_int_equal(program_check(p, &one), program_check(q, &two));
        assert_string_equal(buf_string(&one), buf_string(&two));
        buf_free(&one);
        buf_free(&two);
        buf_free(&first);
        program_free(p);
        program_free(q);
    }
}

/* ---- broken text ---- */

static const char sample[] =
    "program pointer 64;\napproximation over \"x\" @\"a.c:1:2\";\nobject o : global 8 = \"0102\" reloc 0 -> o + 4 shape \"i4\";\n"
    "global x : bv32 = 5:32 signed type \"int\";\nglobal a : array(int,bv8);\n"
    "thread main entry l0 {\n  local t : bv32 temporary;\n  l0 atomic loop in f @\"a.c:3:4\" { when (slt x 5:32) approximates 0 do t := x;"
    " store [(add o 4:64)] := t @nowhere; x := load [o]; lock [o]; create w (0:64); goto l1; }\n  l1 error \"bad\";\n}\n"
    "thread w count many { l0 { do result := argument; goto l1; } l1 end; }\n";

static void try(const char *text) {
    Buf error = {0};
    Program *p = program_parse("broken", text, &error);
    assert_int_equal(!p, error.length > 0);
    Buf complaint = {0};
    if (p) program_check(p, &complaint);
    buf_free(&complaint);
    buf_free(&error);
    program_free(p);
}

static void truncated(void **state) {
    (void)state;
    char text[sizeof sample];
    for (size_t n = 0; n < sizeof sample; n++) {
        memcpy(text, sample, sizeof sample);
        text[n] = 0;
        try(text);
    }
}

static void mutated(void **state) {
    (void)state;
    static const char letters[] = " ;:{}()[]\"|@,=+-<>\\\n\t0159axlo#.";
    srand(3);
    for (int round = 0; round < 20000; round++) {
        char text[sizeof sample];
        memcpy(text, sample, sizeof sample);
        for (unsigned k = 1 + below(3); k > 0; k--) {
            size_t at = below(sizeof sample - 1);
            if (below(3)) text[at] = letters[below(sizeof letters - 1)];
            else memmove(text + at, text + at + 1, strlen(text + at));
        }
        try(text);
    }
}

static void deep(void **state) {
    (void)state;
    enum { N = 200000 };
    char *text = malloc(2 * N + 200);
    assert_non_null(text);
    strcpy(text, "thread main { l0 { when ");
    size_t n = strlen(text);
    memset(text + n, '(', N);
    text[n + N] = 0;
    try(text);
    for (int i = 0; i < N / 5; i++) memcpy(text + n + 5 * i, "(not ", 5);
    text[n + N] = 0;
    try(text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(truncated), cmocka_unit_test(mutated),
                                       cmocka_unit_test(deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
