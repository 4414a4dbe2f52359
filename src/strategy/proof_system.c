/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/proof_system.h"
#include "base/vec.h"
#include "expr/lexer.h"
#include "result/proof_text.h"
#include "strategy/weak.h"

static bool parse_head(const char *proof, PassSettings *settings, Buf *why) {
    Lexer lexer;
    Arena *arena = arena_new();
    lexer_init(&lexer, arena, "proof", proof);
    proof_parse_head(&lexer);
    if (settings_parse(&lexer, settings)) lexer_expect(&lexer, ";");
    buf_text(why, buf_string(&lexer.error));
    bool good = !lexer.failed;
    lexer_done(&lexer);
    arena_free(arena);
    return good;
}

/* The program under sequential consistency: NULL, and *why, if there is none with these settings. What is not the original is *copy. */
static const Program *consistent(const ProofSubject *x, const PassSettings *settings, Program **copy, Buf *why) {
    if (x->program->memory == MEMORY_SC && !settings->buffers) return x->program;
    *copy = weak_program(x->program, x->delays, settings->buffers);
    if (!*copy) buf_text(why, "its store buffers are not those of the program");
    return *copy;
}

static bool moved(Verdict *refusal, Buf *why) {
    if (refusal) buf_text(why, refusal->reason);
    verdict_free(refusal);
    return !refusal;
}

bool system_for_proof(const ProofSubject *x, const char *proof, Prepared *made, Buf *why) {
    PassSettings settings = {.question = x->question};
    Property property = x->question->property;
    Program *copy = NULL;
    Prepared asked = {.program = NULL};
    *made = asked;
    if (!parse_head(proof, &settings, why)) return false;
    const Program *program = consistent(x, &settings, &copy, why);
    bool good = program != NULL, asks = property != PROPERTY_UNREACH_CALL && property_is_reachability(property);
    if (good && x->asked && program == x->program) program = x->asked->program;
    else if (good && asks && (good = moved(prepare_question(&asked, program, x->question), why))) program = asked.program;
    good = good && moved(prepare(made, program, settings, "check"), why);
    prepared_release(&asked);
    program_free(copy);
    if (good && !(made->facts & FACT_WHOLE)) buf_text(why, "its system has not all executions of the program");
    return good && made->facts & FACT_WHOLE && passes_run(made, &passes_reducing, "find-locks");
}

Proof *proof_about(const ProofSubject *x, const char *proof, Buf *why) {
    Prepared made;
    Proof *p = system_for_proof(x, proof, &made, why) ? proof_parse(proof, made.program, made.system, why) : NULL;
    made.taken = p != NULL;
    prepared_release(&made);
    return p;
}
