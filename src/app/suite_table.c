/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the table of a suite in three forms: text, CSV and a page. */
#include "app/suite_table.h"
#include "app/messages.h"
#include "base/file.h"
#include "output/files.h"
#include "output/embed.h"
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

EMBED(suite_template, "suite.html")

typedef struct Answer {
    char verdict[16]; /* SAFE, UNSAFE, UNKNOWN, ERROR or missing */
    double seconds;
    int score;
    char reason[300]; /* why there is no answer */
} Answer;

/* Returns the score by the rules of the competition: a wrong proof costs more than a wrong alarm. */
static int score_of(Expected expected, const char *verdict) {
    bool safe = !strcmp(verdict, "SAFE"), unsafe = !strcmp(verdict, "UNSAFE");
    if (expected == EXPECTED_NOTHING || (!safe && !unsafe)) return 0;
    if (safe) return expected == EXPECTED_TRUE ? 2 : -32;
    return expected == EXPECTED_FALSE ? 1 : -16;
}

/* Copies the text as one line and cuts it after a whole character if it is too long. */
static void put_line(char *to, size_t size, const char *text) {
    size_t n = 0;
    while (*text == ' ' || *text == '\n') text++;
    for (; *text && n + 1 < size; text++) to[n++] = (unsigned char)*text < ' ' ? ' ' : *text;
    while (n && ((*text && ((unsigned char)*text & 0xc0) == 0x80) || to[n - 1] == ' ')) text--, n--;
    to[n] = 0;
}

static json_t *load_result(const char *result) {
    json_t *o = json_load_file(result, 0, NULL), *one = json_incref(json_is_array(o) ? json_array_get(o, 0) : o);
    json_decref(o);
    return one;
}

bool suite_answered(const char *result) {
    json_t *o = load_result(result);
    const char *verdict = json_string_value(json_object_get(o, "verdict"));
    bool answered = verdict && strcmp(verdict, "ERROR");
    json_decref(o);
    return answered;
}

void suite_put_error(const char *result, int code, const char *said) {
    char reason[300];
    put_line(reason, sizeof reason, strncmp(said, "heddle: ", 8) ? said : said + 8);
    json_t *text = json_string(reason);
    json_t *o = json_pack("{sssisis{so}}", "verdict", "ERROR", "code", code, "seconds", 0, "reason", "text",
                          text ? text : json_string(MSG_APP_STDERR_BINARY));
    char *line = o ? json_dumps(o, 0) : NULL;
    if (line) (void)!file_write(result, line, strlen(line)); /* the table reports a file that is missing */
    free(line);
    json_decref(o);
}

static Answer answer_of(const Task *t, const char *result) {
    Answer a = {.verdict = "missing"};
    json_t *o = load_result(result);
    const char *verdict = json_string_value(json_object_get(o, "verdict")),
               *reason = json_string_value(json_object_get(json_object_get(o, "reason"), "text"));
    if (verdict) snprintf(a.verdict, sizeof a.verdict, "%s", verdict);
    a.seconds = json_number_value(json_object_get(o, "seconds"));
    if (reason) put_line(a.reason, sizeof a.reason, reason);
    a.score = score_of(t->expected, a.verdict);
    json_decref(o);
    return a;
}

static const char *word_of(Expected e) { return e == EXPECTED_TRUE ? "true" : e == EXPECTED_FALSE ? "false" : ""; }

static bool write_file(const Options *o, const char *name, const Buf *text) {
    Buf path = {0};
    buf_printf(&path, "%s/%s", o->results, name);
    bool good = file_write(buf_string(&path), buf_string(text), text->length);
    if (!good) print_error("%s: %s", buf_string(&path), strerror(errno));
    buf_free(&path);
    return good;
}

static void put_field(Buf *out, const char *text) {
    bool plain = !strpbrk(text, ",\"\r\n");
    if (!plain) buf_char(out, '"');
    for (; *text; text++) buf_printf(out, *text == '"' ? "\"%c" : "%c", *text);
    if (!plain) buf_char(out, '"');
}

static bool is_answer(const char *verdict) { return !strcmp(verdict, "SAFE") || !strcmp(verdict, "UNSAFE"); }

static void put_escaped(Buf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '<') buf_text(out, "&lt;");
        else if (*text == '&') buf_text(out, "&amp;");
        else buf_char(out, *text);
    }
}

static void put_row(Buf *out, const Task *t, const Answer *a) {
    const char *kind = a->score > 0 ? "right" : a->score < 0 ? "wrong" : is_answer(a->verdict) ? "said" : "open";
    buf_printf(out, "<tr class=\"%s\"><td class=\"verdict\">%s</td><td>%s</td><td>%s</td>", kind, a->verdict, task_property(t),
               word_of(t->expected));
    buf_printf(out, "<td class=\"number\">%.2f</td><td class=\"number\">%d</td><td>", a->seconds, a->score);
    put_escaped(out, t->file);
    buf_text(out, "</td><td>");
    put_escaped(out, a->reason);
    buf_text(out, "</td></tr>\n");
}

static bool write_page(const Options *o, const Buf *rows) {
    static const char mark[] = "<!--rows-->\n";
    const char *at = strstr(suite_template, mark);
    Buf page = {0};
    buf_bytes(&page, suite_template, (size_t)(at - suite_template));
    buf_bytes(&page, buf_string(rows), rows->length);
    buf_text(&page, at + strlen(mark));
    bool good = write_file(o, "results.html", &page);
    buf_free(&page);
    return good;
}

static void put_csv(Buf *out, const Task *t, const Answer *a) {
    put_field(out, t->file);
    buf_char(out, ',');
    put_field(out, task_property(t));
    buf_printf(out, ",%s,%s,%.2f,%d,", word_of(t->expected), a->verdict, a->seconds, a->score);
    put_field(out, a->reason);
    buf_char(out, '\n');
}

static void put_text(Buf *out, const Task *t, const Answer *a) {
    bool error = !strcmp(a->verdict, "ERROR") && *a->reason;
    buf_printf(out, "%-8s %-16s %-6s %4d  %s", a->verdict, task_property(t), word_of(t->expected), a->score, t->file);
    buf_printf(out, error ? ": %s\n" : "\n", a->reason);
}

int suite_table(const Options *o, const Task *tasks, char *const *results) {
    Buf csv = {0}, text = {0}, rows = {0};
    unsigned right = 0, wrong = 0, open = 0, missing = 0;
    int score = 0;
    buf_text(&csv, "task,property,expected,verdict,seconds,score,reason\n");
    for (size_t i = 0; i < vec_len(tasks); i++) {
        const Task *t = &tasks[i];
        Answer a = answer_of(t, results[i]);
        put_csv(&csv, t, &a);
        put_text(&text, t, &a);
        put_row(&rows, t, &a);
        score += a.score;
        right += a.score > 0;
        wrong += a.score < 0;
        open += !is_answer(a.verdict);
        missing += !strcmp(a.verdict, "missing");
    }
    buf_printf(&text, "%zu %s: %u right, %u wrong, %u without an answer; score %d\n", vec_len(tasks),
               vec_len(tasks) == 1 ? "task" : "tasks", right, wrong, open, score);
    if (missing) print_error(MSG_APP_RESULTS_MISSING, missing);
    bool good = write_file(o, "results.csv", &csv) && !missing;
    good &= write_page(o, &rows);
    good &= deliver_text(&text);
    buf_free(&csv);
    buf_free(&text);
    buf_free(&rows);
    return !good ? EXIT_INTERNAL : wrong ? EXIT_UNSAFE : EXIT_SAFE;
}
