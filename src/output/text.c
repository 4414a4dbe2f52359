/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the verdict and its counterexample as text. Each line of a counterexample has a source line and the events there. On a wide terminal each
   thread has a column; otherwise each line begins with its thread. */
#include "base/file.h"
#include "explain/events.h"
#include "output/messages.h"
#include "output/report.h"
#include "output/source.h"
#include <inttypes.h>
#include <string.h>

typedef struct Text {
    FILE *out;
    const Report *report;
    const TextStyle *style;
    Sources *sources;
} Text;

#define BOLD "1"
#define DIM "2"
#define RED "1;31"
#define GREEN "1;32"
#define YELLOW "1;33"

const char *verdict_word(VerdictKind kind) { return kind == VERDICT_SAFE ? "SAFE" : kind == VERDICT_UNSAFE ? "UNSAFE" : "UNKNOWN"; }

static void paint(const Text *t, const char *color, const char *text) {
    if (t->style->color && *text) fprintf(t->out, "\033[%sm%s\033[0m", color, text);
    else fputs(text, t->out);
}

static const char *thread_color(unsigned thread) {
    static const char *const colors[] = {"36", "35", "33", "34", "32", "96", "95"};
    return colors[(thread - 1) % (sizeof colors / sizeof *colors)];
}

static const char *thread_name(const Text *t, unsigned thread) { return counterexample_thread(t->report->counterexample, thread); }

static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

/* ---- a message at a position: file:line:column, the line, a caret ---- */
enum { CARET_BEFORE = 100, CARET_LINE = 160 }; /* the part of a long line that is printed around the caret */

/* Prints the source line with a caret at the column. A position from before preprocessing may have a column after the line's end, and then has no
   caret. */
static void put_caret(const Text *t, Position p) {
    const char *line = source_line(t->sources, p);
    if (!line) return;
    size_t first = strspn(line, " "), at = p.column > first ? p.column - 1 : first, length = strlen(line);
    bool there = at <= length;
    if (there && at - first > CARET_BEFORE) {
        first = at - CARET_BEFORE;
        while (((unsigned char)line[first] & 0xc0) == 0x80) first++;
    }
    const char *dots = first > strspn(line, " ") ? "…" : "";
    unsigned shown = text_cut(line + first, CARET_LINE);
    fprintf(t->out, "    %s%.*s%s\n", dots, (int)shown, line + first, line[first + shown] ? "…" : "");
    if (!there) return;
    Buf before = {0};
    buf_bytes(&before, line + first, at - first);
    fprintf(t->out, "    %*s", (int)(text_width(dots) + text_width(buf_string(&before))), "");
    buf_free(&before);
    paint(t, RED, "^");
    fputc('\n', t->out);
}

static void put_position(const Text *t, Position p) {
    fprintf(t->out, "%s:%u", p.file, p.line);
    if (p.column) fprintf(t->out, ":%u", p.column);
}

/* Adds the source line; without source, the function or the location in the IR. */
static void moment_source(const Text *t, Buf *out, const TraceLine *m) {
    const char *line = source_trimmed(t->sources, m->position);
    if (m->resumes) buf_text(out, "… ");
    if (line && *line) buf_text(out, line);
    else if (m->function) buf_printf(out, "in %s", m->function);
    else buf_printf(out, "at l%u", m->location);
}

static void moment_place(Buf *out, const TraceLine *m) {
    if (m->position.file) buf_printf(out, "%s:%u", base_name(m->position.file), m->position.line);
}

static bool switched(const Counterexample *s, size_t i) { return i && s->moments[i].thread != s->moments[i - 1].thread; }

static void put_padded(const Text *t, const char *color, const char *text, unsigned width) {
    unsigned cut = text_cut(text, width);
    Buf part = {0};
    if (text[cut] && width) {
        cut = text_cut(text, width - 1);
        buf_bytes(&part, text, cut);
        buf_text(&part, "…");
    } else {
        buf_text(&part, text);
    }
    unsigned used = text_width(buf_string(&part));
    if (color) paint(t, color, buf_string(&part));
    else fputs(buf_string(&part), t->out);
    if (used < width) fprintf(t->out, "%*s", (int)(width - used), "");
    buf_free(&part);
}

/* ---- one below the other, with the thread at the left ---- */
typedef struct Widths {
    unsigned thread, place, source;
} Widths;

