/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads a trace as a text file:

   - heddle-trace 1 FINGERPRINT      hash of the program's .hir text, without the folders of files
   - property NAME                   the violated property
   - initial CHOICE…                 choices of the initial state
   - end WORD                        the violation, if it is not an assertion: fault, deadlock, leak, endless, fair, race, unordered
   - loop N                          endless executions: the steps from the N-th on (from 0) are repeated for ever
   - THREAD ACTION CHOICE…           a step
   - THREAD flush N                  the N-th store (from 0) leaves the thread's store buffer
   - THREAD flush WRITE RANK         under C11: the write that the next step reads from, and the rank of its own write in modification order

   Choices are hexadecimal. # starts a comment; the comments are the lines of the counterexample. */
#include "base/map.h"
#include "output/messages.h"
#include "output/report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Removes folders from positions, which have the form @"FILE:LINE:COLUMN". A program then keeps its fingerprint in another folder. */
static void remove_folders(Buf *text) {
    char *to = text->text, *end = to + text->length;
    for (const char *at = to; at < end;) {
        bool position = *at == '"' && at > text->text && at[-1] == '@';
        *to++ = *at++;
        const char *stop = position ? memchr(at, '"', (size_t)(end - at)) : NULL;
        for (const char *c = at; stop && c < stop; c++)
            if (*c == '/') at = c + 1;
    }
    text->length = (size_t)(to - text->text);
}

/* Hashes the program without its memory model: a sequentially consistent execution exists under each model. */
static uint64_t fingerprint(const Program *p) {
    Buf text = {0};
    Program interleaved = *p;
    interleaved.memory = MEMORY_SC;
    program_print(&text, &interleaved);
    remove_folders(&text);
    uint64_t h = hash_bytes(buf_string(&text), text.length, 0);
    buf_free(&text);
    return h;
}

static void put_choices(FILE *out, const u128 *choices) {
    for (size_t i = 0; i < vec_len(choices); i++) {
        uint64_t high = (uint64_t)(choices[i] >> 64), low = (uint64_t)choices[i];
        if (high) fprintf(out, " %" PRIx64 "%016" PRIx64, high, low);
        else fprintf(out, " %" PRIx64, low);
    }
    fputc('\n', out);
}

static void put_comment(FILE *out, const Counterexample *s, const TraceLine *m) {
    fprintf(out, "# %s", s->threads[m->thread - 1]);
    if (m->position.file) fprintf(out, " %s:%u", m->position.file, m->position.line);
    fputc('\n', out);
}

static const char *const end_words[] = {
    [TRACE_ERROR] = "error",     [TRACE_FAULT] = "fault", [TRACE_DEADLOCK] = "deadlock", [TRACE_LEAK] = "leak",
    [TRACE_ENDLESS] = "endless", [TRACE_FAIR] = "fair",   [TRACE_RACE] = "race",         [TRACE_UNORDERED] = "unordered"};

void schedule_write(FILE *out, const Program *p, const char *property, const Trace *t, const Counterexample *s) {
    size_t moment = 0;
    fprintf(out, "heddle-trace 1 %016" PRIx64 "\nproperty %s\ninitial", fingerprint(p), property);
    put_choices(out, t->initial);
    if (t->end != TRACE_ERROR) fprintf(out, "end %s\n", end_words[t->end]);
    if (TRACE_LOOPS(t->end)) fprintf(out, "loop %zu\n", t->loop);
    for (size_t i = 0; i < vec_len(t->steps); i++) {
        for (; s && moment < vec_len(s->moments) && s->moments[moment].first_step <= i; moment++) put_comment(out, s, &s->moments[moment]);
        if (t->steps[i].action == TRACE_FLUSH) fprintf(out, "%u flush", t->steps[i].thread);
        else fprintf(out, "%u %u", t->steps[i].thread, t->steps[i].action);
        put_choices(out, t->steps[i].choices);
    }
}

