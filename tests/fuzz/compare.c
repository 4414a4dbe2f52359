/* SPDX-License-Identifier: Apache-2.0 */
/* compare [--engine E] [--keep DIR] [--seconds S] [--show SEED] [--attack yes] N SEED: N random programs, each given to the engine
   explicit (which visits all states) and to another (redcomp by default; impact in one of its configurations; explicit itself, for its proofs). Told are answers that contradict each other, proofs that do not check, traces
   that do not replay, crashes; each shrunk to the least program that still shows it. Exit code 1 if there was any, or if too
   little was decided to mean anything.

   --attack is a test of the proof checker: movers, facts and blocks are claimed at random, and the clauses solved for these. Whatever
   it accepts must be right; that it refuses most is as it should be. */
#include "process/child.h"
#include "base/clock.h"
#include "base/vec.h"
#include "check/proof.h"
#include "check/replay.h"
#include "engine/engine.h"
#include "generate.h"
#include "ir/check.h"
#include "base/clock.h"
#include "engine/horn/rule.h"
#include "engine/threader/aret.h"
#include "ir/parse.h"
#include "passes/system/system_passes.h"
#include "result/proof_text.h"
#include "process/proof_system.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Outcome { AGREE, UNDECIDED, NOT_PARSED, NO_PROOF, NO_REPLAY, CRASH, WRONG_SAFE, WRONG_UNSAFE, OUTCOMES } Outcome;

static const char *const outcome_names[] = {"agree",
                                            "undecided",
                                            "not well-formed",
                                            "a proof that does not check",
                                            "a trace that does not replay",
                                            "a crash",
                                            "SAFE but explicit UNSAFE",
                                            "UNSAFE but explicit SAFE"};

static const Engine *const engines[] = {&engine_redcomp, &engine_impact, &engine_weave, &engine_threader, &engine_explicit},
                           *engine = &engine_redcomp;
static double limit = 1.5;
static bool attacks;

typedef struct Case {
    const char *text;
    uint64_t seed;
    Arithmetic arithmetic;
} Case;

/* Mostly as by default, else anything. */
static void impact_options(uint64_t seed, EngineOptions *o) {
    Dice d = {.state = seed * 77777777 + 7};
    if (roll(&d, 2)) return;
    o->impact_por = (ImpactPor)roll(&d, 4);
    o->impact_force_cover = roll(&d, 2) ? SETTING_NO : SETTING_YES;
    o->impact_order = roll(&d, 2) ? IMPACT_SWITCHES : IMPACT_DEPTH;
    o->reduction = roll(&d, 2) ? REDUCTION_NO : REDUCTION_YES;
}

static void weave_options(uint64_t seed, EngineOptions *o) {
    static const char *const orders[] = {"auto", "all:steps", "sequential", "reverse", "lockstep", "steps", "T(0)"};
    static const ReductionKind reductions[] = {REDUCTION_YES,     REDUCTION_YES,  REDUCTION_YES, REDUCTION_SEMI,
                                               REDUCTION_CONTEXT, REDUCTION_BOTH, REDUCTION_NO};
    Dice d = {.state = seed * 7654321 + 7};
    o->weave_order = orders[roll(&d, 7)];
    o->reduction = reductions[roll(&d, 7)];
}

static void threader_options(uint64_t seed, EngineOptions *o) {
    Dice d = {.state = seed * 1234567 + 7};
    o->threader_bias = roll(&d, 3) ? BIAS_MODULAR : BIAS_NONE;
    o->threader_start = roll(&d, 4) ? START_FRAMES : START_EMPTY;
    o->reduction = roll(&d, 4) ? REDUCTION_YES : REDUCTION_NO;
}

static VerdictKind ask(const Engine *e, const Program *p, const Case *q, double seconds, Verdict **v) {
    Stats stats = {0};
    EngineTask task = {.question = &(Question){.certificate = e == engine},
                       .program = p,
                       .budget = {seconds, UINT64_C(1) << 30},
                       .options.arith = q->arithmetic,
                       .stats = &stats};
    if (e == &engine_impact) impact_options(q->seed, &task.options);
    if (e == &engine_weave) weave_options(q->seed, &task.options);
    if (e == &engine_threader) threader_options(q->seed, &task.options);
    *v = e->run(&task);
    return (*v)->kind;
}

static int finish(FILE *out, Outcome o, const char *detail) {
    fprintf(out, "%c%s", 'A' + (int)o, detail);
    return 0;
}

/* ---- claims at random ---- */

