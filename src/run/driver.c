/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the place of main in a program that heddle-cc has built. Without HEDDLE_RUN in the environment the program runs as usual. With it,
   the process becomes the driver of a campaign: it runs the program in children. */
#include "run/campaign.h"
#include "run/minimise.h"
#include "run/replay.h"
#include "run/result.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VARIABLE_SIZE = 4096 };
static Program program;

/* ---- the environment ---- */

/* Removes the variable, so that the program does not see it, and returns its value. */
static const char *take_variable(char **env) {
    size_t n = strlen(CONFIG_VARIABLE);
    for (char **e = env; *e; e++) {
        if (strncmp(*e, CONFIG_VARIABLE "=", n + 1)) continue;
        const char *value = *e + n + 1;
        for (char **f = e; *f; f++) f[0] = f[1];
        return value;
    }
    return NULL;
}

/* Starts the program once more without randomised addresses, so that they are the same in every process. The variable gets one size, so that
   the stack, too, is at one place. */
static void start_again(char **argv, char **env) {
    static char variable[VARIABLE_SIZE];
    size_t n = strlen(CONFIG_VARIABLE);
    int now = personality(0xffffffff);
    if (now < 0 || now & ADDR_NO_RANDOMIZE || personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0) return;
    for (char **e = env; *e; e++) {
        if (strncmp(*e, CONFIG_VARIABLE "=", n + 1) || strlen(*e) >= sizeof variable) continue;
        memset(variable, ' ', sizeof variable - 1);
        memcpy(variable, *e, strlen(*e));
        for (char **f = e; *f; f++) f[0] = f[1];
        for (e = env; *e; e++) continue;
        *e = variable; /* the last one, where the removed one left room */
        break;
    }
    execve("/proc/self/exe", argv, env);
}

/* ---- a campaign ---- */

/* Minimises a violation and runs it for its history. */
static void tell(Writer *w, Campaign *c, unsigned i) {
    char path[sizeof c->config->results + 64];
    Violation *v = &c->violations[i];
    minimise(&program, c->config, v);
    Run r = {.seed = v->seed, .strategy = v->strategy, .decisions = v->decisions, .ndecisions = v->ndecisions, .reuse = v->reuse};
    r.strict = r.history = true;
    r.until = v->finding.outcome == OUTCOME_RACE ? &v->finding : NULL;
    run_schedule(&program, c->config, &r);
    Finding f;
    if (minimise_found(&v->finding, &f)) v->finding = f;
    v->hash = shared->hash;
    snprintf(path, sizeof path, "%s/%d-%u.replay", c->config->results, getpid(), i);
    if (!replay_write(path, &program, c->config, v)) base_die("%s cannot be written: %s", path, strerror(errno));
    result_violation(w, v, path);
}

static void search(const Config *config, uint64_t job) {
    static Campaign c;
    static Writer w;
    char path[sizeof config->results + 64];
    shared = base_shared_memory(sizeof *shared);
    c.program = &program;
    c.config = config;
    campaign_search(&c, job);
    snprintf(path, sizeof path, "%s/%d.result", config->results, getpid());
    result_begin(&w, path, &c);
    for (unsigned i = 0; i < c.nviolations; i++) tell(&w, &c, i);
    writer_put(&w, "complete\n");
    if (!writer_close(&w)) base_die("%s cannot be written: %s", path, strerror(errno));
}

static void search_side_by_side(const Config *config) {
    int status;
    for (uint64_t job = 0; job < config->jobs; job++) {
        pid_t pid = fork();
        if (pid < 0) base_die("a job cannot be started: %s", strerror(errno));
        if (!pid) {
            search(config, job);
            _exit(0);
        }
    }
    while (syscall(SYS_wait4, -1, &status, 0, NULL) > 0)
        if (!WIFEXITED(status) || WEXITSTATUS(status)) base_die("a job ended before its time");
}

static void replay(const Config *config) {
    static Replay r;
    static Writer w;
    static Campaign c;
    char path[sizeof config->results + 64];
    shared = base_shared_memory(sizeof *shared);
    r.config = *config;
    replay_read(config->replay, &r);
    r.run.history = true;
    r.run.output = config->output;
    run_schedule(&program, &r.config, &r.run);
    c = (Campaign){.program = &program, .config = config, .runs = 1, .most_threads = shared->threads};
    snprintf(path, sizeof path, "%s/%d.result", config->results, getpid());
    result_begin(&w, path, &c);
    writer_put(&w, "hash %lx %s\n", (unsigned long)shared->hash, shared->hash == r.hash ? "same" : "different");
    const Finding *f = violation_property(shared->end.outcome) ? &shared->end : shared->nraces ? &shared->races[0] : NULL;
    Violation v = {.seed = r.run.seed, .strategy = r.strategy, .run = 1, .ndecisions = r.run.ndecisions};
    if (f) v.finding = *f;
    if (f) result_violation(&w, &v, config->replay);
    writer_put(&w, "complete\n");
    if (!writer_close(&w)) base_die("%s cannot be written: %s", path, strerror(errno));
}

static int drive(int argc, char **argv, char **env) {
    static Config config;
    const char *words = take_variable(env);
    program.argc = argc;
    program.argv = argv;
    program.envp = env;
    if (!words) return program.main(argc, argv, env);
    config_read(&config, words);
    if (!*config.results) base_die("%s names no folder for results=", CONFIG_VARIABLE);
    run_keep_input();
    if (*config.replay) replay(&config);
    else if (config.jobs > 1) search_side_by_side(&config);
    else search(&config, 0);
    _exit(0);
}

typedef int Main(int, char **, char **);
EXPORTED int __libc_start_main(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
EXPORTED int __libc_start_main(Main *user, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*loader)(void),
                               void *stack) {
    char **env = argv + argc + 1;
    for (char **e = env; *e; e++)
        if (!strncmp(*e, CONFIG_VARIABLE "=", strlen(CONFIG_VARIABLE "="))) {
            start_again(argv, env);
            break;
        }
    program.main = user;
    int (*next)(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) = base_next_definition("__libc_start_main");
    return next(drive, argc, argv, init, fini, loader, stack);
}
