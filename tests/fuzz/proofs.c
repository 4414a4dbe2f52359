/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs by hand, and tampered ones.
     proofs print WAY FILE.hir             the text of the proof that is found so: by an engine, by a rule of redcomp; `ends`: that all ends
     proofs check FILE.hir|FILE.sys PROOF  accepted, or why not
     proofs tamper N FILE.hir…             takes proofs of these programs, and refuses about N (at least) that are wrong

   That a tampered proof is wrong is known without the checker:
     - it is about a program that was changed until explicit finds an error, which is replayed;
     - its settings leave out executions, or are for another memory model;
     - a line is missing;
     - a formula is weaker, and cvc5 has a counterexample to an obligation.
   A weaker proof that is accepted must be one that cvc5 accepts as well. */
#include "base/die.h"
#include "base/file.h"
#include "base/vec.h"
#include "check/proof.h"
#include "check/replay.h"
#include "engine/engine.h"
#include "expr/lexer.h"
#include "ir/check.h"
#include "ir/parse.h"
#include "result/proof_text.h"
#include "process/proof_system.h"
#include "system/text.h"
#include "../unit/random_program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The process ends soon: nothing is freed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

enum { SECONDS = 20 };
static Question question = {.certificate = true};

typedef struct Way {
    const char *name;
    const Engine *engine;
    HornRule rule;
} Way;

static const Way ways[] = {{"product", &engine_redcomp, HORN_PRODUCT},   {"modular", &engine_redcomp, HORN_MODULAR},
                           {"pairs", &engine_redcomp, HORN_PAIRS},       {"redsafety", &engine_redcomp, HORN_REDSAFETY},
                           {"reachenv", &engine_redcomp, HORN_REACHENV}, {"impact", &engine_impact, HORN_AUTO},
                           {"weave", &engine_weave, HORN_AUTO},          {"threader", &engine_threader, HORN_AUTO},
                           {"ends", &engine_redcomp, HORN_AUTO}};
enum { WAYS = sizeof ways / sizeof *ways - 1 }; /* of reachability */

static char *read_text(const char *path) {
    Buf text = {0}, error = {0};
    if (!file_read(path, FILE_TEXT, &text, &error)) die("%s", buf_string(&error));
    return strdup(buf_string(&text));
}

static Program *program_of(const char *path, const char *text) {
    Buf error = {0};
    Program *p = program_parse(path, text, &error);
    if (p && !program_check(p, &error)) program_free(p), p = NULL;
    buf_free(&error);
    return p;
}

static Verdict *ask(const Way *way, const Program *p, double seconds) {
    Stats stats = {0};
    EngineTask task = {.question = &question,
                       .program = p,
                       .budget = {.seconds = seconds, .memory = UINT64_C(1) << 30},
                       .options.rule = way->rule,
                       .stats = &stats};
    return way->engine->run(&task);
}

/* NULL: there is none. */
static char *proof_by(const Way *way, const Program *p) {
    Verdict *v = ask(way, p, 1.5);
    Buf text = {0};
    if (v->kind == VERDICT_SAFE && v->invariant) proof_print(&text, v->invariant);
    verdict_free(v);
    return text.text;
}

static bool holds(Proof *p, Buf *why, Buf *certificate) {
    ProofReport report;
    Smt *smt = smt_new(p->system->exprs);
    bool good = proof_check(p, smt, SECONDS, &report, certificate);
    if (!good) buf_printf(why, "%s\n", report.failed);
    smt_free(smt);
    return good;
}

/* certificate may be NULL; it stays empty where the text is no proof about the program. */
static bool accepts(const Program *program, const char *text, Buf *why, Buf *certificate) {
    Route route = route_new(program, &question, (PassSettings){.memory = MEMORY_AS_IS});
    Proof *p = proof_about(&route, false, text, &(Omission *){NULL}, why);
    bool good = p && holds(p, why, certificate);
    proof_free(p);
    return good;
}

/* ---- print, check ---- */

static int print(const char *way, const char *path) {
    const Program *p = program_of(path, read_text(path));
    char *text = NULL;
    if (!strcmp(way, "ends")) question.property = PROPERTY_TERMINATION;
    for (unsigned i = 0; i <= WAYS && p; i++)
        if (!strcmp(ways[i].name, way)) text = proof_by(&ways[i], p);
    puts(text ? text : "there is no proof");
    return !text;
}

static bool accepts_of_system(const char *path, const char *system, const char *text, Buf *why) {
    System *s = system_parse(exprs_new(), path, system, why);
    Proof *p = s ? proof_parse(text, NULL, s, why) : NULL;
    return p && holds(p, why, NULL);
}