static void claim_more(const System *s, Movers *m, Dice *d) {
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned twin = s->threads[t].other_instance;
        if (twin != NONE && twin < t) { /* the same as its twin, as the checker demands */
            for (size_t i = 0; i < vec_len(m->kind[t]); i++) m->kind[t][i] = m->kind[twin][i];
            continue;
        }
        for (size_t i = 0; i < vec_len(m->kind[t]); i++)
            if (roll(d, 4) == 0) m->kind[t][i] |= (uint8_t)(1 + roll(d, 3));
        for (size_t l = 0; l < vec_len(m->facts[t]) && twin == NONE; l++)
            if (roll(d, 12) == 0) m->facts[t][l] = expr_and(s->exprs, m->facts[t][l], m->facts[t][roll(d, (unsigned)vec_len(m->facts[t]))]);
    }
}

static void fewer_stops(const System *s, Blocks *b, Dice *d) {
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(b->out[t]); l++)
            if (s->threads[t].other_instance == NONE && l != s->threads[t].entry && s->threads[t].locations[l].kind == LOCATION_PLAIN &&
                roll(d, 8) == 0)
                b->out[t][l] = false;
}

/* A proof by a rule drawn at random; NULL: it found none. */
static Proof *attack(const Program *program, Arithmetic arithmetic, uint64_t seed) {
    Dice d = {.state = seed * 2654435761u + 12345};
    Stats stats = {0};
    EngineTask task = {.question = &(Question){0}, .program = program, .stats = &stats};
    Chain w;
    if (prepare(&w, program, NULL, (PassSettings){.arithmetic = arithmetic}, "robustness-monitor")) return NULL;
    passes_run(&w, &passes_reducing, "find-locks");
    w.movers = movers_new(w.system, w.smt, NULL);
    claim_more(w.system, w.movers, &d);
    w.blocks = (roll(&d, 2) ? blocks_new : blocks_with_loops)(w.system, w.smt, w.movers);
    w.facts |= FACT_MOVERS | FACT_BLOCKS;
    if (roll(&d, 2)) fewer_stops(w.system, w.blocks, &d);
    if (!roll(&d, 4)) return threader_proof(&task, &w, clock_seconds() + limit);
    const Rule *rule = roll(&d, 2) ? redcomp_rules[roll(&d, REDCOMP_RULES)] : &rule_product;
    if (!rule->applies(w.system)) rule = &rule_modular;
    bool no_proof;
    return rule->run(&(RuleTask){&task, &w, clock_seconds() + limit, &no_proof})->invariant;
}

/* Of a program with an error: is any of a few wrong proofs accepted? */
static int attack_checker(const Program *p, FILE *out, Arithmetic arithmetic) {
    unsigned refused = 0;
    char text[64];
    for (uint64_t k = 1; k <= 3; k++) {
        ProofReport report;
        Proof *proof = attack(p, arithmetic == INTEGERS ? INTEGERS : BITVECTORS, k);
        if (!proof) continue;
        if (proof_check(proof, smt_new(proof->system->exprs), limit, &report, NULL))
            return finish(out, WRONG_SAFE, "the checker accepts a wrong proof");
        refused++;
    }
    snprintf(text, sizeof text, "%u refused", refused);
    return finish(out, refused ? AGREE : UNDECIDED, text);
}

static int compare(void *context, FILE *out) {
    const Case *q = context;
    Buf error = {0};
    Program *p = program_parse("random.hir", q->text, &error);
    if (!p || !program_check(p, &error)) return finish(out, NOT_PARSED, buf_string(&error));
    Verdict *oracle, *v;
    VerdictKind right = ask(&engine_explicit, p, q, 0.4, &oracle);
    if (right == VERDICT_UNKNOWN) return finish(out, UNDECIDED, "explicit");
    if (attacks) return right == VERDICT_UNSAFE ? attack_checker(p, out, q->arithmetic) : finish(out, UNDECIDED, "no error");
    VerdictKind found = ask(engine, p, q, limit, &v);
    if (found == VERDICT_UNKNOWN) return finish(out, UNDECIDED, v->reason);
    Buf why = {0};
    if (found == VERDICT_UNSAFE) {
        if (!replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, v->trace, &why))
            return finish(out, NO_REPLAY, buf_string(&why));
        return finish(out, right == VERDICT_SAFE ? WRONG_UNSAFE : AGREE, "UNSAFE");
    }
    ProofReport report;
    if (v->proof == PROOF_EXHAUSTED) return finish(out, UNDECIDED, vec_len(v->notes) ? v->notes[vec_len(v->notes) - 1] : "no obligations");
    Buf text = {0}; /* as it is checked: elsewhere */
    if (v->invariant) proof_print(&text, v->invariant);
    const Question reach = {0};
    Route route = route_new(p, &reach, (PassSettings){.memory = MEMORY_AS_IS});
    Proof *sent = v->invariant ? proof_about(&route, false, buf_string(&text), &(Omission *){NULL}, &why) : NULL;
    if (!sent) return finish(out, NO_PROOF, buf_string(&why));
    if (!proof_check(sent, smt_new(sent->system->exprs), limit, &report, NULL))
        return finish(out, strstr(report.failed, "[H1008]") ? UNDECIDED : NO_PROOF, report.failed);
    return finish(out, right == VERDICT_UNSAFE ? WRONG_SAFE : AGREE, "SAFE");
}

