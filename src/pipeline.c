/* SPDX-License-Identifier: Apache-2.0 */
/* Answers one question about one program: loads, answers, examines the answer for the reader, publishes. This file calls all other
   parts, and no other part calls it.
   There are three kinds of processes. The supervisor (app/supervisor.h) survives all other processes and prints the answers of the
   verifier, which is this file. The verifier loads the program, checks verdicts and publishes them; clang runs in a child of it. Each
   engine, and each check of a proof, runs in a child of the verifier (process/worker.h). The supervisor reports every process that dies. */
#include "pipeline.h"
#include "app/dump.h"
#include "app/inputs.h"
#include "app/replay_file.h"
#include "base/clock.h"
#include "base/messages.h"
#include "check/accept.h"
#include "check/known.h"
#include "explain/explain.h"
#include "front/load_program.h"
#include "output/publish.h"
#include "process/progress.h"
#include "strategy/second_looks.h"
#include "strategy/check_certificate.h"
#include "witness/check_witness.h"

/* A question on its way to an answer. */
typedef struct Answering {
    Run *run;
    Question question;
    Program *program;       /* the program of the question */
    Omission *omissions;    /* a vec: what the passes of loading left out of it */
    const Program *checked; /* `program`, or the program with the invariants of a witness */
    WithInvariants with;
    Witnesses *invariants;
    WitnessStatus status;
    TimeSlot time;
} Answering;

static Verdict *find(const Config *config, Answering *a, Buf *error) {
    const Run *r = a->run;
    const Question *q = &a->question;
    if (r->certificate) return check_certificate(config, &r->loaded, a->program, q, r->certificate, a->time);
    if (r->options->replay) return replay_file(r->options->replay, a->program, q, error);
    if (!r->witnesses) return answer(config, &r->loaded, a->program, q, a->time);
    return check_witness(config, &r->front, r->witnesses, &r->loaded, a->program, q, a->time, &a->with, &a->checked, &a->status);
}

/* Examines a verdict for the reader: vacuity, invariants for the witness, fences, an explanation and fairness. */
static void look_again(const Config *config, Answering *a, Verdict *v) {
    const Run *r = a->run;
    const Question *q = &a->question;
    check_vacuity(config, a->checked, q, v, a->time);
    if (v->kind == VERDICT_SAFE && r->options->witness && q->property == PROPERTY_UNREACH_CALL)
        a->invariants = prove_invariants(config, &r->front, a->program, q, v, a->time);
    if (!r->options->quiet && !r->options->replay) suggest_fences(config, &r->loaded, a->checked, q, v, a->time);
    bool searched = !(r->options->replay && v->kind == VERDICT_UNKNOWN && v->cause == REASON_OTHER); /* otherwise no search was made */
    if (searched && !r->witnesses) explain(v, a->checked, r->loaded.asserts, q->property, !config->engine && !q->has_context_bound);
    if (q->property != PROPERTY_TERMINATION) return;
    bool unfair = v->kind == VERDICT_UNSAFE && !q->fair && !r->options->replay;
    explain_fairness(v, q->fair, unfair ? verify_under_fairness(config, &r->loaded, a->program, q, a->time) : VERDICT_UNKNOWN);
}

/* Returns the verdict of the question. Returns NULL and sets *error if the input is wrong. */
static Verdict *verify(const Config *config, Answering *a, Buf *error) {
    a->checked = a->program = loaded_program_checked(&a->run->loaded, &a->question, &a->omissions);
    Verdict *v = accept_omissions(find(config, a, error), a->omissions);
    if (v && !a->run->certificate) look_again(config, a, v);
    return v;
}

static Answered answered(const Answering *a, const Verdict *v) {
    return (Answered){a->run->options, &a->run->loaded, a->checked, &a->question, v, a->invariants, a->status, a->time.start};
}

static void answering_free(Answering *a) {
    witnesses_free(a->invariants);
    with_invariants_free(&a->with);
    vec_free(a->omissions);
    if (a->program) program_free(a->program);
}

/* Searches for violations at other places. Each search leaves out the violations that are known already. */
static void verify_more(const Answering *first, const Verdict *v, Output *out) {
    Known known = {0};
    bool more = known_add(&known, first->checked, &first->question, v->trace), last = false;
    for (unsigned n = 1; more && slot_left(first->time) > 0.5; n++) {
        Answering a = {.run = first->run, .question = first->question, .time = first->time};
        a.question.known = &known;
        Verdict *next = verify(&first->run->config, &a, &out->complaint);
        Answered x = answered(&a, next);
        last = next->kind != VERDICT_UNSAFE;
        size_t before = vec_len(known.list);
        more = !last && known_add(&known, a.checked, &first->question, next->trace);
        if (last || vec_len(known.list) > before) publish_more(&x, n, out); /* otherwise the violation is in the list already */
        verdict_free(next);
        answering_free(&a);
    }
    if (!last) publish_note(first->run->options, MSG_MAIN_MORE_VIOLATIONS, out);
    known_free(&known);
}

/* Prints a dump if the options ask for one, and returns the exit code. Returns -1 if they ask for a verdict. */
static int dump(const Run *r, const Question *q, Output *out) {
    const Options *o = r->options;
    if (o->dump_after) return dump_after(o->dump_after, &r->config, &r->loaded, q, &out->text, &out->complaint) ? EXIT_SAFE : EXIT_INPUT;
    if (o->dump_ir) dump_ir(&r->loaded, q, &out->text);
    else if (o->dump_blocks || o->dump_chc) dump_view(&r->config, &r->loaded, q, o->dump_blocks ? VIEW_BLOCKS : VIEW_CLAUSES, &out->text);
    else return -1;
    return EXIT_SAFE;
}

int pipeline_answer(void *run, Property property, TimeSlot time, Output *out) {
    Run *r = run;
    Answering a = {.run = r, .question = inputs_question(r->options, property, r->properties, r->parts), .time = time};
    progress_phase("reading the program");
    if (!r->loaded.program && !load_program(&r->front, &r->loaded, &out->complaint)) return EXIT_INPUT;
    int code = dump(r, &a.question, out);
    if (code >= 0) return code;
    Verdict *v = verify(&r->config, &a, &out->complaint);
    Answered x = answered(&a, v);
    code = v ? publish(&x, out) : EXIT_INPUT;
    if (v && v->kind == VERDICT_UNSAFE && r->options->all_violations && !r->options->replay && !r->witnesses) verify_more(&a, v, out);
    verdict_free(v);
    answering_free(&a);
    return code;
}
