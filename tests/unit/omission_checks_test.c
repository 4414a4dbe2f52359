/* SPDX-License-Identifier: Apache-2.0 */
/* Each check of an omission accepts what its pass leaves out, and refuses a fault that is planted in the result of the pass. */
#include "check/omissions.h"
#include "ir_test.h"
#include "passes/program/instrumented.h"
#include "passes/program/program_passes.h"
#include "passes/system/system_passes.h"
#include "passes/system/tidy.h"
#include "result/race_instrumented.h"
#include "system/compose.h"
#include "system/text.h"

static bool planted[OMISSION_KINDS]; /* a fault of the kind was refused */

static void judge(OmissionKind kind, const OmissionView *v, bool faulty) {
    Omission o = omission_checked(kind, v);
    if (o.refused != faulty) fail_msg("%s: %s", omission_name(kind), faulty ? "the fault is accepted" : o.why);
    planted[kind] |= faulty;
}

/* ---- systems ---- */

typedef void Change(System *);

/* Checks what the pass makes of the text and, if there is one, the planted change. */
static void system_case(OmissionKind kind, const char *text, Change *pass, Change *fault) {
    Buf error = {0};
    Exprs *exprs = exprs_new();
    System *s = system_parse(exprs, "test", text, &error);
    if (!s) fail_msg("%s", buf_string(&error));
    System *before = system_copy(s);
    if (pass) pass(s);
    if (fault) fault(s);
    judge(kind, &(OmissionView){.system_before = before, .system_after = s}, fault != NULL);
    system_free(before);
    system_free(s);
    exprs_free(exprs);
}

static void remove_transition(System *s, unsigned thread, unsigned n) {
    SystemThread *t = &s->threads[thread];
    transition_free(&t->transitions[n]);
    for (size_t i = n; i + 1 < vec_len(t->transitions); i++) t->transitions[i] = t->transitions[i + 1];
    (void)vec_pop(t->transitions);
    thread_relink(t);
}

static void remove_first(System *s) { remove_transition(s, 0, 0); }
static void remove_second(System *s) { remove_transition(s, 0, 1); }
static void remove_of_other(System *s) { remove_transition(s, 1, 0); }
static void never_first(System *s) { s->threads[0].transitions[0].guard = expr_bool(s->exprs, false); }
static void no_effect(System *s) { vec_clear(s->threads[0].transitions[0].updates); }
static void other_start(System *s) { s->variables[0].init = NULL; }

static const char tails[] = "system bitvectors;\n"
                            "global x : bv8 = 0:8;\nglobal started : bv8 = 1:8;\nglobal status : bv8 = 0:8;\nglobal never : bv8 = 0:8;\n"
                            "thread main status started {\n"
                            "  m0 { creates w do status := 1:8; goto m1; }\n"
                            "  m1 { when (= x 2:8) goto bad; when (= x 1:8) goto m2; }\n"
                            "  m2 { do x := 3:8; goto m3; }\n"
                            "  m3 { when (= x 3:8) do x := 4:8; goto m2; }\n"
                            "  bad error; }\n"
                            "thread w status status { w0 { when (= status 1:8) do x := 1:8; goto w1; } w1 { do x := 2:8; goto w0; } }\n"
                            "thread idle status never { i0 { when (= never 1:8) do x := 7:8; goto i1; } i1 { do x := 8:8; goto i0; } }\n";

static void tails_are_checked(void **state) {
    (void)state;
    system_case(OMITS_TAILS, tails, cut_tails, NULL);
    system_case(OMITS_TAILS, tails, cut_tails, remove_second);
    system_case(OMITS_TAILS, tails, cut_tails, remove_of_other);
    system_case(OMITS_TAILS, tails, cut_tails, never_first);
    system_case(OMITS_TAILS, tails, cut_tails, no_effect);
    system_case(OMITS_TAILS, tails, cut_tails, other_start);
}

static const char stuck[] = "system bitvectors;\n"
                            "global x : bv8 = 0:8;\nlocal y : bv8 in main;\n"
                            "thread main {\n"
                            "  m0 { do x := 1:8; goto m1; }\n"
                            "  m1 { do y := 1:8; goto m2; when (= x 2:8) goto bad; }\n"
                            "  m2 { do y := 2:8; goto m3; }\n"
                            "  m3;\n"
                            "  bad error; }\n"
                            "thread w { w0 { when (= x 1:8) do x := 2:8; goto w1; } w1; }\n";
