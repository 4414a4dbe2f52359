/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses libheddle: what comes back is printed. */
#include <errno.h>
#include <heddle.h>
#include <stdio.h>
#include <string.h>

/* Several engines prove it, and who is first may have none. */
static int quick(const HeddleResult *v) { return v->verdict == HEDDLE_SAFE && !strcmp(v->property, "no-deadlock"); }

static void show(const HeddleRun *r) {
    if (!r) {
        printf("no run: %s\n", strerror(errno));
        return;
    }
    printf("code %d, %zu results, message '%.*s'\n", r->code, r->nresults, (int)strcspn(r->message, "\n"), r->message);
    for (size_t i = 0; i < r->nresults; i++) {
        const HeddleResult *v = &r->results[i];
        printf("  %d %s: %zu threads, %zu steps, error %s at %s:%u, reason %s, %s invariants\n", (int)v->verdict, v->property, v->nthreads, v->nsteps, v->error ? v->error : "-",
               v->error_place.file ? v->error_place.file : "-", v->error_place.line, v->reason ? v->reason : "-", quick(v) ? "perhaps" : v->invariants ? "with" : "no");
        for (size_t k = 0; k < v->nsteps && k < 4; k++)
            printf("    %s %u: %s %s\n", v->threads[v->steps[k].thread - 1], v->steps[k].place.line, v->steps[k].naccesses ? v->steps[k].accesses[0].kind : "-",
                   v->steps[k].naccesses && v->steps[k].accesses[0].name ? v->steps[k].accesses[0].name : "");
    }
}

static const char text[] = "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *f(void *a) { x++; return a; }\nint main(void) {\n    pthread_t t;\n"
                           "    pthread_create(&t, 0, f, 0);\n    x += STEP;\n    pthread_join(t, 0);\n    assert(x == 1 + STEP);\n    return 0;\n}\n";

static void one(const char *property, const char *flag, const char *program, int all) {
    Heddle *h = heddle_new();
    if (all) heddle_option(h, "all-violations", NULL);
    if (program) heddle_program(h, program);
    heddle_option(h, "property", property);
    heddle_source(h, "program.c", text);
    if (flag) heddle_clang_flag(h, flag);
    HeddleRun *r = heddle_run(h);
    show(r);
    heddle_run_free(r);
    heddle_free(h);
}

int main(int argc, char **argv) {
    one("unreach-call", "-DSTEP=1", NULL, 0);
    one("no-data-race,no-deadlock", "-DSTEP=1", NULL, 0);
    one("unreach-call", NULL, NULL, 0);
    one("nothing", "-DSTEP=1", NULL, 0);
    one("unreach-call", "-DSTEP=1", "/nowhere/heddle", 0);
    one("no-data-race", "-DSTEP=1", NULL, 1);
    Heddle *h = heddle_new();
    printf("no place for JSON: %d\n", heddle_option(h, "json", "file"));
    printf("a path is no name: %d\n", heddle_source(h, "a/b.c", ""));
    heddle_option(h, "engine", "redcomp");
    heddle_option(h, "property", "unreach-call");
    heddle_option(h, "stats", NULL);
    if (argc > 1) heddle_file(h, argv[1]);
    HeddleRun *r = heddle_run(h);
    show(r);
    heddle_run_free(r);
    heddle_free(h);
    return 0;
}
