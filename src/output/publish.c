/* SPDX-License-Identifier: Apache-2.0 */
/* The forms are text for stdout, JSON, SARIF, HTML, a witness, the certificate, the schedule, and the files of native replay. */
#include "output/publish.h"
#include "base/clock.h"
#include "base/messages.h"
#include "explain/explain_trace.h"
#include "explain/explain.h"
#include "native/gather.h"
#include "output/messages.h"
#include "output/report.h"
#include "result/certificate.h"
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

static int exit_code_of_witness(WitnessStatus s) {
    return s == WITNESS_CONFIRMED ? EXIT_SAFE : s == WITNESS_REFUSED ? EXIT_UNSAFE : EXIT_UNKNOWN;
}

static int exit_code(VerdictKind kind) { return kind == VERDICT_SAFE ? EXIT_SAFE : kind == VERDICT_UNSAFE ? EXIT_UNSAFE : EXIT_UNKNOWN; }

/* A certificate is confirmed, or refused with the reason; if time runs out, it is neither. */
static WitnessStatus standing_of_certificate(const Verdict *v) {
    if (v->kind == VERDICT_SAFE) return WITNESS_CONFIRMED;
    return v->cause == REASON_LIMIT ? WITNESS_OPEN : WITNESS_REFUSED;
}

typedef void Form(FILE *, const Report *, const TextStyle *);

static void trace_form(FILE *f, const Report *r, const TextStyle *style) {
    (void)style;
    schedule_write(f, r->program, r->property, r->verdict->trace, r->counterexample);
}

static void put_form(Buf *to, Form *form, const Report *r, const TextStyle *style) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (f) form(f, r, style);
    if (!f || ferror(f) || fclose(f)) out_of_resources(MSG_BASE_NO_MEMORY);
    buf_bytes(to, text, length);
    free(text);
}

/* True if other questions of this run cover all of these faults, so that their answers report them. */
static bool is_reported(const Question *q, Faults cut_by) {
    for (unsigned p = 0; p < NPROPERTIES; p++)
        if (question_asks_elsewhere(q, (Property)p)) cut_by &= ~property_faults((Property)p, q->parts);
    return !cut_by;
}

static bool is_stdout(const char *path) { return path && !strcmp(path, "-"); }

/* True if another form than text goes to stdout. */
static bool stdout_is_taken(const Options *o) {
    return is_stdout(o->json) || is_stdout(o->sarif) || is_stdout(o->html) || is_stdout(o->witness);
}

/* Appends another violation: a text after an empty line, and a JSON object after a comma. */
static void add_more(const Options *o, const Output *more, Output *out) {
    if (!stdout_is_taken(o) && !o->quiet) {
        buf_char(&out->text, '\n');
        buf_bytes(&out->text, buf_string(&more->text), more->text.length);
    }
    if (out->json.length && out->json.text[out->json.length - 1] == '\n') out->json.length--;
    if (more->json.length) buf_printf(&out->json, ",\n%s", buf_string(&more->json));
}

void publish_beside(const Options *o, const Output *more, Output *out) { add_more(o, more, out); }

int publish_report(const Options *o, const Report *r, Output *out) {
    TextStyle style = style_of(o);
    if (!stdout_is_taken(o)) put_form(&out->line, report_line, r, &style), put_form(&out->text, report_text, r, &style);
    if (o->json) report_json(&out->json, r);
    if (o->sarif) report_sarif(&out->sarif, r);
    if (o->html) report_view(&out->html, r);
    return exit_code(r->verdict->kind);
}

void publish_note(const Options *o, const char *note, Output *out) {
    if (!stdout_is_taken(o)) buf_printf(&out->text, "\nnote: %s\n", note);
    if (out->json.length) report_json_note(&out->json, note);
}

void publish_more(const Answered *a, unsigned n, Output *out) {
    Output more = {0};
    Buf note = {0};
    const Verdict *v = a->verdict;
    if (v->kind == VERDICT_SAFE) buf_printf(&note, MSG_OUTPUT_NO_MORE, n == 1 ? MSG_OUTPUT_THIS_ONE : MSG_OUTPUT_ONE_OF_THESE);
    else if (v->kind == VERDICT_UNKNOWN) buf_printf(&note, MSG_OUTPUT_MAY_BE_MORE, v->reason ? v->reason : MSG_OUTPUT_NO_REASON);
    else {
        publish(a, &more);
        add_more(a->options, &more, out);
    }
    if (note.length) publish_note(a->options, buf_string(&note), out);
    buf_free(&note);
    output_free(&more);
}

