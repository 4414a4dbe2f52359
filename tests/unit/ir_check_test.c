/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of well-formedness that no text can break: indices, links, operands. (The others: tests/ir/bad.) */
#include "ir_test.h"

static const char text[] = "approximation under \"bound\"; object o : global 8 reloc 0 -> o; object h : heap;"
                           "object f : local 8 in w;"
                           "global x : bv32 = 1:32; global m : bv32;"
                           "thread main { local t : bv32; local u : bv64;"
                           "l0 { do t := x; goto l1; do t := 1:32; goto l1; }"
                           "l1 { when (= t 0:32) do x := t; lock m; u := alloc h size 4:64; t := load [o]; create w (0:64); goto l2; }"
                           "l2 stop 0; }"
                           "thread w { local t : bv32; l0 { do alive f; t := 0:32; x := t; goto l1; } l1 end; }"
                           "procedure one () { l0 { goto l1; } l1 return; } procedure two () { l0 { goto l1; } l1 return; }";

typedef struct Case {
    const char *rule, *code; /* what the complaint must have */
    void (*damage)(Program *, Template *main, Template *w);
} Case;

#define DAMAGE(name) static void name(Program *p, Template *t, Template *w)
#define IGNORE (void)p, (void)t, (void)w

DAMAGE(location_index) {
    IGNORE;
    t->locations[1].index = 2;
}
DAMAGE(action_index) {
    IGNORE;
    t->actions[1].index = 0;
}
DAMAGE(action_target) {
    IGNORE;
    t->actions[1].target = 17;
}
DAMAGE(action_source) {
    IGNORE;
    t->actions[1].source = 1;
}
DAMAGE(action_listed_twice) {
    IGNORE;
    vec_push(t->locations[0].out, 1u);
}
DAMAGE(action_not_listed) {
    IGNORE;
    (void)vec_pop(t->locations[0].out);
}
DAMAGE(action_unknown) {
    IGNORE;
    vec_push(t->locations[0].out, 99u);
}
DAMAGE(guard_missing) {
    IGNORE;
    t->actions[1].guard = NULL;
}
DAMAGE(entry) {
    IGNORE;
    t->entry = 3;
}
DAMAGE(local_index) {
    IGNORE;
    t->locals[1]->index = 0;
}
DAMAGE(local_template) {
    IGNORE;
    t->locals[0]->template_ = 1;
}
DAMAGE(local_init) {
    IGNORE;
    t->locals[0]->init = expr_bv(p->exprs, 32, 0);
}
DAMAGE(global_flag) {
    IGNORE;
    p->globals[0]->global = false;
}
DAMAGE(global_index) {
    IGNORE;
    p->globals[1]->index = 0;
}
DAMAGE(object_index) {
    IGNORE;
    p->objects[1]->index = 0;
}
DAMAGE(object_kind) {
    IGNORE;
    p->objects[0]->kind = (ObjectKind)77;
}
DAMAGE(object_template) {
    IGNORE;
    p->objects[2]->template_ = 5;
}
DAMAGE(relocation_target) {
    IGNORE;
    p->objects[0]->relocations[0].target = NULL;
}
DAMAGE(relocation_gone) {
    IGNORE;
    p->objects[0]->relocations[0].target = p->globals[0]->symbol;
}
DAMAGE(link_variable) {
    IGNORE;
    symbol_find(p->exprs, "x")->user = p->globals[1];
}
DAMAGE(link_object) {
    IGNORE;
    symbol_find(p->exprs, "o")->user = NULL;
}
DAMAGE(template_index) {
    IGNORE;
    w->index = 0;
}
DAMAGE(template_names) {
    IGNORE;
    w->name = t->name;
}
DAMAGE(self_missing) {
    IGNORE;
    t->self = NULL;
}
DAMAGE(argument_missing) {
    IGNORE;
    w->argument = NULL;
}
DAMAGE(argument_foreign) {
    IGNORE;
    w->argument = t->locals[1];
}
DAMAGE(operand_missing) {
    IGNORE;
    t->actions[0].instrs[0].value = NULL;
}
DAMAGE(operand_extra) {
    IGNORE;
    t->actions[0].instrs[0].size = expr_bv(p->exprs, 64, 1);
}
DAMAGE(target_missing) {
    IGNORE;
    t->actions[0].instrs[0].target = NULL;
}
DAMAGE(cell_extra) {
    IGNORE;
    t->actions[0].instrs[0].cell = p->globals[1];
}
DAMAGE(cell_and_address) {
    IGNORE;
    t->actions[2].instrs[1].address = expr_bv(p->exprs, 64, 1);
}
DAMAGE(atomic_lock) {
    IGNORE;
    t->actions[2].instrs[1].atomic = true;
}
DAMAGE(zeroed_assign) {
    IGNORE;
    t->actions[0].instrs[0].zeroed = true;
}
DAMAGE(instr_kind) {
    IGNORE;
    t->actions[0].instrs[0].kind = (InstrKind)99;
}
DAMAGE(foreign_target) {
    IGNORE;
    t->actions[0].instrs[0].target = w->locals[0];
}
DAMAGE(foreign_value) {
    IGNORE;
    t->actions[0].instrs[0].value = variable_expr(p, w->locals[0]);
}
DAMAGE(dropped_variable) {
    IGNORE;
    t->actions[0].instrs[0].value = variable_expr(p, p->globals[1]);
    (void)vec_pop(p->globals);
}
DAMAGE(dropped_object) {
    IGNORE;
    (void)vec_pop(p->objects);
}
DAMAGE(uninterpreted) {
    IGNORE;
    const Sort *s = sort_bv(p->exprs, 32);
    const Symbol *f = symbol_function(p->exprs, "f!", s, 1, &s);
    const Expr *x = variable_expr(p, p->globals[0]);
    t->actions[0].instrs[0].value = expr_apply(p->exprs, f, 1, &x);
}
DAMAGE(ownerless) {
    IGNORE;
    t->actions[0].instrs[0].value = expr_symbol(p->exprs, symbol_new(p->exprs, SYM_VARIABLE, "q", sort_bv(p->exprs, 32)));
}