static int check(const char *path, const char *proof) {
    Buf why = {0};
    size_t n = strlen(path);
    char *about = read_text(path), *text = read_text(proof);
    bool good;
    if (n > 4 && !strcmp(path + n - 4, ".sys")) good = accepts_of_system(path, about, text, &why);
    else {
        const Program *p = program_of(path, about);
        good = p && accepts(p, text, &why, NULL);
    }
    fputs(good ? "accepted\n" : buf_string(&why), stdout);
    return 0;
}

/* ---- tampering ---- */

typedef enum Kind { OTHER_PROGRAM, OTHER_SETTINGS, LINE_DROPPED, WEAKER, KINDS } Kind;
static const char *const kinds[] = {"another program", "other settings", "a line dropped", "a formula weaker"};

typedef struct Tamper {
    const Program *program; /* what the proof is of */
    const char *path, *text, *proof;
    Program **wrong; /* a vec: programs made of it, with an error */
    Dice dice;
    unsigned refused[KINDS], read[KINDS], still; /* refused; of those, already when read; weaker ones that are proofs */
    bool bad;
} Tamper;

static void complain(Tamper *x, Kind kind, const char *text) {
    printf("%s: a wrong proof is accepted (%s):\n%s\n", x->path, kinds[kind], text);
    x->bad = true;
}

static void must_refuse(Tamper *x, Kind kind, const Program *about, const char *text) {
    Buf why = {0};
    if (accepts(about, text, &why, NULL)) complain(x, kind, text);
    else x->refused[kind]++;
    x->read[kind] += !strncmp(buf_string(&why), "proof:", 6);
    buf_free(&why);
}

/* The text with a part of it replaced. */
static char *replaced(const char *text, size_t from, size_t to, const char *by) {
    Buf out = {0};
    buf_bytes(&out, text, from);
    buf_text(&out, by);
    buf_text(&out, text + to);
    return out.text;
}

/* ---- programs with an error ---- */

static bool has_error(const Program *p) {
    Buf why = {0};
    Verdict *v = ask(&(Way){"explicit", &engine_explicit, HORN_AUTO}, p, 0.3);
    bool error = v->kind == VERDICT_UNSAFE && replay_check(p, &question, v->trace, &why);
    verdict_free(v);
    buf_free(&why);
    return error;
}

static void try_program(Tamper *x, size_t at, const char *was, const char *by) {
    if (strncmp(x->text + at, was, strlen(was))) return;
    char *text = replaced(x->text, at, at + strlen(was), by);
    Program *p = program_of(x->path, text);
    if (p && has_error(p)) vec_push(x->wrong, p);
    else if (p) program_free(p);
    free(text);
}

static void find_wrong_programs(Tamper *x) {
    enum { MOST = 12 };
    static const char *const changes[][2] = {{"do lock ", "do unlock "}, {"(slt ", "(sle "},        {"(sle ", "(slt "},
                                             {"(add nsw ", "(sub nsw "}, {" 0:32", " 1:32"},        {" 1:32", " 2:32"},
                                             {" 2:32", " 1:32"},         {"(not (", "(not (not ("}, {"atomic", ""},
                                             {"(add ", "(sub "},         {" 3:32", " 4:32"},        {" 10:32", " 9:32"}};
    for (size_t i = 0; x->text[i]; i++)
        for (size_t k = 0; k < sizeof changes / sizeof *changes && vec_len(x->wrong) < MOST; k++)
            try_program(x, i, changes[k][0], changes[k][1]);
}

/* ---- texts ---- */

static void other_settings(Tamper *x) {
    static const char *const more[] = {" rounds 1;", " buffers 2;", " loops rounds 3;"};
    size_t end = strcspn(x->proof, ";");
    for (unsigned i = 0; i < sizeof more / sizeof *more; i++) {
        char *text = replaced(x->proof, end, end + 1, more[i]);
        must_refuse(x, OTHER_SETTINGS, x->program, text);
        free(text);
    }
}

static void line_dropped(Tamper *x) {
    size_t at = roll(&x->dice, (unsigned)strlen(x->proof) - 1);
    while (at && x->proof[at - 1] != '\n') at--;
    size_t length = strcspn(x->proof + at, "\n") + 1;
    if (length == 1) return;
    char *text = replaced(x->proof, at, at + length, "");
    must_refuse(x, LINE_DROPPED, x->program, text);
    free(text);
}

