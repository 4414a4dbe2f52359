/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of a program equals it, until any one member of either is changed; and what is changed is in the text. */
#include "base/vec.h"
#include "ir/copy.h"
#include "ir/fields.h"
#include "ir_test.h"
#include <string.h>

static const char text[] = "program pointer 64 memory tso;\n"
                           "approximation over \"what\" function \"f\" @\"a.c:1:1\";\n"
                           "approximation over \"why\" result \"g\";\n"
                           "object g : global 16 = \"01\" reloc 8 -> h name \"x\" type \"int\" @\"a.c:2:1\";\n"
                           "object h : global 8;\n"
                           "object o : heap;\n"
                           "object c : function;\n"
                           "global v : bv64 = 0:64;\n"
                           "global w : bv64;\n"
                           "thread main {\n"
                           "  local n : bv64;\n"
                           "  l0 atomic { when (= v 1:64) do n := atomic load [(add g 8:64)]; store [g] := n; goto l1; }\n"
                           "  l1 end;\n"
                           "}\n"
                           "thread t { local p : bv64; l0 { do p := alloc o size 4:64; goto l1; } l1 end; }\n"
                           "procedure f (a : bv64, b : bv64) -> r : bv64, s : bv64 address c effects \"r0 =1\" in g {\n"
                           "  local n : bv64;\n"
                           "  l0 { do n, s := call f (b, 5:64); goto l1; }\n"
                           "  l1 { do r := n; goto l2; }\n"
                           "  l2 return;\n"
                           "}\n"
                           "procedure k (x : bv64, y : bv64) -> z : bv64, q : bv64;\n";

static void *changed(Program *p, const Field *f, const void *old) {
    switch (f->kind) {
    case FIELD_STRING:
    case FIELD_NAME:
    case FIELD_NICKNAME: return (void *)exprs_intern(p->exprs, strcmp(f->name, "effects") ? "other" : "cancel");
    case FIELD_CALL: return (void *)(old ? NULL : call_new(p, 0, NULL, 0, NULL));
    case FIELD_SYMBOL: return symbol_new(p->exprs, SYM_VARIABLE, "other", sort_int(p->exprs));
    case FIELD_REFERENCE: return old == p->globals[0] ? p->globals[1] : p->globals[0];
    case FIELD_SORT: return (void *)sort_int(p->exprs);
    case FIELD_EXPR: return (void *)expr_bv(p->exprs, 64, 77);
    case FIELD_BYTES: return arena_array(p->arena, uint8_t, 16);
    case FIELD_RELOCATIONS: {
        Relocation *r = arena_new_of(p->arena, Relocation);
        r->target = p->objects[0]->symbol;
        return r;
    }
    default: return old ? NULL : p->globals; /* lists: empty, or not */
    }
}

static void change(Program *p, const Field *f, void *x) {
    void *member = (char *)x + f->offset, *pointer;
    switch (f->size) {
    case sizeof(bool): *(bool *)member ^= true; break;
    case sizeof(unsigned): ++*(unsigned *)member; break;
    case sizeof(Position): ((Position *)member)->line++, ((Position *)member)->file = "b.c"; break;
    default:
        if (f->kind == FIELD_NUMBER || f->kind == FIELD_SKEW) ++*(uint64_t *)member;
        else pointer = changed(p, f, *(void **)member), memcpy(member, &pointer, sizeof pointer);
    }
}

/* Each member of x, which is in p. */
static void change_each(const Program *original, Program *p, const Field *fields, void *x) {
    for (const Field *f = fields; f->name; f++) {
        Position kept;
        if (f->kind == FIELD_ADDRESS) continue;
        memcpy(&kept, (char *)x + f->offset, f->size);
        change(p, f, x);
        if (program_equal(original, p) || program_equal(p, original)) fail_msg("the member %s is not compared", f->name);
        bool written = fields != template_fields || template_is_procedure(x); /* only procedures have attributes */
        if (f->word && written) program_free(program_copy(p)); /* which ensures that the copy is the same: the text says it */
        memcpy((char *)x + f->offset, &kept, f->size);
        if (!program_equal(original, p)) fail_msg("%s, changed back", f->name);
    }
}