DAMAGE(bare_variable) {
    IGNORE;
    p->globals[0]->name = NULL;
}
DAMAGE(dropped_local) {
    IGNORE;
    (void)vec_pop(t->locals);
}
DAMAGE(address_sort) {
    IGNORE;
    p->pointer_width = 32;
}
DAMAGE(unknown_thread) {
    IGNORE;
    t->actions[2].instrs[4].template_ = 9;
}
DAMAGE(thread_of_assume) {
    IGNORE;
    t->actions[0].instrs[0] =
        (Instr){.kind = INSTR_ASSUME, .value = expr_bool(p->exprs, true), .address = expr_bv(p->exprs, 64, 0), .object = NULL};
}
DAMAGE(life_of_lock) {
    IGNORE;
    t->actions[2].instrs[1].life = 1;
}
DAMAGE(store_of_assign) {
    IGNORE;
    t->actions[0].instrs[0].writes = true;
}
DAMAGE(undefined_assign) {
    IGNORE;
    t->actions[0].instrs[0].undefined = true;
}

DAMAGE(procedure_names) {
    IGNORE;
    p->procedures[1]->name = p->procedures[0]->name;
}
DAMAGE(procedure_argument) {
    IGNORE;
    p->procedures[0]->argument = t->locals[0];
}

