/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the passes of loading on a copy of the loaded program. */
#include "passes/loaded.h"
#include "base/die.h"
#include "ir/copy.h"

static Program *load(const Loaded *in, const Question *q, const char *last, Omission **omissions) {
    ensure(loaded_valid(in) && question_valid(q));
    Chain p = {.settings = {.recursion = in->recursion, .c = in->c, .question = q, .discharge = omissions},
               .program = program_copy_placed(in->program)};
    passes_run(&p, &passes_loading, last);
    if (omissions) vec_append(*omissions, p.omissions);
    vec_free(p.omissions);
    return p.program;
}

Program *loaded_program(const Loaded *in, const Question *q, const char *last) { return load(in, q, last, NULL); }
Program *loaded_program_checked(const Loaded *in, const Question *q, Omission **omissions) {
    if (in->c) omissions_of_kinds(omissions, OMITS_FRONT_JOINS, OMITS_FRONT_PLACES);
    return load(in, q, NULL, omissions);
}
