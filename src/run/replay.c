/* SPDX-License-Identifier: Apache-2.0 */
#include "run/replay.h"
#include "run/writer.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST_LINE "heddle-replay 1"

/* Maps a file into memory, with a NUL behind it. Returns NULL if it cannot be read. */
static char *map_file(const char *path, size_t *size) {
    struct stat st;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) return NULL;
    *size = (size_t)st.st_size;
    char *text = base_memory(*size + 1);
    for (size_t got = 0; got < *size;) {
        long n = syscall(SYS_read, fd, text + got, *size - got);
        if (n <= 0) return NULL;
        got += (size_t)n;
    }
    syscall(SYS_close, fd);
    return text;
}

/* Hashes the program's file, so that a schedule of another program is refused. */
static uint64_t hash_program(void) {
    size_t size = 0;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const char *text = map_file("/proc/self/exe", &size);
    for (size_t i = 0; text && i < size; i++) hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void put_words(Writer *w, const char *name, char *const *list) {
    for (; *list; list++) {
        if (!strncmp(*list, CONFIG_VARIABLE "=", strlen(CONFIG_VARIABLE "="))) continue;
        writer_put(w, "%s ", name);
        writer_word(w, *list);
        writer_put(w, "\n");
    }
}

static void put_path(Writer *w, const char *name, const char *link) {
    char path[PATH_MAX];
    long n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    writer_put(w, "%s ", name);
    writer_word(w, path);
    writer_put(w, "\n");
}

bool replay_write(const char *path, const Program *p, const Config *c, const Violation *v) {
    static Writer w;
    writer_open(&w, path);
    writer_put(&w, FIRST_LINE "\n");
    put_path(&w, "program", "/proc/self/exe");
    put_path(&w, "folder", "/proc/self/cwd");
    writer_put(&w, "code %lx\n", (unsigned long)hash_program());
    writer_put(&w, "property %s\nstrategy %s\nseed %lu\n", violation_property(v->finding.outcome), v->strategy, (unsigned long)v->seed);
    writer_put(&w, "events %lu\nspurious %d\nreuse %d\nhash %lx\n", (unsigned long)c->events, c->spurious, v->reuse,
               (unsigned long)v->hash);
    const Finding *f = &v->finding;
    bool race = f->outcome == OUTCOME_RACE;
    writer_put(&w, "until %lx\nuntil-other %lx\n", race ? (unsigned long)f->pc : 0, race ? (unsigned long)f->other_pc : 0);
    put_words(&w, "argument", p->argv);
    put_words(&w, "environment", p->envp);
    writer_put(&w, "decisions %lu\n", (unsigned long)v->ndecisions);
    for (uint64_t i = 0; i < v->ndecisions; i++) {
        const Decision *d = &v->decisions[i];
        writer_put(&w, "%u %lu %u %u\n", d->thread, (unsigned long)d->steps, d->kind, d->value);
    }
    writer_put(&w, "end\n");
    return writer_close(&w);
}

/* ---- reading ---- */

/* Returns the value of a line of the head, or ends the process. */
static const char *value_of(const char *path, const char *text, const char *name) {
    size_t n = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, name, n) && line[n] == ' ') return line + n + 1;
    }
    base_die("%s is cut short: it has no line '%s'", path, name);
}

static uint64_t number_of(const char *path, const char *text, const char *name, int base) {
    return strtoull(value_of(path, text, name), NULL, base);
}

static const Decision *read_decisions(const char *path, const char *at, uint64_t n) {
    Decision *list = base_memory((n + 1) * sizeof *list);
    char *next = NULL;
    strtoull(at, &next, 10); /* their number */
    for (uint64_t i = 0; i < n; i++) {
        unsigned long field[4];
        for (unsigned k = 0; k < 4; k++) field[k] = strtoul(next, &next, 10);
        list[i] = (Decision){
            .thread = (unsigned)field[0], .steps = field[1], .kind = (unsigned short)field[2], .value = (unsigned short)field[3]};
    }
    if (strncmp(next, "\nend\n", 5)) base_die("%s is cut short or changed: its decisions are incomplete", path);
    return list;
}

void replay_read(const char *path, Replay *r) {
    size_t size = 0;
    const char *text = map_file(path, &size);
    if (!text) base_die("%s cannot be read: %s", path, strerror(errno));
    if (strncmp(text, FIRST_LINE "\n", strlen(FIRST_LINE "\n"))) base_die("%s is not a schedule of heddle run", path);
    if (number_of(path, text, "code", 16) != hash_program()) base_die("%s belongs to another program, or to another build of it", path);
    const char *strategy_ = value_of(path, text, "strategy"), *decisions = value_of(path, text, "decisions");
    snprintf(r->strategy, sizeof r->strategy, "%.*s", (int)strcspn(strategy_, "\n"), strategy_);
    uint64_t n = strtoull(decisions, NULL, 10);
    if (n > MOST_DECISIONS) base_die("%s has more than %d decisions", path, MOST_DECISIONS);
    r->hash = number_of(path, text, "hash", 16);
    r->config.events = number_of(path, text, "events", 10);
    r->config.spurious = number_of(path, text, "spurious", 10);
    r->run = (Run){.seed = number_of(path, text, "seed", 10), .strategy = r->strategy, .strict = true, .ndecisions = n};
    r->until.pc = number_of(path, text, "until", 16);
    r->until.other_pc = number_of(path, text, "until-other", 16);
    if (r->until.pc) r->run.until = &r->until;
    r->run.reuse = number_of(path, text, "reuse", 10);
    r->run.decisions = read_decisions(path, decisions, n);
}
