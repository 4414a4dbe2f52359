/* SPDX-License-Identifier: Apache-2.0 */
#include "several.h"
#include "base/clock.h"
#include "base/die.h"
#include "strategy/engines.h"
#include "output/report.h"
#include "result/property.h"
#include <string.h>

typedef struct Result {
    bool there, final; /* final: it is not tried again */
    int code;
    double used, share; /* seconds that it took, of those that it had */
    Output out;
} Result;

typedef struct Several {
    Job *job;
    unsigned set;
    double end;
    int (*run)(Job *, Output *);
    Result results[NPROPERTIES];
    unsigned told; /* the lines of those before it are printed */
    bool ill;      /* something could not be printed */
} Several;

/* What makes all else doubtful goes first: undefined behaviour, then what it may be the cause of. */
static const Property worst_first[] = {PROPERTY_VALID_MEMSAFETY, PROPERTY_NO_DATA_RACE, PROPERTY_NO_OVERFLOW,
                                       PROPERTY_UNREACH_CALL,    PROPERTY_NO_DEADLOCK,  PROPERTY_TERMINATION};
_Static_assert(sizeof worst_first / sizeof *worst_first == NPROPERTIES, "each has its place");

static bool is_asked(const Several *s, unsigned p) { return s->set >> p & 1; }
static bool is_complaint(int code) { return code == EXIT_INPUT || code == EXIT_INTERNAL; }

/* ---- one after the other ---- */

/* The verdict's line and what weakens it, as soon as those before it are there. */
static void tell_lines(Several *s) {
    for (; s->told < NPROPERTIES; s->told++) {
        Result *r = &s->results[s->told];
        if (!is_asked(s, s->told)) continue;
        if (!r->final) return;
        Buf head = {0};
        buf_bytes(&head, buf_string(&r->out.text), s->job->options->quiet ? r->out.text.length : r->out.head);
        if (head.length && !s->ill) s->ill = !deliver_text(&head);
        buf_free(&head);
    }
}

static void run_one(Several *s, Property p, double share) {
    Job *job = s->job;
    Result *r = &s->results[p];
    Buf error = {0};
    output_free(&r->out);
    *r = (Result){.there = true, .share = share};
    if (s->set & (s->set - 1)) job->start = clock_seconds();
    job->deadline = clock_seconds() + share;
    job->question.property = p;
    job->engine = NULL;
    memset(job->shared, 0, sizeof *job->shared);
    double start = clock_seconds();
    if (engines_choose(job, &error)) r->code = s->run(job, &r->out);
    else {
        fprintf(stderr, "heddle: %s\n", buf_string(&error));
        r->code = EXIT_INPUT;
    }
    r->used = clock_seconds() - start;
    buf_free(&error);
}

/* Each has its part of the time that is left. */
static void first_round(Several *s) {
    unsigned n = (unsigned)__builtin_popcount(s->set), left = n;
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        if (!is_asked(s, p)) continue;
        Result *r = &s->results[p];
        run_one(s, (Property)p, (s->end - clock_seconds()) / left--);
        r->final = r->code != EXIT_UNKNOWN || r->used < 0.8 * r->share || !left;
        if (r->code == EXIT_INPUT || (r->code == EXIT_INTERNAL && left + 1 == n)) return; /* others would say the same */
        if (s->set & (s->set - 1)) tell_lines(s);
    }
}

/* What the others did not need is for those that had too little, if it is much more than they had. */
static void second_round(Several *s) {
    unsigned left = 0;
    for (unsigned p = 0; p < NPROPERTIES; p++) left += s->results[p].there && !s->results[p].final;
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        Result *r = &s->results[p];
        if (!r->there || r->final) continue;
        double share = (s->end - clock_seconds()) / left--;
        if (share > 2 * r->share) run_one(s, (Property)p, share);
        r->final = true;
    }
}

/* ---- what they say, together ---- */

/* What is said of one property after its verdict: under the verdict's line again, or behind the property's name if it is one line. */
static bool add_text(Output *to, const char *property, const Output *of, bool after_line) {
    const char *first = of->text.text, *rest = first + of->head;
    size_t length = of->text.length - of->head;
    bool line = memchr(rest, '\n', length) == rest + length - 1;
    if (!line || !after_line) buf_char(&to->text, '\n');
    if (line) buf_printf(&to->text, "%s: ", property);
    else buf_bytes(&to->text, first, (size_t)((const char *)memchr(first, '\n', of->text.length) - first) + 1);
    buf_bytes(&to->text, rest, length);
    return line;
}