static Outcome judge_once(const char *text, uint64_t seed, Arithmetic arithmetic, Buf *detail) {
    Case q = {text, seed, arithmetic};
    ChildLimits limits = {.deadline = clock_seconds() + 2 * limit + 1, .memory = UINT64_C(3) << 30, .capture = true};
    Buf answer = {0}, errors = {0};
    ChildResult r = child_run(&limits, compare, &q, &answer, &errors);
    if (r.ending == ENDING_INTERRUPT) exit(2);
    Outcome o = UNDECIDED;
    if (r.ending == ENDING_CRASH || (r.ending == ENDING_EXIT && !answer.length)) {
        o = CRASH;
        if (detail) buf_printf(detail, "%s %s", r.ending == ENDING_CRASH ? strsignal(r.code) : "exit", buf_string(&errors));
    } else if (r.ending == ENDING_EXIT) {
        o = (Outcome)(answer.text[0] - 'A');
        if (detail) buf_text(detail, buf_string(&answer) + 1);
    } else if (detail) {
        buf_text(detail, "limit");
    }
    buf_free(&answer);
    buf_free(&errors);
    return o;
}

/* As Heddle does: the solver may crash when its time is up, by chance; twice is no chance. */
static Outcome judge(const char *text, uint64_t seed, Arithmetic arithmetic, Buf *detail) {
    Buf first = {0};
    Outcome o = judge_once(text, seed, arithmetic, &first);
    if (o == CRASH) o = judge_once(text, seed, arithmetic, detail);
    else if (detail) buf_text(detail, buf_string(&first));
    buf_free(&first);
    return o;
}

/* ---- shrinking: pieces of text are cut out while the outcome stays ---- */

typedef struct Shrinker {
    Buf text;
    uint64_t seed;
    Arithmetic arithmetic;
    Outcome outcome;
    const char *detail; /* of a proof that does not check: its first word stays */
    double deadline;
} Shrinker;

static bool accept(Shrinker *s, Buf *candidate) {
    Buf detail = {0};
    bool good = clock_seconds() < s->deadline && candidate->length < s->text.length &&
                judge(buf_string(candidate), s->seed, s->arithmetic, &detail) == s->outcome;
    if (good && s->outcome == NO_PROOF) good = !strncmp(buf_string(&detail), s->detail, strcspn(s->detail, " "));
    buf_free(&detail);
    if (good) {
        buf_free(&s->text);
        s->text = *candidate;
        return true;
    }
    buf_free(candidate);
    return false;
}

/* The text without from … to, which are replaced by `by`. */
static bool cut(Shrinker *s, size_t from, size_t to, const char *by) {
    Buf c = {0};
    const char *t = buf_string(&s->text);
    buf_bytes(&c, t, from);
    buf_text(&c, by);
    buf_text(&c, t + to);
    return accept(s, &c);
}

/* From the line at `from` to the end of what its brace opens. */
static size_t block_end(const char *t, size_t from) {
    int depth = 0;
    for (size_t i = from; t[i]; i++) {
        if (t[i] == '{') depth++;
        if (t[i] == '}') depth--;
        if (t[i] == '\n' && depth <= 0) return i + 1;
    }
    return strlen(t);
}

static bool shrink_lines(Shrinker *s) {
    bool any = false;
    for (size_t at = 0; at < s->text.length;) {
        const char *t = buf_string(&s->text);
        size_t end = block_end(t, at), line = strcspn(t + at, "\n") + at + 1;
        if (cut(s, at, end, "") || (line < end && cut(s, at, line, ""))) any = true;
        else at = line;
    }
    return any;
}