static const Case cases[] = {
    {"[indices]", "[H0525]", location_index},
    {"[indices]", "[H0525]", action_index},
    {"[indices]", "[H0561]", action_target},
    {"[indices]", "[H0559]", action_source},
    {"[indices]", "[H0558]", action_listed_twice},
    {"[indices]", "[H0560]", action_not_listed},
    {"[indices]", "[H0557]", action_unknown},
    {"[operands]", "[H0565]", guard_missing},
    {"[threads]", "[H0573]", entry},
    {"[indices]", "[H0525]", local_index},
    {"[indices]", "[H0525]", local_template},
    {"[initial]", "[H0536]", local_init},
    {"[indices]", "[H0525]", global_flag},
    {"[indices]", "[H0525]", global_index},
    {"[indices]", "[H0525]", object_index},
    {"[objects]", "[H0526]", object_kind},
    {"[objects]", "[H0530]", object_template},
    {"[symbols]", "[H0548]", relocation_target},
    {"[symbols]", "[H0548]", relocation_gone},
    {"[symbols]", "[H0527]", link_variable},
    {"[symbols]", "[H0527]", link_object},
    {"[indices]", "[H0525]", template_index},
    {"[threads]", "[H0568]", template_names},
    {"[threads]", "[H0571]", self_missing},
    {"[threads]", "[H0571]", argument_missing},
    {"[scope]", "[H0532]", argument_foreign},
    {"[operands]", "[H0576]", operand_missing},
    {"[operands]", "[H0577]", operand_extra},
    {"[operands]", "[H0576]", target_missing},
    {"[operands]", "[H0577]", cell_extra},
    {"[operands]", "[H0580]", cell_and_address},
    {"[operands]", "[H0587]", atomic_lock},
    {"[operands]", "[H0591]", zeroed_assign},
    {"[operands]", "[H0526]", instr_kind},
    {"[scope]", "[H0532]", foreign_target},
    {"[scope]", "[H0532]", foreign_value},
    {"[symbols]", "[H0531]", dropped_variable},
    {"[symbols]", "[H0531]", dropped_object},
    {"[symbols]", "[H0529]", uninterpreted},
    {"[symbols]", "[H0528]", ownerless},
    {"[threads]", "[H0539]", procedure_names},
    {"[threads]", "[H0566]", procedure_argument},
    {"[symbols]", "[H0524]", bare_variable},
    {"[symbols]", "[H0537]", dropped_local},
    {"[sorts]", "[H0540]", address_sort},
    {"[create]", "[H0581]", unknown_thread},
    {"[operands]", "[H0586]", thread_of_assume},
    {"[operands]", "[H0592]", life_of_lock},
    {"[operands]", "[H0593]", store_of_assign},
    {"[operands]", "[H0585]", undefined_assign},
};

static void damaged(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Program *p = program_of(text);
        Buf complaint = {0};
        cases[i].damage(p, p->templates[0], p->templates[1]);
        if (program_check(p, &complaint)) fail_msg("case %zu is accepted", i);
        if (!strstr(buf_string(&complaint), cases[i].rule) || !strstr(buf_string(&complaint), cases[i].code))
            fail_msg("case %zu (%s, %s): %s", i, cases[i].rule, cases[i].code, buf_string(&complaint));
        buf_free(&complaint);
        program_free(p);
    }
}

/* A template of 100,000 actions and as many locals is checked in no time. */
static void large(void **state) {
    (void)state;
    enum { N = 100000 };
    Program *p = program_new(64);
    Variable *x = program_global(p, "x", sort_bv(p->exprs, 32), NULL);
    Template *t = program_template(p, "main", 1);
    Position nowhere = {0};
    unsigned at = template_location(p, t, LOCATION_PLAIN, nowhere);
    for (int i = 0; i < N; i++) {
        unsigned next = template_location(p, t, LOCATION_PLAIN, nowhere);
        Variable *v = template_local(p, t, "t", x->sort);
        Action *a = template_action(p, t, at, next, NULL, nowhere);
        Instr *instr = action_instr(a, INSTR_ASSIGN, nowhere);
        instr->target = v;
        instr->value = variable_expr(p, x);
        instr = action_instr(a, INSTR_ASSIGN, nowhere);
        instr->target = x;
        instr->value = expr_2(p->exprs, OP_ADD, variable_expr(p, v), expr_bv(p->exprs, 32, 1));
        at = next;
    }
    Buf complaint = {0};
    for (int i = 0; i < 10; i++) assert_true(program_check(p, &complaint));
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged), cmocka_unit_test(large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
