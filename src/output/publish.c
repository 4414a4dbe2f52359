/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict in all the forms that were asked for: text for people, JSON, SARIF, the certificate, the schedule. */
#include "output/publish.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/vec.h"
#include "explain/tell.h"
#include "explain/explain.h"
#include "native/gather.h"
#include "output/report.h"
#include "result/property.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static unsigned terminal_width(void) {
    struct winsize w;
    const char *columns = getenv("COLUMNS");
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col) return w.ws_col;
    return columns && atoi(columns) > 0 ? (unsigned)atoi(columns) : 0;
}

static TextStyle style_of(const Options *o) {
    bool terminal = isatty(STDOUT_FILENO);
    const char *term = getenv("TERM");
    return (TextStyle){
        .brief = o->quiet,
        .all = o->verbose,
        .stats = o->stats,
        .color = o->color == COLOR_ALWAYS || (o->color == COLOR_AUTO && terminal && !getenv("NO_COLOR") && term && strcmp(term, "dumb")),
        .columns = o->layout == LAYOUT_COLUMNS || (o->layout == LAYOUT_AUTO && terminal),
        .width = terminal_width(),
    };
}

static int exit_code_of_witness(Standing s) {
    return s == STANDING_CONFIRMED ? EXIT_SAFE : s == STANDING_REFUSED ? EXIT_UNSAFE : EXIT_UNKNOWN;
}

static int exit_code(VerdictKind kind) { return kind == VERDICT_SAFE ? EXIT_SAFE : kind == VERDICT_UNSAFE ? EXIT_UNSAFE : EXIT_UNKNOWN; }

typedef enum Form { FORM_TEXT, FORM_TRACE } Form;

/* The result: of a text, how long its first part is. */
static size_t tell(Buf *to, Form form, const Report *r, const TextStyle *style) {
    char *text = NULL;
    size_t length = 0, head = 0;
    FILE *f = open_memstream(&text, &length);
    if (f && form == FORM_TEXT) head = report_text(f, r, style);
    else if (f) schedule_write(f, r->program, r->property, r->verdict->trace, r->story);
    if (!f || ferror(f) || fclose(f)) lack("out of memory");
    buf_bytes(to, text, length);
    free(text);
    return head;
}

/* Does another property of this run ask for all of these faults? Then they are told there. */
static bool is_reported(const Job *job, Faults cut_by) {
    for (unsigned p = 0; p < NPROPERTIES; p++)
        if (job->properties >> p & 1) cut_by &= ~property_faults((Property)p, job->question.parts);
    return !cut_by;
}

static bool is_stdout(const char *path) { return path && !strcmp(path, "-"); }

/* Is stdout for something else than text? */
static bool is_aside(const Options *o) { return is_stdout(o->json) || is_stdout(o->sarif) || is_stdout(o->html) || is_stdout(o->witness); }

/* In JSON, each violation is an object of its own. */
static void add_more(const Options *o, const Output *more, Output *out) {
    if (!is_aside(o) && !o->quiet) {
        buf_char(&out->text, '\n');
        buf_bytes(&out->text, buf_string(&more->text) + more->head, more->text.length - more->head);
    }
    if (out->json.length && out->json.text[out->json.length - 1] == '\n') out->json.length--;
    if (more->json.length) buf_printf(&out->json, ",\n%s", buf_string(&more->json));
}

void publish_note(const Job *job, const char *note, Output *out) {
    if (!is_aside(job->options)) buf_printf(&out->text, "\nnote: %s\n", note);
    if (out->json.length) report_json_note(&out->json, note);
}

void publish_more(const Job *job, const Verdict *v, unsigned n, Output *out) {
    Output more = {0};
    Buf note = {0};
    if (v->kind == VERDICT_SAFE)
        buf_printf(&note, "no execution has another violation before it comes to %s", n == 1 ? "this one" : "one of these");
    else if (v->kind == VERDICT_UNKNOWN)
        buf_printf(&note, "there may be other violations: %s", v->reason ? v->reason : "no reason was given");
    else {
        publish(job, v, &more);
        add_more(job->options, &more, out);
    }
    if (note.length) publish_note(job, buf_string(&note), out);
    buf_free(&note);
    output_free(&more);
}

/* The part of valid-memsafety that is violated. */
static const char *part_of(const Job *job, const Verdict *v, const Story *story) {
    if (v->kind != VERDICT_UNSAFE || job->question.property != PROPERTY_VALID_MEMSAFETY || !story) return NULL;
    if (v->trace->end != TRACE_LEAK) return property_part(fault_part(story->kind));
    return property_part(job->question.parts & PART_MEMCLEANUP ? PART_MEMCLEANUP : PART_MEMTRACK);
}

int publish(const Job *job, const Verdict *v, Output *out) {
    const Options *o = job->options;
    static const char *const standings[] = {
        [STANDING_OPEN] = "UNKNOWN", [STANDING_CONFIRMED] = "CONFIRMED", [STANDING_REFUSED] = "REFUSED"};
    TextStyle style = style_of(o);
    Report report = {
        .program = job->program,
        .verdict = v,
        .property = property_text(job->question.property, job->question.parts),
        .fair = job->question.fair == FAIR_WEAK,
        .engine = o->replay     ? "replay"
                  : job->engine ? job->engine->name
                                : "none",
        .data_model = options_word("data_model", o->data_model),
        .memory_model = o->memory_model == MEMORY_SC ? NULL : options_word("memory_model", o->memory_model),
        .files = o->files,
        .seconds = clock_seconds() - job->start,
        .stats = &job->shared->stats,
        .claims = job->claims && vec_len(job->claims->list) ? &job->claims->list[0] : NULL,
        .standing = job->witnesses ? standings[job->standing] : NULL,
    };
    Story *story = v->trace ? story_tell(job->program, &job->question, v->trace) : NULL;
    Buf assuming = {0};
    if (v->vacuous) buf_text(&assuming, "vacuously");
    else if (v->kind == VERDICT_SAFE && v->cut && !is_reported(job, v->cut_by))
        buf_printf(&assuming, "up to undefined behaviour (%s)", v->cut);
    if (job->program && v->kind != VERDICT_UNKNOWN) explain_assumed(&assuming, job->program);
    report.story = story;
    report.part = part_of(job, v, story);
    report.assuming = assuming.length ? buf_string(&assuming) : NULL;
    if (!is_aside(o)) out->head = tell(&out->text, FORM_TEXT, &report, &style);
    if (o->json) report_json(&out->json, &report);
    if (o->sarif) report_sarif(&out->sarif, &report);
    if (o->html) report_view(&out->html, &report);
    if (o->witness) report_witness(&out->witness, &report, o->witness_format == WITNESS_GRAPHML);
    if (o->certificate && v->certificate) buf_text(&out->certificate, v->certificate);
    if (o->trace && v->trace && v->kind != VERDICT_SAFE) tell(&out->trace, FORM_TRACE, &report, &style);
    if (o->native) native_gather(&out->native, job, v, story);
    story_free(story);
    buf_free(&assuming);
    return job->witnesses ? exit_code_of_witness(job->standing) : exit_code(v->kind);
}