/* While main is in its atomic section, w cannot run. So main must leave the section. */
static const char stuck_in_section[] = "system bitvectors;\n"
                                       "global x : bv8 = 0:8;\nlocal y : bv8 in main;\n"
                                       "thread main { m0 { do x := 1:8; goto m1; } m1 atomic { do y := 1:8; goto m2; } m2; }\n"
                                       "thread w { w0 { when (= x 1:8) goto bad; } bad error; }\n";

static void stuck_steps_are_checked(void **state) {
    (void)state;
    system_case(OMITS_STUCK_STEPS, stuck, cut_all, NULL);
    system_case(OMITS_STUCK_STEPS, stuck, cut_all, remove_first);
    system_case(OMITS_STUCK_STEPS, stuck, cut_all, remove_of_other);
    system_case(OMITS_STUCK_STEPS, stuck_in_section, NULL, remove_second);
    system_case(OMITS_STUCK_STEPS, stuck_in_section, cut_all, NULL);
}

static const char stutters[] = "system integers;\n"
                               "global x : int = 0;\nglobal y : int = 0;\n"
                               "thread main { l0 loop {\n"
                               "    when (slt y 5) do x := (ite (slt x 3) (add x 1) x); goto l0;\n"
                               "    do x := (ite (slt x 3) 1 x); goto l1; }\n"
                               "  l1 { when (= x 4) goto bad; }\n"
                               "  bad error; }\n";

static void guard_with_y(System *s) {
    Transition *t = &s->threads[0].transitions[1];
    t->guard = expr_and(s->exprs, t->guard, expr_eq(s->exprs, system_expr(s, 1), expr_int(s->exprs, 0)));
}

static void stutters_are_checked(void **state) {
    (void)state;
    system_case(OMITS_STUTTERS, stutters, tidy_stutter, NULL);
    system_case(OMITS_STUTTERS, stutters, tidy_stutter, never_first);
    system_case(OMITS_STUTTERS, stutters, tidy_stutter, no_effect);
    system_case(OMITS_STUTTERS, stutters, tidy_stutter, guard_with_y);
    system_case(OMITS_STUTTERS, stutters, tidy_stutter, remove_second);
}

static const char signs[] = "system integers;\n"
                            "global n : int = 0 as bv32;\nglobal s : int = 0 as signed bv32;\n"
                            "thread main {\n"
                            "  l0 { when (not (= n 0)) do n := 1; goto l1; when (not (= s 0)) goto l1; }\n"
                            "  l1 { when (= n 0) goto bad; }\n"
                            "  bad error; }\n";

static void positive(System *s) { /* s may be negative */
    s->threads[0].transitions[1].guard = expr_2(s->exprs, OP_SLT, expr_int(s->exprs, 0), system_expr(s, 1));
}

static void signs_are_checked(void **state) {
    (void)state;
    system_case(OMITS_SIGNS_OF_CONDITIONS, signs, orders_by_type, NULL);
    system_case(OMITS_SIGNS_OF_CONDITIONS, signs, orders_by_type, positive);
    system_case(OMITS_SIGNS_OF_CONDITIONS, signs, orders_by_type, remove_first);
}

/* A step without an error behind it may still be endless. */
static void ends_need_all_steps(void **state) {
    (void)state;
    static const Question ends = {.property = PROPERTY_TERMINATION};
    Buf error = {0};
    Exprs *exprs = exprs_new();
    System *s = system_parse(exprs, "test", "system bitvectors;\nthread main { m0 loop { goto m0; } }\n", &error), *before = system_copy(s);
    judge(OMITS_TAILS, &(OmissionView){.system_before = before, .system_after = s, .question = &ends}, false);
    cut_all(s);
    judge(OMITS_STUCK_STEPS, &(OmissionView){.system_before = before, .system_after = s, .question = &ends}, true);
    judge(OMITS_STUCK_STEPS, &(OmissionView){.system_before = before, .system_after = s}, false);
    system_free(before);
    system_free(s);
    exprs_free(exprs);
}

/* ---- programs ---- */