static unsigned at_most(unsigned n, unsigned limit) { return n < limit ? n : limit; }

/* Shows a place, of which a long file name is cut off, and the line never is. */
static void put_moment_place(const Text *t, const TraceLine *m, unsigned width) {
    Buf place = {0}, line = {0};
    moment_place(&place, m);
    if (text_width(buf_string(&place)) <= width) {
        put_padded(t, DIM, buf_string(&place), width);
    } else {
        buf_printf(&line, ":%u", m->position.line);
        put_padded(t, DIM, base_name(m->position.file), width - text_width(buf_string(&line)));
        paint(t, DIM, buf_string(&line));
    }
    buf_free(&place);
    buf_free(&line);
}

static Widths measure(const Text *t) {
    const Counterexample *s = t->report->counterexample;
    Widths w = {0};
    for (size_t i = 0; i < vec_len(s->moments); i++) {
        Buf place = {0}, source = {0};
        const TraceLine *m = &s->moments[i];
        moment_place(&place, m);
        moment_source(t, &source, m);
        unsigned a = text_width(thread_name(t, m->thread)), b = text_width(buf_string(&place)), c = text_width(buf_string(&source));
        if (a > w.thread) w.thread = at_most(a, 24);
        if (b > w.place) w.place = at_most(b, 30);
        if (c > w.source) w.source = at_most(c, 52);
        buf_free(&place);
        buf_free(&source);
    }
    return w;
}

static void put_line(const Text *t, const TraceLine *m, Widths w, bool last) {
    Buf source = {0}, events = {0};
    moment_source(t, &source, m);
    line_events(t->report->counterexample, &events, m);
    put_padded(t, thread_color(m->thread), thread_name(t, m->thread), w.thread);
    fputs("  ", t->out);
    put_moment_place(t, m, w.place);
    fputs("  ", t->out);
    put_padded(t, last ? RED : NULL, buf_string(&source), events.length ? w.source : text_width(buf_string(&source)));
    if (events.length) fprintf(t->out, "  %s", buf_string(&events));
    fputc('\n', t->out);
    buf_free(&source);
    buf_free(&events);
}

/* ---- lines before the first thread starts ---- */
static bool is_plain(const TraceLine *m) {
    for (size_t i = 0; i < vec_len(m->events); i++)
        if (m->events[i].input || m->events[i].uninitialised) return false;
    return true;
}

static bool starts_thread(const TraceLine *m) {
    for (size_t i = 0; i < vec_len(m->events); i++)
        if (m->events[i].kind == ACCESS_CREATE) return true;
    return false;
}

/* Returns the number of lines at the beginning that are left out: those before main starts a thread or gets an input. */
static size_t folded(const Text *t) {
    enum { FEW = 4 };
    const Counterexample *s = t->report->counterexample;
    size_t n = 0;
    if (t->style->all) return 0;
    while (n < vec_len(s->moments) && is_plain(&s->moments[n]) && !starts_thread(&s->moments[n])) n++;
    for (size_t i = n; i < vec_len(s->moments); i++)
        if (starts_thread(&s->moments[i])) return n > FEW ? n : 0;
    return 0;
}

static void put_folded(const Text *t, size_t n) {
    const Counterexample *s = t->report->counterexample;
    Buf text = {0}, first = {0}, last = {0};
    moment_place(&first, &s->moments[0]);
    moment_place(&last, &s->moments[n - 1]);
    buf_printf(&text, "main: %zu lines before it starts a thread, %s to %s (-v shows them)", n, buf_string(&first), buf_string(&last));
    paint(t, DIM, buf_string(&text));
    fputc('\n', t->out);
    buf_free(&text);
    buf_free(&first);
    buf_free(&last);
}

static void put_note(const Text *t, const char *text) {
    paint(t, DIM, text);
    fputc('\n', t->out);
}

/* Prints how many steps before the line are not shown. */
static void put_skipped(const Text *t, const TraceLine *m) {
    Buf text = {0};
    if (!m->folded) return;
    buf_printf(&text, "… %zu step%s of %s", m->folded, plural(m->folded), thread_name(t, m->thread));
    put_note(t, buf_string(&text));
    buf_free(&text);
}