/* A location whose first action does nothing: whoever goes there goes to its target instead. */
static bool shrink_locations(Shrinker *s) {
    bool any = false;
    for (size_t at = 0; at < s->text.length;) {
        const char *t = buf_string(&s->text);
        size_t line = strcspn(t + at, "\n") + at + 1, end = block_end(t, at), thread = at;
        char label[64], target[64];
        const char *to = strstr(t + at, "goto ");
        if (sscanf(t + at, "  %60[a-z0-9]", label) != 1 || t[at + 2] == ' ' || t[line - 2] != '{' || !to || to > t + end ||
            sscanf(to, "goto %60[a-z0-9]", target) != 1) {
            at = line;
            continue;
        }
        while (thread && strncmp(t + thread, "thread ", 7)) thread--;
        size_t thread_end = block_end(t, thread);
        Buf c = {0};
        char from[80];
        snprintf(from, sizeof from, "goto %s;", label);
        for (size_t i = 0; t[i];) {
            if (i == at) i = end;
            if (i >= thread && i < thread_end && !strncmp(t + i, from, strlen(from))) {
                buf_printf(&c, "goto %s;", target);
                i += strlen(from);
            } else if (t[i]) {
                buf_char(&c, t[i++]);
            }
        }
        if (accept(s, &c)) any = true;
        else at = line;
    }
    return any;
}

/* An expression in parentheses by one of its parts, or by a constant; an instruction; a word. */
static bool shrink_pieces(Shrinker *s) {
    bool any = false;
    static const char *const words[] = {" atomic {", " loop {", " signed", " count many", " nsw", " nuw"}, *const less[] = {" {", " {", "",
                                                                                                                            "",   "",   ""};
    for (size_t at = 0; at < s->text.length; at++) {
        const char *t = buf_string(&s->text);
        bool hit = false;
        for (unsigned w = 0; w < 6 && !hit; w++)
            if (!strncmp(t + at, words[w], strlen(words[w]))) hit = cut(s, at, at + strlen(words[w]), less[w]);
        if (!hit && (!strncmp(t + at, "do ", 3) || (t[at] == ' ' && at && t[at - 1] == ';'))) {
            size_t from = t[at] == 'd' ? at + 3 : at + 1, end = from + strcspn(t + from, ";\n");
            if (t[end] == ';' && strncmp(t + from, "goto", 4)) hit = cut(s, from, end + 2, "");
        }
        if (!hit && !strncmp(t + at, "do goto", 7)) hit = cut(s, at, at + 3, "");
        if (!hit && !strncmp(t + at, "when ", 5)) {
            size_t end = at + 5;
            for (int depth = 0; t[end]; end++) {
                if (t[end] == '(') depth++;
                if (t[end] == ')' && !--depth) break;
            }
            hit = cut(s, at, end + 2, "");
        }
        if (!hit && t[at] == '(') { /* each operand in its place */
            size_t end = at, starts[8], n = 0;
            int depth = 0;
            for (; t[end]; end++) {
                if (t[end] == '(') depth++;
                if (t[end] == ' ' && depth == 1 && n < 8) starts[n++] = end + 1;
                if (t[end] == ')' && !--depth) break;
            }
            for (size_t k = 0; k < n && !hit; k++) {
                size_t stop = k + 1 < n ? starts[k + 1] - 1 : end;
                char *part = strndup(t + starts[k], stop - starts[k]);
                hit = cut(s, at, end + 1, part);
                free(part);
            }
        }
        any |= hit;
        if (hit) at = at ? at - 1 : 0;
    }
    return any;
}

static void shrink(Shrinker *s) {
    for (bool again = true; again && clock_seconds() < s->deadline;) {
        again = shrink_lines(s);
        again |= shrink_locations(s);
        again |= shrink_pieces(s);
    }
}

/* ---- what is told ---- */

static void write_program(const char *keep, uint64_t seed, Outcome o, Arithmetic arithmetic, const char *detail, const char *text,
                          const char *kind) {
    static const char *const ariths[] = {[ARITHMETIC_AUTO] = "auto", [INTEGERS] = "int", [BITVECTORS] = "bv"};
    char path[300];
    if (keep) snprintf(path, sizeof path, "%s/%llu%s.hir", keep, (unsigned long long)seed, kind);
    FILE *f = keep ? fopen(path, "w") : stdout;
    if (!f) return;
    fprintf(f, "// seed %llu, arithmetic %s: %s (%s)\n%s", (unsigned long long)seed, ariths[arithmetic], outcome_names[o], detail, text);
    if (keep) fclose(f);
}