static const char memory[] = "object g : global 8 = \"0100000002000000\";\n"
                             "object kept : global 4;\n"
                             "global p : bv64 = kept;\n"
                             "thread main { object l : local 4; local a : bv32; local b : bv32;\n"
                             "  l0 { do alive l; a := 0:32; goto l1; }\n"
                             "  l1 { do store [l] := (add a 1:32); b := load [g]; goto l2; }\n"
                             "  l2 { do a := load [l]; store [(add g 4:64)] := a; goto l3; }\n"
                             "  l3 { do b := load [p]; goto l4; }\n"
                             "  l4 end; }\n";

typedef void Planted(Program *, PromotedCell *);

static Program *promoted_of(Program *p, PromotedCell **cells) {
    *cells = promote_memory(p, false);
    return p;
}

static Instr *first_of(Program *p, InstrKind kind) {
    vec_each_at(Action, a, p->templates[0]->actions)
        vec_each_at(Instr, i, a->instrs)
            if (i->kind == kind) return i;
    fail_msg("there is no such instruction");
    return NULL;
}

static void promoted_case(OmissionKind kind, Planted *fault) {
    Buf error = {0};
    Program *p = program_parse("test", memory, &error), *before;
    PromotedCell *cells;
    if (!p) fail_msg("%s", buf_string(&error));
    before = program_snapshot(p);
    promoted_of(p, &cells);
    assert_int_equal(vec_len(cells), 3);
    if (fault) fault(p, cells);
    judge(kind, &(OmissionView){.before = before, .after = p, .claim = cells}, fault != NULL);
    vec_free(cells);
    program_snapshot_free(before);
    program_free(p);
}

static void forget_undefined(Program *p, PromotedCell *cells) {
    (void)cells;
    Instr *i = first_of(p, INSTR_HAVOC);
    i->kind = INSTR_ASSIGN, i->undefined = false, i->value = expr_bv(p->exprs, 32, 0);
}

static void lose_object(Program *p, PromotedCell *cells) { /* its address is still the value of a variable */
    (void)cells;
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (!strcmp(p->objects[i]->name, "kept")) p->objects[i] = vec_last(p->objects), (void)vec_pop(p->objects);
}

static void start_otherwise(Program *p, PromotedCell *cells) {
    (void)cells;
    vec_each(Variable *, v, p->globals)
        if (v->sort->width == 32) v->init = expr_bv(p->exprs, 32, 7);
}

static void one_variable(Program *p, PromotedCell *cells) {
    (void)p;
    for (size_t i = 1; i < vec_len(cells); i++)
        if (cells[i].object == cells[0].object) cells[i].variable = cells[0].variable;
}

static void other_offset(Program *p, PromotedCell *cells) {
    (void)p;
    for (size_t i = 0; i < vec_len(cells); i++)
        if (cells[i].offset == 4) cells[i].offset = 2;
}

static void lose_store(Program *p, PromotedCell *cells) {
    (void)cells;
    Action *a = &p->templates[0]->actions[1];
    a->instrs[0] = vec_last(a->instrs);
    (void)vec_pop(a->instrs);
}

static void promotion_is_checked(void **state) {
    (void)state;
    static Planted *const faults[] = {NULL, forget_undefined, lose_object, start_otherwise, one_variable, other_offset, lose_store};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        promoted_case(OMITS_PROMOTE, faults[i]);
        promoted_case(OMITS_PROMOTE_AGAIN, faults[i]);
    }
}

/* ---- threads ---- */

static const char creating[] = "thread main { local i : bv32;\n"
                               "  l0 { do i := 0:32; goto l1; }\n"
                               "  l1 loop { when (ult i 3:32) do create one (0:64); i := (add i 1:32); goto l1;\n"
                               "            when (not (ult i 3:32)) goto l2; }\n"
                               "  l2 end; }\n"
                               "thread one { l0 { do create two (0:64); goto l1; } l1 { do create two (0:64); goto l2; } l2 end; }\n"
                               "thread two { l0 end; }\n"
                               "thread self { l0 { do create self (0:64); goto l0; } }\n";