/* Where the expression ends that begins there. (Names in these proofs are not quoted.) */
static size_t end_of(const char *text, size_t at) {
    size_t depth = 0;
    do {
        depth += text[at] == '(';
        depth -= text[at] == ')';
        at++;
    } while (depth || (text[at - 1] != ')' && !strchr(" ;)\n", text[at])));
    return at;
}

/* A conjunct, or all of it, is true. */
static char *weakened(Tamper *x, size_t at) {
    size_t from = at, to = end_of(x->proof, at);
    if (!strncmp(x->proof + at, "(and ", 5)) {
        size_t n = 0, which;
        for (size_t i = at + 5; i < to - 1; i = end_of(x->proof, i) + 1) n++;
        which = roll(&x->dice, (unsigned)n);
        for (from = at + 5; which; which--) from = end_of(x->proof, from) + 1;
        to = end_of(x->proof, from);
    }
    if (!strncmp(x->proof + from, "true", 4)) return NULL;
    return replaced(x->proof, from, to, "true");
}

static void weaker(Tamper *x, size_t at) {
    char *text = weakened(x, at);
    Buf why = {0}, certificate = {0}, other = {0};
    if (!text) return;
    bool good = accepts(x->program, text, &why, &certificate), confirmed = recheck(buf_string(&certificate), SECONDS, &other);
    if (good && !confirmed) complain(x, WEAKER, text);
    x->still += good;
    x->refused[WEAKER] += !good && strstr(buf_string(&other), "with sat");
    buf_free(&why);
    buf_free(&certificate);
    buf_free(&other);
    free(text);
}

/* Where formulas begin; a vec. */
static size_t *formulas(const char *proof) {
    static const char *const before[] = {" invariant ", "guarantees ", "relies ", " fact "};
    size_t *list = NULL;
    for (size_t i = 0; proof[i]; i++) {
        for (unsigned k = 0; k < sizeof before / sizeof *before; k++)
            if (!strncmp(proof + i, before[k], strlen(before[k]))) vec_push(list, i + strlen(before[k]));
        if (!strncmp(proof + i, "\nnode ", 6)) vec_push(list, i + strcspn(proof + i, ")") + 2);
    }
    return list;
}

/* About so many of each kind. */
static void tamper_proof(Tamper *x, unsigned n) {
    size_t *list = formulas(x->proof);
    Buf why = {0};
    if (!accepts(x->program, x->proof, &why, NULL)) {
        printf("%s: a proof is refused: %s", x->path, buf_string(&why));
        x->bad = true;
    }
    for (unsigned i = 0; i < n && i < vec_len(x->wrong); i++)
        must_refuse(x, OTHER_PROGRAM, x->wrong[(i + roll(&x->dice, 100)) % vec_len(x->wrong)], x->proof);
    other_settings(x);
    for (unsigned i = 0; i < 2 + n / 4; i++) line_dropped(x);
    for (unsigned i = 0; i < n && vec_len(list); i++) weaker(x, list[roll(&x->dice, (unsigned)vec_len(list))]);
    vec_free(list);
}

static int report(const Tamper *x, unsigned wanted) {
    unsigned all = 0;
    for (unsigned k = 0; k < KINDS; k++) {
        printf("%-16s  %3u refused, %u of them when read\n", kinds[k], x->refused[k], x->read[k]);
        all += x->refused[k];
    }
    printf("%u wrong proofs are refused; %u weaker ones are proofs\n", all, x->still);
    return x->bad || all < wanted;
}

static int tamper(unsigned wanted, int n, char **paths) {
    Tamper x = {.dice = {.state = 1}};
    for (int i = 0; i < n; i++) {
        x.path = paths[i];
        x.text = read_text(paths[i]);
        x.program = program_of(paths[i], x.text);
        x.wrong = NULL;
        if (!x.program) die("%s is no program", paths[i]);
        find_wrong_programs(&x);
        for (unsigned k = 0; k < WAYS; k++) {
            x.proof = proof_by(&ways[k], x.program);
            if (x.proof) tamper_proof(&x, 1 + wanted / ((unsigned)n * WAYS));
        }
    }
    return report(&x, wanted);
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "print")) return print(argv[2], argv[3]);
    if (argc == 4 && !strcmp(argv[1], "check")) return check(argv[2], argv[3]);
    if (argc > 3 && !strcmp(argv[1], "tamper")) return tamper((unsigned)atoi(argv[2]), argc - 3, argv + 3);
    fputs("usage: proofs print WAY FILE.hir | check FILE.hir|FILE.sys PROOF | tamper N FILE.hir…\n", stderr);
    return EXIT_INPUT;
}