/* Returns the name of the violated part of valid-memsafety; NULL if another property is violated. */
static const char *part_of(const Answered *a, const Counterexample *counterexample) {
    if (a->verdict->kind != VERDICT_UNSAFE || a->question->property != PROPERTY_VALID_MEMSAFETY || !counterexample) return NULL;
    if (a->verdict->trace->end != TRACE_LEAK) return property_part(fault_part(counterexample->kind));
    return property_part(a->question->parts & PART_MEMCLEANUP ? PART_MEMCLEANUP : PART_MEMTRACK);
}

static void put_assuming(Buf *out, const Answered *a) {
    const Verdict *v = a->verdict;
    if (v->vacuous) buf_text(out, "vacuously");
    else if (v->kind == VERDICT_SAFE && v->cut && !is_reported(a->question, v->cut_by)) buf_printf(out, MSG_OUTPUT_UP_TO_UNDEFINED, v->cut);
    if (a->program && v->kind != VERDICT_UNKNOWN) explain_assumed(out, a->program);
}

static Stats count_all(const Answered *a) {
    const Program *p = a->program;
    Stats s = a->verdict->stats;
    for (size_t i = 0; p && i < vec_len(p->templates); i++) {
        s.variables += vec_len(p->templates[i]->locals);
        s.locations += vec_len(p->templates[i]->locations);
        s.actions += vec_len(p->templates[i]->actions);
    }
    if (p) s.variables += vec_len(p->globals);
    if (p) s.objects += vec_len(p->objects);
    return s;
}

static void put_certificate(Buf *out, const Answered *a) {
    certificate_put_answer(out, property_text(a->question->property, a->question->parts));
    buf_text(out, a->verdict->certificate);
    for (size_t i = 0; i < vec_len(a->program->approximations); i++)
        if (a->program->approximations[i].kind == APPROX_ASSUMED) buf_printf(out, "; assumption: %s\n", a->program->approximations[i].text);
    for (size_t i = 0; i < vec_len(a->verdict->warnings); i++) buf_printf(out, "; %s\n", a->verdict->warnings[i]);
}

static void put_files(const Options *o, const Report *r, const Answered *a, Output *out) {
    const Verdict *v = a->verdict;
    if (o->json) report_json(&out->json, r);
    if (o->sarif) report_sarif(&out->sarif, r);
    if (o->html) report_view(&out->html, r);
    if (o->witness) report_witness(&out->witness, r, o->witness_format == WITNESS_GRAPHML);
    if (o->certificate && v->certificate) put_certificate(&out->certificate, a);
    if (o->trace && v->trace && v->kind != VERDICT_SAFE) put_form(&out->trace, trace_form, r, NULL);
    if (o->native && a->loaded) native_collect(&out->native, a->program, a->question, a->loaded, v, r->counterexample, o->args);
}

int publish(const Answered *a, Output *out) {
    static const char *const standings[] = {[WITNESS_OPEN] = "UNKNOWN", [WITNESS_CONFIRMED] = "CONFIRMED", [WITNESS_REFUSED] = "REFUSED"};
    const Options *o = a->options;
    const Verdict *v = a->verdict;
    TextStyle style = style_of(o);
    Counterexample *counterexample = v->trace ? explain_trace(a->program, a->question, v->trace) : NULL;
    Stats stats = count_all(a);
    Buf assuming = {0};
    MemoryModel memory = a->program ? a->program->memory : o->memory_model; /* a program in text form has its own memory model */
    put_assuming(&assuming, a);
    Report report = {
        .program = a->program,
        .verdict = v,
        .counterexample = counterexample,
        .assuming = assuming.length ? buf_string(&assuming) : NULL,
        .property = property_text(a->question->property, a->question->parts),
        .part = part_of(a, counterexample),
        .fair = a->question->fair == FAIR_WEAK,
        .engine = o->replay              ? "replay"
                  : o->check_certificate ? "none"
                  : v->engine            ? v->engine
                                         : "none",
        .data_model = options_word("data_model", o->data_model),
        .memory_model = memory == MEMORY_SC ? NULL : options_word("memory_model", memory),
        .files = o->files,
        .seconds = clock_seconds() - a->start,
        .stats = &stats,
        .invariants = a->invariants && vec_len(a->invariants->list) ? &a->invariants->list[0] : NULL,
        .standing = o->check_witness       ? standings[a->standing]
                    : o->check_certificate ? standings[standing_of_certificate(v)]
                                           : NULL,
    };
    if (!stdout_is_taken(o)) put_form(&out->line, report_line, &report, &style), put_form(&out->text, report_text, &report, &style);
    put_files(o, &report, a, out);
    counterexample_free(counterexample);
    buf_free(&assuming);
    if (o->check_certificate) return exit_code_of_witness(standing_of_certificate(v));
    return o->check_witness ? exit_code_of_witness(a->standing) : exit_code(v->kind);
}