static void threads_case(unsigned template_, unsigned count, bool faulty) {
    Program *p = program_of(creating);
    count_threads(p);
    if (count) p->templates[template_]->count = count;
    judge(OMITS_THREADS, &(OmissionView){.before = p, .after = p}, faulty);
    program_free(p);
}

static void threads_are_checked(void **state) {
    (void)state;
    threads_case(0, 0, false);
    threads_case(1, 3, false);
    threads_case(1, 4, false);
    threads_case(1, 2, true);
    threads_case(2, 6, false);
    threads_case(2, 5, true);
}

/* ---- pairs of accesses ---- */

static const char racing[] = "global x : bv32 = 0:32;\nglobal y : bv32 = 0:32;\nglobal m : bv32 = 0:32;\n"
                             "thread main { l0 { do create w (0:64); goto l1; }\n"
                             "  l1 { do lock m; goto l2; } l2 { do y := 1:32; goto l3; } l3 { do unlock m; goto l4; }\n"
                             "  l4 { do x := 1:32; goto l5; } l5 end; }\n"
                             "thread w count 1 { l1 { do lock m; goto l2; } l2 { do y := 2:32; goto l3; } l3 { do unlock m; goto l4; }\n"
                             "  l4 { do x := 2:32; goto l5; } l5 end; }\n";

enum { RIGHT, WITHOUT_ERROR, WITHOUT_CLAIM, WITHOUT_FACT, OTHER_GUARD, RACE_FAULTS };

static void plant_race_fault(Program *p, RaceProof *proof, unsigned fault) {
    vec_each(Template *, t, p->templates)
        for (size_t l = 0; l < vec_len(t->locations); l++)
            if (fault == WITHOUT_ERROR && t->locations[l].kind == LOCATION_ERROR) t->locations[l].kind = LOCATION_HALT;
    program_each_instr(Instr, i, p)
        if (fault == WITHOUT_CLAIM && i->target && !strcmp(i->target->name, "claim")) i->value = expr_bv(p->exprs, 32, 77);
    for (size_t i = 0; fault == WITHOUT_FACT && i < vec_len(proof->threads[1].facts); i++) proof->threads[1].facts[i] = ~UINT64_C(0);
    if (fault == OTHER_GUARD) vec_last(p->templates[1]->actions).guard = expr_bool(p->exprs, false);
}

static void race_case(unsigned fault) {
    static const Question question = {.property = PROPERTY_NO_DATA_RACE};
    Program *p = program_of(racing), *before = program_snapshot(p);
    Instrumented made = instrument_races(p, &question, true);
    RaceClaim claim = {.proof = made.race_proof};
    assert_true(made.race_proof && !made.refused && !made.nothing_added);
    vec_each_at(AddedAction, a, made.added) vec_push(claim.added, ((RaceAdded){a->template_, a->action, a->original}));
    plant_race_fault(p, made.race_proof, fault);
    judge(OMITS_RACE_PAIRS, &(OmissionView){.before = before, .after = p, .question = &question, .claim = &claim}, fault != RIGHT);
    vec_free(claim.added);
    vec_free(made.added);
    race_proof_free(made.race_proof);
    program_free(made.race_program);
    program_snapshot_free(before);
    program_free(p);
}

static void race_pairs_are_checked(void **state) {
    (void)state;
    for (unsigned fault = RIGHT; fault < RACE_FAULTS; fault++) race_case(fault);
}

/* ---- subsumed actions ---- */

static const char subsumed[] = "approximation over \"any\";\nglobal g : bv32 = 0:32;\n"
                               "thread main { local x : bv32; local y : bv32;\n"
                               "  l0 { do y := 1:32; x := 0:32; goto l1; }\n"
                               "  l1 { do x := (add y 1:32); goto l2; when true approximates 0 do x := any; goto l2;\n"
                               "       when (= y 5:32) do x := 0:32; goto l2; }\n"
                               "  l2 { do g := x; goto l3; } l3 end; }\n";

enum { WITH_ANY, WITHOUT_ANY, OTHER_TARGET, OTHER_VARIABLE, WITH_ACCESS, SUBSUMED_FAULTS };

