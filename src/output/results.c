/* SPDX-License-Identifier: Apache-2.0 */
#include "output/results.h"
#include "output/report.h"
#include "result/property.h"
#include <string.h>

/* Undefined behaviour comes first, since it makes all other answers doubtful. The other properties follow, since undefined behaviour may break
   them. */
static const Property worst_first[] = {PROPERTY_VALID_MEMSAFETY, PROPERTY_NO_DATA_RACE, PROPERTY_NO_OVERFLOW,
                                       PROPERTY_UNREACH_CALL,    PROPERTY_NO_DEADLOCK,  PROPERTY_TERMINATION};
_Static_assert(sizeof worst_first / sizeof *worst_first == NPROPERTIES, "each has its place");

void results_show(Results *s) {
    if (s->options->confirm > 0 && !s->confirmed) return;
    for (; s->shown < NPROPERTIES; s->shown++) {
        Result *r = &s->list[s->shown];
        if (!(s->set >> s->shown & 1)) continue;
        if (!r->final) return;
        if (r->out.line.length && !s->ill) s->ill = !deliver_text(&r->out.line);
        if (s->options->quiet && r->out.text.length && !s->ill) s->ill = !deliver_text(&r->out.text);
    }
}

/* ---- together ---- */

/* Adds the text of one property. A text of several lines follows a copy of the verdict's line; a single line follows the property's name.
   Returns true for a single line. */
static bool add_text(Output *to, const char *property, const Output *of, bool after_line) {
    const char *verdict = buf_string(&of->line), *rest = buf_string(&of->text);
    bool line = strchr(rest, '\n') == rest + of->text.length - 1;
    if (!line || !after_line) buf_char(&to->text, '\n');
    if (line) buf_printf(&to->text, "%s: ", property);
    else buf_bytes(&to->text, verdict, strcspn(verdict, "\n") + 1);
    buf_bytes(&to->text, rest, of->text.length);
    return line;
}

static void add_rest(const Results *s, Output *to, int code) {
    bool line = false;
    for (unsigned i = 0; i < NPROPERTIES; i++) {
        const Result *r = &s->list[worst_first[i]];
        const char *property = property_text(worst_first[i], s->parts);
        if (r->there && r->code == code && r->out.text.length) line = add_text(to, property, &r->out, line);
    }
}

static void add_json(const Results *s, Output *to) {
    bool first = true;
    buf_text(&to->json, "[\n");
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        const Buf *json = &s->list[p].out.json;
        if (!json->length) continue;
        if (!first) buf_text(&to->json, ",\n");
        buf_bytes(&to->json, json->text, json->length);
        first = false;
    }
    buf_text(&to->json, "]\n");
}

/* In the order of the text: violations first. */
static void add_html(const Results *s, Output *to, int code) {
    for (unsigned i = 0; i < NPROPERTIES; i++) {
        const Result *r = &s->list[worst_first[i]];
        if (r->there && r->code == code && r->out.html.length)
            buf_printf(&to->html, "%s%s", to->html.length ? ",\n" : "", buf_string(&r->out.html));
    }
}

static void add_sarif(const Results *s, Output *to) {
    const Buf *logs[NPROPERTIES];
    unsigned found = 0;
    for (unsigned p = 0; p < NPROPERTIES; p++)
        if (s->list[p].out.sarif.length) logs[found++] = &s->list[p].out.sarif;
    if (found) sarif_join(&to->sarif, logs, found);
}

int results_code(const Results *s) {
    int code = EXIT_SAFE;
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        const Result *r = &s->list[p];
        if (!r->there) continue;
        if (is_complaint(r->code)) return r->code;
        if (r->code == EXIT_UNSAFE || (r->code == EXIT_UNKNOWN && code == EXIT_SAFE)) code = r->code;
    }
    return s->ill ? EXIT_INTERNAL : code;
}

static void add_files(const Results *s, Output *to) {
    const Options *o = s->options;
    if (o->json) add_json(s, to);
    if (o->sarif) add_sarif(s, to);
    add_html(s, to, EXIT_UNSAFE);
    add_html(s, to, EXIT_UNKNOWN);
    add_html(s, to, EXIT_SAFE);
    for (unsigned i = 0; i < NPROPERTIES; i++) { /* the trace of the first counterexample, all certificates */
        const Output *of = &s->list[worst_first[i]].out;
        /* YAML has any number of entries, GraphML one violation */
        if (!to->witness.length || o->witness_format == WITNESS_YAML) buf_bytes(&to->witness, buf_string(&of->witness), of->witness.length);
        if (!to->trace.length) buf_bytes(&to->trace, buf_string(&of->trace), of->trace.length);
        if (!to->native.length) buf_bytes(&to->native, buf_string(&of->native), of->native.length);
        buf_bytes(&to->certificate, buf_string(&of->certificate), of->certificate.length);
    }
}

static void complain(const Results *s) {
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        const Buf *b = &s->list[p].out.complaint;
        if (!b->length) continue;
        fprintf(stderr, "%s%s", buf_string(b), b->text[b->length - 1] == '\n' ? "" : "\n");
        return; /* all properties have the same complaint */
    }
}

static void join_one(const Results *s, Output *to) {
    const Output *of = &s->list[__builtin_ctz(s->set)].out;
    buf_bytes(&to->line, buf_string(&of->line), of->line.length);
    buf_bytes(&to->text, buf_string(&of->text), of->text.length);
    add_files(s, to);
    if (s->options->all_violations || !s->options->json) return;
    buf_clear(&to->json); /* without the brackets of a list */
    buf_bytes(&to->json, buf_string(&of->json), of->json.length);
}

void results_join(Results *s, Output *to) {
    complain(s);
    if (is_complaint(results_code(s))) return;
    if (!results_are_several(s)) {
        join_one(s, to);
        return;
    }
    results_show(s);
    if (!s->options->quiet && !s->ill) {
        add_rest(s, to, EXIT_UNSAFE);
        add_rest(s, to, EXIT_UNKNOWN);
        add_rest(s, to, EXIT_SAFE);
    }
    add_files(s, to);
}

void results_free(Results *s) {
    for (unsigned p = 0; p < NPROPERTIES; p++) output_free(&s->list[p].out);
}