/* ---- reading ---- */
static bool parse_hex(const char *word, u128 *value) {
    *value = 0;
    size_t n = strspn(word, "0123456789abcdef");
    if (!n || n > 32 || word[n]) return false;
    for (; *word; word++) {
        unsigned digit = (unsigned)(*word <= '9' ? *word - '0' : *word - 'a' + 10);
        *value = *value * 16 + digit;
    }
    return true;
}

static bool parse_number(const char *word, unsigned *n) {
    char *end;
    unsigned long v = word ? strtoul(word, &end, 10) : 0;
    if (!word || end == word || *end || v >= ~0u) return false;
    *n = (unsigned)v;
    return true;
}

static bool parse_choices(char **rest, u128 **choices) {
    for (char *word; (word = strtok_r(NULL, " \t\r", rest));) {
        u128 v;
        if (!parse_hex(word, &v)) return false;
        vec_push(*choices, v);
    }
    return true;
}

static bool parse_end(const char *word, TraceEnd *end) {
    for (*end = TRACE_ERROR; word && *end <= TRACE_UNORDERED; (*end)++)
        if (!strcmp(word, end_words[*end])) return true;
    return false;
}

static bool parse_line(char *line, Trace *t) {
    char *rest = NULL, *word = strtok_r(line, " \t\r", &rest);
    unsigned thread, action;
    if (!word) return true;
    if (!strcmp(word, "initial")) return parse_choices(&rest, &t->initial);
    if (!strcmp(word, "property")) return true;
    if (!strcmp(word, "end")) return parse_end(strtok_r(NULL, " \t\r", &rest), &t->end);
    if (!strcmp(word, "loop")) {
        bool good = parse_number(strtok_r(NULL, " \t\r", &rest), &thread);
        t->loop = good ? thread : 0;
        return good;
    }
    if (!parse_number(word, &thread)) return false;
    word = strtok_r(NULL, " \t\r", &rest);
    if (word && !strcmp(word, "flush")) action = TRACE_FLUSH;
    else if (!parse_number(word, &action)) return false;
    u128 *choices = NULL;
    if (!parse_choices(&rest, &choices)) {
        vec_free(choices);
        return false;
    }
    trace_add(t, thread, action, choices);
    return true;
}

/* Explains why a schedule does not belong to the program. Steps have other numbers for another property, since the program is lowered for its
   property. */
static void complain_of_program(const char *file, const char *text, const char *property, Buf *error) {
    const char *name = strstr(text, "\nproperty ");
    if (name) name += strlen("\nproperty ");
    size_t length = name ? strcspn(name, "\r\n") : 0;
    if (length && length < 100 && (length != strlen(property) || strncmp(name, property, length)))
        buf_line(error, MSG_OUTPUT_TRACE_PROPERTY, file, (int)length, name, property);
    else buf_line(error, MSG_OUTPUT_TRACE_PROGRAM, file);
}

Trace *schedule_read(const char *file, const char *text, const Program *p, const char *property, Buf *error) {
    uint64_t mark;
    int used = 0;
    if (sscanf(text, "heddle-trace 1 %" SCNx64 "%n", &mark, &used) < 1 || text[used] != '\n') {
        buf_line(error, MSG_OUTPUT_TRACE_HEAD, file);
        return NULL;
    }
    if (mark != fingerprint(p)) {
        complain_of_program(file, text, property, error);
        return NULL;
    }
    Trace *t = trace_new();
    unsigned number = 2;
    for (const char *s = text + used + 1; *s; number++) {
        size_t length = strcspn(s, "\n");
        char *line = strndup(s, length);
        line[strcspn(line, "#")] = 0;
        bool ok = parse_line(line, t);
        free(line);
        if (!ok) {
            buf_line(error, MSG_OUTPUT_TRACE_STEP, file, number, (int)(length < 80 ? length : 80), s);
            trace_free(t);
            return NULL;
        }
        s += length + (s[length] == '\n');
    }
    return t;
}
