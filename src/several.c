/* SPDX-License-Identifier: Apache-2.0 */
#include "several.h"
#include "base/clock.h"
#include "base/die.h"
#include "engines.h"
#include "output/report.h"
#include <string.h>

/* Where the first line, the verdict, ends. */
static size_t first_line(const Buf *text) {
    const char *end = memchr(buf_string(text), '\n', text->length);
    return end ? (size_t)(end - text->text) + 1 : text->length;
}

/* What is said after the verdicts: of those with this exit code. */
static void add_rest(Output *to, const Output *of, const int *codes, unsigned n, int code) {
    for (unsigned i = 0; i < n; i++) {
        size_t line = first_line(&of[i].text);
        if (codes[i] != code || line >= of[i].text.length) continue;
        buf_char(&to->text, '\n');
        buf_bytes(&to->text, of[i].text.text, line);
        buf_bytes(&to->text, of[i].text.text + line, of[i].text.length - line);
    }
}

static void add_json(Output *to, const Output *of, unsigned n) {
    buf_text(&to->json, "[\n");
    for (unsigned i = 0; i < n; i++) {
        buf_bytes(&to->json, buf_string(&of[i].json), of[i].json.length);
        if (i + 1 < n) buf_text(&to->json, ",\n");
    }
    buf_text(&to->json, "]\n");
}

static void add_sarif(Output *to, const Output *of, unsigned n) {
    const Buf *logs[NPROPERTIES];
    unsigned found = 0;
    for (unsigned i = 0; i < n; i++)
        if (of[i].sarif.length) logs[found++] = &of[i].sarif;
    if (found) sarif_join(&to->sarif, logs, found);
}

/* UNSAFE if one is, SAFE if all are; what went wrong goes before all. */
static int code_of(const int *codes, unsigned n) {
    int code = EXIT_SAFE;
    for (unsigned i = 0; i < n; i++) {
        if (codes[i] == EXIT_INPUT || codes[i] == EXIT_INTERNAL) return codes[i];
        if (codes[i] == EXIT_UNSAFE || (codes[i] == EXIT_UNKNOWN && code == EXIT_SAFE)) code = codes[i];
    }
    return code;
}

static int join(Output *to, const Options *o, const Output *of, const int *codes, unsigned n) {
    /* If it is to be brief, all that is said is the verdicts and the notes that weaken them. */
    for (unsigned i = 0; i < n; i++) buf_bytes(&to->text, buf_string(&of[i].text), o->quiet ? of[i].text.length : first_line(&of[i].text));
    if (!o->quiet) {
        add_rest(to, of, codes, n, EXIT_UNSAFE);
        add_rest(to, of, codes, n, EXIT_UNKNOWN);
        add_rest(to, of, codes, n, EXIT_SAFE);
    }
    if (o->json) add_json(to, of, n);
    if (o->sarif) add_sarif(to, of, n);
    for (unsigned i = 0; i < n; i++) {
        /* Entries follow each other; of GraphML, one violation. */
        if (!to->witness.length || o->witness_format == WITNESS_YAML) buf_bytes(&to->witness, buf_string(&of[i].witness), of[i].witness.length);
        if (!to->trace.length) buf_bytes(&to->trace, buf_string(&of[i].trace), of[i].trace.length);
        buf_bytes(&to->certificate, buf_string(&of[i].certificate), of[i].certificate.length);
    }
    return code_of(codes, n);
}

int several_run(Job *job, unsigned set, double end, int (*run)(Job *, Output *), Output *out) {
    Output of[NPROPERTIES];
    int codes[NPROPERTIES];
    unsigned n = 0, left = (unsigned)__builtin_popcount(set);
    bool alone = left == 1;
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        if (!(set >> p & 1)) continue;
        double now = clock_seconds();
        of[n] = (Output){.text = {0}};
        Buf error = {0};
        if (!alone) job->start = now;
        job->deadline = now + (end - now) / left--;
        job->property = (Property)p;
        memset(job->shared, 0, sizeof *job->shared);
        if (engines_choose(job, &error)) codes[n] = run(job, &of[n]);
        else {
            fprintf(stderr, "heddle: %s\n", buf_string(&error));
            codes[n] = EXIT_INPUT;
        }
        buf_free(&error);
        if (codes[n++] == EXIT_INPUT) break;
    }
    int code = codes[0];
    if (alone) *out = of[0];
    else code = join(out, job->options, of, codes, n);
    for (unsigned i = 0; i < n && !alone; i++) output_free(&of[i]);
    return code;
}