static void put_lines(const Text *t) {
    const Counterexample *s = t->report->counterexample;
    Widths w = measure(t);
    size_t first = folded(t);
    if (first) put_folded(t, first);
    for (size_t i = first; i < vec_len(s->moments); i++) {
        if (switched(s, i)) put_note(t, "- - - context switch");
        if (s->endless && i == s->loop) put_note(t, "- - - again and again, from here:");
        put_skipped(t, &s->moments[i]);
        put_line(t, &s->moments[i], w, i + 1 == vec_len(s->moments));
    }
    if (s->endless) put_note(t, "- - - and so on for ever");
}

/* ---- a column for each thread ---- */
enum { COLUMN_MIN = 26, COLUMN_MAX = 60, GAP = 2 };

/* Returns the threads that have lines, in order, as a vec. */
static unsigned *acting_threads(const Counterexample *s) {
    unsigned *threads = NULL;
    for (unsigned n = 1; n <= vec_len(s->threads); n++)
        for (size_t i = 0; i < vec_len(s->moments); i++)
            if (s->moments[i].thread == n) {
                vec_push(threads, n);
                break;
            }
    return threads;
}

/* Prints text in rows of at most `width` columns, broken at blanks. Each row is indented. */
static void put_wrapped(const Text *t, const char *color, const char *text, unsigned indent, unsigned width) {
    while (*text) {
        unsigned cut = text_cut(text, width);
        if (text[cut]) {
            unsigned blank = cut;
            while (blank && text[blank] != ' ') blank--;
            if (blank) cut = blank;
        }
        fprintf(t->out, "%*s", (int)indent, "");
        Buf row = {0};
        buf_bytes(&row, text, cut);
        if (color) paint(t, color, buf_string(&row));
        else fputs(buf_string(&row), t->out);
        fputc('\n', t->out);
        buf_free(&row);
        text += cut;
        while (*text == ' ') text++;
    }
}

static void put_cell(const Text *t, const TraceLine *m, unsigned indent, unsigned width, bool one_file, bool last) {
    Buf number = {0}, source = {0}, event = {0};
    if (one_file) buf_printf(&number, "%3u ", m->position.line);
    else {
        moment_place(&number, m);
        buf_char(&number, ' ');
    }
    moment_source(t, &source, m);
    unsigned used = at_most(text_width(buf_string(&number)), width / 2);
    fprintf(t->out, "%*s", (int)indent, "");
    put_padded(t, DIM, buf_string(&number), used);
    put_padded(t, last ? RED : NULL, buf_string(&source), at_most(text_width(buf_string(&source)), width - used));
    fputc('\n', t->out);
    unsigned inner = at_most(one_file ? used : 4, width / 4);
    line_events(t->report->counterexample, &event, m);
    put_wrapped(t, thread_color(m->thread), buf_string(&event), indent + inner, width - inner);
    buf_free(&number);
    buf_free(&source);
    buf_free(&event);
}

/* Returns the width of each of n columns; 0 if the terminal is too narrow for columns. */
static unsigned column_width(const TextStyle *style, size_t n) {
    unsigned total = style->width ? style->width : 100;
    unsigned w = n ? (total + GAP) / (unsigned)n - GAP : 0;
    return w < COLUMN_MIN || n > 16 ? 0 : at_most(w, COLUMN_MAX);
}

static bool in_one_file(const Counterexample *s) {
    for (size_t i = 0; i < vec_len(s->moments); i++) {
        const char *a = s->moments[0].position.file, *b = s->moments[i].position.file;
        if (!a || !b || strcmp(a, b)) return false;
    }
    return true;
}

static void put_rule(const Text *t, unsigned width) {
    Buf rule = {0};
    for (unsigned i = 0; i < width; i++) buf_text(&rule, "┄");
    paint(t, DIM, buf_string(&rule));
    fputc('\n', t->out);
    buf_free(&rule);
}

static void put_columns(const Text *t, const unsigned *threads, unsigned width) {
    const Counterexample *s = t->report->counterexample;
    unsigned n = (unsigned)vec_len(threads), total = n * (width + GAP) - GAP;
    bool one_file = in_one_file(s);
    for (unsigned i = 0; i < n; i++) {
        put_padded(t, thread_color(threads[i]), thread_name(t, threads[i]), i + 1 < n ? width : 0 + text_width(thread_name(t, threads[i])));
        fprintf(t->out, "%*s", i + 1 < n ? GAP : 0, "");
    }
    fputc('\n', t->out);
    size_t first = folded(t);
    if (first) put_folded(t, first);
    for (size_t i = first; i < vec_len(s->moments); i++) {
        unsigned column = 0;
        while (threads[column] != s->moments[i].thread) column++;
        if (i == first || switched(s, i)) put_rule(t, total);
        if (s->endless && i == s->loop) put_note(t, "again and again, from here:");
        put_skipped(t, &s->moments[i]);
        put_cell(t, &s->moments[i], column * (width + GAP), width, one_file, i + 1 == vec_len(s->moments));
    }
    if (s->endless) put_note(t, "and so on for ever");
}

