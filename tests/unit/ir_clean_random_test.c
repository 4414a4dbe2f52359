/* SPDX-License-Identifier: Apache-2.0 */
/* The clean-up pass keeps what can be observed: for random programs, all states are explored before and after it, and
   the reachable values of the globals (outside atomic sections, where somebody may look), the errors and the faults
   must be the same. */
#include "explore.h"
#include "passes/program/program_passes.h"
#include "random_program.h"

static size_t size_of(const Program *p) {
    size_t n = 0;
    for (size_t i = 0; i < vec_len(p->templates); i++) n += vec_len(p->templates[i]->locations);
    return n;
}

static void compare(const char *text, unsigned *compared, unsigned *smaller) {
    Program *p = program_of(text);
    Seen before = {0}, after = {0};
    Buf complaint = {0};
    explore(p, &before);
    size_t size = size_of(p);
    program_clean(p);
    if (!program_check(p, &complaint)) fail_msg("%s\n%s", buf_string(&complaint), text);
    explore(p, &after);
    if (before.complete && after.complete) {
        ++*compared;
        *smaller += size_of(p) < size;
        if (memcmp(&before, &after, sizeof before)) {
            Buf cleaned = {0};
            program_print(&cleaned, p);
            fail_msg("other behaviour after clean-up:\n%s\n%s", text, buf_string(&cleaned));
        }
    }
    program_free(p);
}

/* The same program, but its additions may overflow. */
static void make_faulty(Buf *text) { replace_all(text, "(add ", "(add nsw "); }

static void same_behaviour(void **state) {
    (void)state;
    unsigned compared = 0, smaller = 0, rounds = getenv("ROUNDS") ? (unsigned)atoi(getenv("ROUNDS")) : 400;
    for (unsigned i = 1; i <= rounds; i++) {
        Dice dice = {.state = i * UINT64_C(0x9e3779b97f4a7c15), .width = 2};
        Buf text = {0};
        random_program(&dice, &text);
        if (i % 2) make_faulty(&text);
        compare(buf_string(&text), &compared, &smaller);
        buf_free(&text);
    }
    print_message("%u programs compared, %u of them smaller after the pass\n", compared, smaller);
    assert_true(compared > rounds / 2 && smaller > rounds / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_behaviour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
