/* SPDX-License-Identifier: Apache-2.0 */
#include "app/run_result.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *text;
} outcomes[] = {
#define OUTCOME(name, property, word, text) [RUN_END_##name] = {word, text},
#include "run/outcome.def"
#undef OUTCOME
};
static const char *const events[] = {
#define EVENT(name, word) [RUN_##name] = word,
#include "run/event.def"
#undef EVENT
};

const char *run_outcome_text(RunOutcome o) { return outcomes[o].text; }

static RunOutcome outcome_of(const char *word) {
    unsigned i = 0;
    while (i + 1 < NRUNOUTCOMES && strcmp(outcomes[i].word, word)) i++;
    return (RunOutcome)i;
}

static RunEvent event_of(const char *word) {
    unsigned i = 0;
    while (i + 1 < NRUNEVENTS && strcmp(events[i], word)) i++;
    return (RunEvent)i;
}

/* ---- lines and fields ---- */

typedef struct Line {
    char **fields; /* a vec: words of the text, which is cut */
} Line;

static char *decode(const char *word) {
    char *text = strdup(word), *to = text;
    if (!text) out_of_resources("memory is exhausted");
    for (; *word; word++) {
        char digits[] = {word[1], word[1] ? word[2] : 0, 0};
        if (*word != '%' || !digits[1]) {
            *to++ = *word;
            continue;
        }
        *to++ = (char)strtol(digits, NULL, 16);
        word += 2;
    }
    *to = 0;
    return text;
}

/* Cuts the line at its blanks. An empty field at the end counts. */
static void split(Line *l, char *line) {
    vec_clear(l->fields);
    for (char *next; line; line = next) {
        next = strchr(line, ' ');
        if (next) *next++ = 0;
        vec_push(l->fields, line);
    }
}

static const char *field(const Line *l, size_t i) { return i < vec_len(l->fields) ? l->fields[i] : ""; }
static uint64_t number(const Line *l, size_t i) { return strtoull(field(l, i), NULL, 10); }
static uint64_t hex(const Line *l, size_t i) { return strtoull(field(l, i), NULL, 16); }
static bool flag(const Line *l, size_t i) { return *field(l, i) == '1'; }

/* ---- what the lines mean ---- */

static void read_violation(RunResult *r, const Line *l) {
    RunViolation v = {.property = decode(field(l, 1)), .outcome = outcome_of(field(l, 2)), .strategy = decode(field(l, 8))};
    v.run = number(l, 4);
    v.seed = number(l, 6);
    v.switches = number(l, 10);
    vec_push(r->violations, v);
}

static void read_place(RunViolation *v, const Line *l) {
    v->thread = (unsigned)number(l, 1);
    v->pc = hex(l, 2);
    v->address = hex(l, 3);
    v->size = (unsigned)number(l, 4);
    v->write = flag(l, 5);
    v->other = (unsigned)number(l, 7);
    v->other_pc = hex(l, 8);
    v->other_size = (unsigned)number(l, 9);
    v->other_write = flag(l, 10);
}

static void read_step(RunViolation *v, const Line *l) {
    enum { FIRST_CALL = 12 };
    RunStep s = {.thread = (unsigned)number(l, 1), .kind = event_of(field(l, 2)), .pc = hex(l, 3), .address = hex(l, 4)};
    s.size = (unsigned)number(l, 5);
    s.write = flag(l, 6);
    s.has_value = flag(l, 7);
    s.flag = flag(l, 8);
    s.value = hex(l, 9);
    s.before = hex(l, 10);
    s.other = (unsigned)number(l, 11);
    for (size_t i = FIRST_CALL; i < vec_len(l->fields); i++) vec_push(s.calls, hex(l, i));
    vec_push(v->steps, s);
}

static void read_of_violation(RunViolation *v, const Line *l) {
    const char *word = field(l, 0);
    if (!strcmp(word, "place")) read_place(v, l);
    else if (!strcmp(word, "text")) v->text = decode(field(l, 1));
    else if (!strcmp(word, "replay")) v->replay = decode(field(l, 1));
    else if (!strcmp(word, "cut")) v->cut = number(l, 1);
    else if (!strcmp(word, "step")) read_step(v, l);
}

static void read_line(RunResult *r, const Line *l) {
    const char *word = field(l, 0);
    if (!strcmp(word, "program")) {
        r->program = decode(field(l, 1));
    } else if (!strcmp(word, "runs")) {
        r->runs = number(l, 1);
        r->orders = number(l, 3);
        r->unfinished = number(l, 5);
        r->threads = number(l, 7);
        r->events = number(l, 9);
    } else if (!strcmp(word, "reason")) {
        r->reason = outcome_of(field(l, 1));
        r->reason_run = number(l, 2);
    } else if (!strcmp(word, "module")) {
        RunModule m = {.from = hex(l, 1), .to = hex(l, 2), .path = decode(field(l, 3))};
        vec_push(r->modules, m);
    } else if (!strcmp(word, "hash")) {
        r->replayed = true;
        r->same = !strcmp(field(l, 2), "same");
    } else if (!strcmp(word, "violation")) {
        read_violation(r, l);
    } else if (!strcmp(word, "complete")) {
        r->complete = true;
    } else if (vec_len(r->violations)) {
        read_of_violation(&vec_last(r->violations), l);
    }
}

bool run_result_read(const char *text, RunResult *r) {
    static const char first[] = "heddle-result 1\n";
    Line line = {0};
    *r = (RunResult){0};
    if (strncmp(text, first, sizeof first - 1)) return false;
    char *copy = strdup(text);
    if (!copy) out_of_resources("memory is exhausted");
    for (char *at = copy + sizeof first - 1, *end; (end = strchr(at, '\n')); at = end + 1) {
        *end = 0;
        split(&line, at);
        read_line(r, &line);
    }
    vec_free(line.fields);
    free(copy);
    return r->program && r->complete;
}

static void free_violation(RunViolation *v) {
    for (size_t i = 0; i < vec_len(v->steps); i++) vec_free(v->steps[i].calls);
    vec_free(v->steps);
    free(v->property);
    free(v->strategy);
    free(v->text);
    free(v->replay);
}

void run_result_free(RunResult *r) {
    for (size_t i = 0; i < vec_len(r->violations); i++) free_violation(&r->violations[i]);
    for (size_t i = 0; i < vec_len(r->modules); i++) free(r->modules[i].path);
    vec_free(r->violations);
    vec_free(r->modules);
    free(r->program);
}
