/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the passes of loading on a copy of the loaded program. */
#include "passes/loaded.h"
#include "base/die.h"
#include "ir/copy.h"

Program *loaded_program(const Loaded *in, const Question *q, const char *last) {
    ensure(loaded_valid(in) && question_valid(q));
    Chain p = {.settings = {.c = in->c, .question = q}, .program = program_copy_placed(in->program)};
    passes_run(&p, &passes_loading, last);
    return p.program;
}