/* ---- the parts ---- */
static void put_trace(const Text *t) {
    const Counterexample *s = t->report->counterexample;
    size_t threads = vec_len(s->threads);
    unsigned *acting = acting_threads(s);
    unsigned width = t->style->columns ? column_width(t->style, vec_len(acting)) : 0;
    fprintf(t->out, "\nAn execution with %zu thread%s and %zu context switch%s leads to %s", threads, plural(threads), s->switches,
            s->switches == 1 ? "" : "es", s->outcome ? s->outcome : "the error");
    if (vec_len(s->moments) && in_one_file(s)) fprintf(t->out, " (%s)", s->moments[0].position.file);
    fputs(":\n\n", t->out);
    if (width) put_columns(t, acting, width);
    else put_lines(t);
    fputc('\n', t->out);
    if (s->position.file) {
        put_position(t, s->position);
        fputs(": ", t->out);
    }
    paint(t, RED, s->fault ? "undefined behaviour: " : "error: ");
    paint(t, BOLD, s->error ? s->error : MSG_OUTPUT_VIOLATED);
    if (t->report->part) fprintf(t->out, " (%s)", t->report->part);
    fputc('\n', t->out);
    put_caret(t, s->position);
    for (size_t i = 0; i < vec_len(s->details); i++) fprintf(t->out, "  %s\n", s->details[i]);
    vec_free(acting);
}

static void put_reason(const Text *t) {
    const Verdict *v = t->report->verdict;
    if (v->position.file) {
        put_position(t, v->position);
        fputs(": ", t->out);
    }
    fprintf(t->out, "%s\n", v->reason ? v->reason : MSG_OUTPUT_NO_REASON);
    put_caret(t, v->position);
}

static void put_stats(const Text *t) {
    const Stats *s = t->report->stats;
    fputc('\n', t->out);
#define STAT(name, text) \
    if (s->name) fprintf(t->out, "%14" PRIu64 "  %s\n", s->name, text);
#include "base/stats.def"
#undef STAT
}

static void put_why(Text *t) {
    const Verdict *v = t->report->verdict;
    Buf why = {0};
    bool order = v->proof == PROOF_ORDER && v->invariants; /* its text is the whole reason */
    report_why(&why, t->report);
    if (order) fprintf(t->out, "No execution violates the property: %s", v->invariants);
    else fprintf(t->out, "%s\n", buf_string(&why));
    if (!order && v->invariants && *v->invariants) fprintf(t->out, "\n%s", v->invariants);
    buf_free(&why);
}

void report_line(FILE *out, const Report *r, const TextStyle *style) {
    static const char *const colors[] = {[VERDICT_SAFE] = GREEN, [VERDICT_UNSAFE] = RED, [VERDICT_UNKNOWN] = YELLOW};
    Text t = {.out = out, .report = r, .style = style};
    const Verdict *v = r->verdict;
    paint(&t, colors[v->kind], r->standing ? r->standing : verdict_word(v->kind));
    fprintf(out, "  %s  %.2f s%s%s\n", r->property, r->seconds, r->assuming ? "  " : "", r->assuming ? r->assuming : "");
    for (size_t i = 0; i < vec_len(v->warnings); i++) fprintf(out, "note: %s\n", v->warnings[i]);
}

void report_text(FILE *out, const Report *r, const TextStyle *style) {
    Text t = {.out = out, .report = r, .style = style, .sources = sources_new()};
    const Verdict *v = r->verdict;
    if (!style->brief) {
        if (v->kind == VERDICT_SAFE) put_why(&t);
        if (v->kind == VERDICT_UNKNOWN) put_reason(&t);
        if (r->counterexample) put_trace(&t);
        for (size_t i = 0; i < vec_len(v->notes); i++) fprintf(out, "note: %s\n", v->notes[i]);
    }
    if (style->stats) put_stats(&t);
    sources_free(t.sources);
}