static void each_member_counts(void **state) {
    (void)state;
    Program *original = program_of(text), *p = program_copy(original);
    Template *t = p->templates[0];
    assert_true(program_equal(original, p));
    change_each(original, p, program_fields, p);
    change_each(original, p, approximation_fields, &p->approximations[0]);
    change_each(original, p, object_fields, p->objects[0]);
    change_each(original, p, variable_fields, p->globals[0]);
    change_each(original, p, variable_fields, t->locals[0]);
    change_each(original, p, template_fields, t);
    change_each(original, p, template_fields, p->templates[1]);
    change_each(original, p, location_fields, &t->locations[0]);
    change_each(original, p, location_fields, &t->locations[1]);
    change_each(original, p, action_fields, &t->actions[0]);
    change_each(original, p, instr_fields, &t->actions[0].instrs[0]);
    change_each(original, p, instr_fields, &t->actions[0].instrs[1]);
    change_each(original, p, instr_fields, &p->templates[1]->actions[0].instrs[0]);
    change_each(original, p, instr_fields, &p->procedures[0]->actions[0].instrs[0]);
    change_each(original, p, template_fields, p->procedures[0]);
    change_each(original, p, template_fields, p->procedures[1]);
    change_each(original, p, variable_fields, p->procedures[0]->parameters[0]);
    program_free(original);
    program_free(p);
}

/* Elements of expressions and lists that are no members. */
static void other_texts(void **state) {
    (void)state;
    static const char *const changes[][2] = {{"= v 1:64", "= v 2:64"},
                                             {"= v 1:64", "= w 1:64"},
                                             {"(add g", "(sub g"},
                                             {"(add g", "(add nsw g"},
                                             {"8 -> h", "0 -> h"},
                                             {"-> h", "-> g"},
                                             {"-> h", "-> h + 4"},
                                             {"\"01\"", "\"0102\""},
                                             {"w : bv64", "w : array(bv64,bv8)"},
                                             {"main {", "main {\n local extra : bool;"},
                                             {"l1 end;", "l1 halt;"},
                                             {"store [g] := n;", ""},
                                             {"(b, 5:64)", "(a, 5:64)"},
                                             {"n, s := call", "s, n := call"},
                                             {"call f (b", "call k (b"},
                                             {"q : bv64;", "q : bv64; procedure h ();"},
                                             {"q : bv64;", "q : bv64 { l0 { do z := x; q := y; goto l1; } l1 return; }"},
                                             {"q : bv64;", "q : bv64 library;"},
                                             {"r : bv64, s : bv64", "s : bv64, r : bv64"}};
    Program *original = program_of(text);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        Buf other = {0};
        const char *at = strstr(text, changes[i][0]);
        buf_printf(&other, "%.*s%s%s", (int)(at - text), text, changes[i][1], at + strlen(changes[i][0]));
        Program *p = program_of(buf_string(&other));
        if (program_equal(original, p) || program_equal(p, original)) fail_msg("%s", changes[i][1]);
        program_free(p);
        buf_free(&other);
    }
    program_free(original);
}

/* The members of a struct are those of its table, which are in the order of the struct: there is no room for others. */
static void has_no_others(const Field *f, size_t whole) {
    size_t end = 0;
    for (; f->name; end = f->offset + f->size, f++) {
        size_t align = f->size < sizeof(void *) ? f->size : sizeof(void *);
        if (f->offset != (end + align - 1) / align * align) fail_msg("there is a member before %s that is not in the table", f->name);
    }
    assert_true(whole - end < sizeof(void *));
}

static void no_other_members(void **state) {
    (void)state;
    has_no_others(variable_fields, sizeof(Variable));
    has_no_others(object_fields, sizeof(Object));
    has_no_others(instr_fields, sizeof(Instr));
    has_no_others(action_fields, sizeof(Action));
    has_no_others(location_fields, sizeof(Location));
    has_no_others(template_fields, sizeof(Template));
    has_no_others(approximation_fields, sizeof(Approximation));
    has_no_others(program_fields, sizeof(Program));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_member_counts), cmocka_unit_test(other_texts),
                                       cmocka_unit_test(no_other_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