static void add_rest(const Several *s, Output *to, int code) {
    bool line = false;
    for (unsigned i = 0; i < NPROPERTIES; i++) {
        const Result *r = &s->results[worst_first[i]];
        const char *property = property_text(worst_first[i], s->job->question.parts);
        if (r->there && r->code == code && r->out.head < r->out.text.length) line = add_text(to, property, &r->out, line);
    }
}

static void add_json(const Several *s, Output *to) {
    bool first = true;
    buf_text(&to->json, "[\n");
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        const Buf *json = &s->results[p].out.json;
        if (!json->length) continue;
        if (!first) buf_text(&to->json, ",\n");
        buf_bytes(&to->json, json->text, json->length);
        first = false;
    }
    buf_text(&to->json, "]\n");
}

/* In the order of the text: violations first. */
static void add_html(const Several *s, Output *to, int code) {
    for (unsigned i = 0; i < NPROPERTIES; i++) {
        const Result *r = &s->results[worst_first[i]];
        if (r->there && r->code == code && r->out.html.length)
            buf_printf(&to->html, "%s%s", to->html.length ? ",\n" : "", buf_string(&r->out.html));
    }
}

static void add_sarif(const Several *s, Output *to) {
    const Buf *logs[NPROPERTIES];
    unsigned found = 0;
    for (unsigned p = 0; p < NPROPERTIES; p++)
        if (s->results[p].out.sarif.length) logs[found++] = &s->results[p].out.sarif;
    if (found) sarif_join(&to->sarif, logs, found);
}

/* UNSAFE if one is, SAFE if all are; what went wrong goes before all. */
static int code_of(const Several *s) {
    int code = EXIT_SAFE;
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        const Result *r = &s->results[p];
        if (!r->there) continue;
        if (is_complaint(r->code)) return r->code;
        if (r->code == EXIT_UNSAFE || (r->code == EXIT_UNKNOWN && code == EXIT_SAFE)) code = r->code;
    }
    return s->ill ? EXIT_INTERNAL : code;
}

static int join(Several *s, Output *to) {
    int code = code_of(s);
    if (is_complaint(code)) return code;
    tell_lines(s);
    if (!s->job->options->quiet && !s->ill) {
        add_rest(s, to, EXIT_UNSAFE);
        add_rest(s, to, EXIT_UNKNOWN);
        add_rest(s, to, EXIT_SAFE);
    }
    const Options *o = s->job->options;
    if (o->json) add_json(s, to);
    if (o->sarif) add_sarif(s, to);
    add_html(s, to, EXIT_UNSAFE);
    add_html(s, to, EXIT_UNKNOWN);
    add_html(s, to, EXIT_SAFE);
    for (unsigned i = 0; i < NPROPERTIES; i++) { /* the trace of the first story, all certificates */
        const Output *of = &s->results[worst_first[i]].out;
        /* Entries follow each other; of GraphML, one violation. */
        if (!to->witness.length || o->witness_format == WITNESS_YAML) buf_bytes(&to->witness, buf_string(&of->witness), of->witness.length);
        if (!to->trace.length) buf_bytes(&to->trace, buf_string(&of->trace), of->trace.length);
        if (!to->native.length) buf_bytes(&to->native, buf_string(&of->native), of->native.length);
        buf_bytes(&to->certificate, buf_string(&of->certificate), of->certificate.length);
    }
    return code_of(s);
}

int several_run(Job *job, unsigned set, double end, int (*run)(Job *, Output *), Output *out) {
    Several s = {.job = job, .set = set, .end = end, .run = run};
    job->properties = job->question.others = set;
    first_round(&s);
    unsigned only = (unsigned)__builtin_ctz(set);
    if (!(set & (set - 1))) {
        *out = s.results[only].out;
        if (job->options->all_violations && out->json.length) {
            out->json = (Buf){0};
            add_json(&s, out);
            buf_free(&s.results[only].out.json);
        }
        return s.results[only].code;
    }
    if (!is_complaint(code_of(&s))) second_round(&s);
    int code = join(&s, out);
    for (unsigned p = 0; p < NPROPERTIES; p++) output_free(&s.results[p].out);
    return code;
}