/* ---- the program ---- */

typedef struct Run {
    const char *keep;
    double seconds;
    int n, seed, done;
    unsigned counts[OUTCOMES], safe;
} Run;

static int number(const char *text) { return (int)strtol(text, NULL, 10); }

static int show(uint64_t seed) {
    Buf text = {0};
    generate(seed, &text);
    fputs(buf_string(&text), stdout);
    buf_free(&text);
    return 0;
}

static void tell(const Run *run, uint64_t seed, Outcome o, Arithmetic arithmetic, const char *detail, Buf *text) {
    printf("%llu: %s: %s\n", (unsigned long long)seed, outcome_names[o], detail);
    if (run->keep) write_program(run->keep, seed, o, arithmetic, detail, buf_string(text), "");
    Shrinker s = {.text = *text,
                  .seed = seed,
                  .arithmetic = arithmetic,
                  .outcome = o,
                  .detail = detail,
                  .deadline = clock_seconds() + (o == NO_PROOF ? 10 : 60)};
    if (o != NOT_PARSED && (o != NO_PROOF || run->counts[NO_PROOF] < 10)) {
        shrink(&s);
        write_program(run->keep, seed, o, arithmetic, detail, buf_string(&s.text), ".small");
    }
    *text = s.text;
    fflush(stdout);
}

static void one_program(Run *run, uint64_t seed) {
    Buf text = {0}, detail = {0};
    Arithmetic arithmetic = seed % 3 == 0 ? INTEGERS : seed % 3 == 1 ? BITVECTORS : ARITHMETIC_AUTO;
    generate(seed, &text);
    Outcome o = judge(buf_string(&text), seed, arithmetic, &detail);
    run->counts[o]++;
    run->safe += o == AGREE && !strcmp(buf_string(&detail), "SAFE");
    if (o == UNDECIDED && getenv("REASONS")) printf("%llu: %s\n", (unsigned long long)seed, buf_string(&detail));
    if (o != AGREE && o != UNDECIDED) tell(run, seed, o, arithmetic, buf_string(&detail), &text);
    buf_free(&text);
    buf_free(&detail);
}

/* Who decides nothing is never wrong: of some programs, so many have to be decided, both ways. Few of them have an error and a wrong proof. */
static bool is_enough(const Run *run) {
    unsigned agree = run->counts[AGREE], done = (unsigned)run->done;
    if (run->n < 30) return agree > 0;
    if (done < 10 || !agree) return false;
    if (attacks) return agree * 60 >= done;
    return agree * 5 >= done * 2 && run->safe * 5 >= done && (agree - run->safe) * 10 >= done;
}

static int summary(const Run *run) {
    unsigned bad = 0;
    printf("%d programs: %u agree (%u SAFE)", run->done, run->counts[AGREE], run->safe);
    for (int o = UNDECIDED; o < OUTCOMES; o++)
        if (run->counts[o]) printf(", %u %s", run->counts[o], outcome_names[o]);
    printf("\n");
    for (int o = NOT_PARSED; o < OUTCOMES; o++) bad += run->counts[o];
    if (!is_enough(run)) printf("too little was decided\n");
    return bad || !is_enough(run);
}

int main(int argc, char **argv) {
    Run run = {.seconds = 1e9};
    double start = clock_seconds(), next = start + 30;
    int a = 1;
    for (; a + 1 < argc && !strncmp(argv[a], "--", 2); a += 2) {
        if (!strcmp(argv[a], "--keep")) run.keep = argv[a + 1];
        else if (!strcmp(argv[a], "--seconds")) run.seconds = number(argv[a + 1]);
        else if (!strcmp(argv[a], "--attack")) attacks = true;
        else if (!strcmp(argv[a], "--show")) return show((uint64_t)number(argv[a + 1]));
        for (size_t i = 0; !strcmp(argv[a], "--engine") && i < sizeof engines / sizeof *engines; i++)
            if (!strcmp(argv[a + 1], engines[i]->name)) engine = engines[i];
    }
    run.n = a < argc ? number(argv[a]) : 200;
    run.seed = a + 1 < argc ? number(argv[a + 1]) : 1;
    child_catch_signals();
    for (; run.done < run.n && clock_seconds() - start < run.seconds; run.done++) {
        one_program(&run, (uint64_t)run.seed + (uint64_t)run.done);
        if (clock_seconds() > next) fprintf(stderr, "%d programs\n", run.done + 1), next += 30;
    }
    return summary(&run);
}