static void subsumed_case(unsigned fault) {
    Program *p = program_of(subsumed);
    Template *t = p->templates[0];
    Action *exact = &t->actions[1], *any = &t->actions[2];
    exact->subsumed = true;
    if (fault == WITH_ACCESS) exact->instrs[0].value = variable_expr(p, p->globals[0]);
    Program *before = program_snapshot(p);
    drop_subsumed(p);
    if (fault == WITHOUT_ANY) any->guard = expr_bool(p->exprs, false);
    if (fault == OTHER_TARGET) any->target = 3;
    if (fault == OTHER_VARIABLE) any->instrs[0].target = local_called(t, "y");
    judge(OMITS_SUBSUMED, &(OmissionView){.before = before, .after = p}, fault != WITH_ANY);
    program_snapshot_free(before);
    program_free(p);
}

static void subsumed_actions_are_checked(void **state) {
    (void)state;
    for (unsigned fault = WITH_ANY; fault < SUBSUMED_FAULTS; fault++) subsumed_case(fault);
}

/* ---- constants ---- */

static const char constant[] = "global g : bv32 = 0:32;\n"
                               "thread main { local i : bv32; local c : bv32;\n"
                               "  l0 { do i := 0:32; c := 7:32; goto l1; }\n"
                               "  l1 loop { when (ult i 2:32) do create one (0:64); i := (add i 1:32); goto l1;\n"
                               "            when (not (ult i 2:32)) goto l2; }\n"
                               "  l2 { when (= c 7:32) do g := c; goto l3; when (not (= c 7:32)) goto l4; }\n"
                               "  l3 end; l4 error; }\n"
                               "thread one { l0 { do g := 1:32; goto l1; } l1 end; }\n";

enum { CONSTANT, LOST_ACTION, OTHER_VALUE, OTHER_EFFECT, WRONG_FACT, WRONG_LOCATION, CONSTANT_FAULTS };

static void plant_constant_fault(Program *p, Specialised *known, unsigned fault) {
    Template *t = p->templates[0];
    vec_each_at(Action, a, t->actions)
        vec_each_at(Instr, i, a->instrs) {
            if (fault == OTHER_EFFECT && i->kind == INSTR_CREATE) i->kind = INSTR_FENCE;
            if (fault == OTHER_VALUE && i->target && i->target->global) i->value = expr_bv(p->exprs, 32, 8);
        }
    vec_each_at(Location, l, t->locations)
        if (fault == LOST_ACTION && vec_len(l->out) && l->index == 1) (void)vec_pop(l->out);
    vec_each_at(SpecialisedLocation, l, known->templates[0]) {
        vec_each_at(SpecialisedFact, f, l->facts)
            if (fault == WRONG_FACT) f->value = expr_bv(p->exprs, 32, 9);
        if (fault == WRONG_LOCATION && l->was == 1) l->was = 2;
    }
}

static void constants_case(OmissionKind kind, unsigned fault) {
    Program *p = program_of(constant), *before = program_snapshot(p);
    Translation *tr = translation_new(p);
    Specialised *known = specialise(p, tr, false);
    plant_constant_fault(p, known, fault);
    judge(kind, &(OmissionView){.before = before, .after = p, .claim = known}, fault != CONSTANT);
    specialised_free(known);
    translation_free(tr);
    program_snapshot_free(before);
    program_free(p);
}

static void constants_are_checked(void **state) {
    (void)state;
    for (unsigned fault = CONSTANT; fault < CONSTANT_FAULTS; fault++) {
        constants_case(OMITS_CONSTANTS, fault);
        constants_case(OMITS_CONSTANTS_AGAIN, fault);
    }
}

/* ---- all ---- */

static void each_check_refuses(void **state) {
    (void)state;
    for (unsigned k = 0; k < OMISSION_KINDS; k++)
        if (!omission_is_trusted(k) && !planted[k]) fail_msg("no fault of the kind %s is planted", omission_name(k));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_are_checked),      cmocka_unit_test(stuck_steps_are_checked),
        cmocka_unit_test(stutters_are_checked),   cmocka_unit_test(signs_are_checked),
        cmocka_unit_test(promotion_is_checked),   cmocka_unit_test(threads_are_checked),
        cmocka_unit_test(ends_need_all_steps),    cmocka_unit_test(constants_are_checked),
        cmocka_unit_test(race_pairs_are_checked), cmocka_unit_test(subsumed_actions_are_checked),
        cmocka_unit_test(each_check_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
