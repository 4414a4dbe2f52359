/* SPDX-License-Identifier: Apache-2.0 */
#include "app/compile_commands.h"
#include "app/dump.h"
#include "app/harness.h"
#include "app/inputs.h"
#include "app/run_command.h"
#include "app/run_confirm.h"
#include "app/suite.h"
#include "app/supervisor.h"
#include "base/clock.h"
#include "base/version.h"
#include "app/message_list.h"
#include "output/destinations.h"
#include "output/report.h"
#include "pipeline.h"
#include "process/child.h"
#include "process/portfolio.h"
#include "process/progress.h"
#include <malloc.h>
#include <string.h>
#include <unistd.h>

static int usage_error(const Buf *error) {
    fprintf(stderr, "heddle: %s\nheddle --help lists the options.\n", buf_string(error));
    return EXIT_INPUT;
}

static void help(Buf *text) {
    options_help(text);
    engines_list(text);
    buf_text(text, "\nExit codes: 0 SAFE, 1 UNSAFE, 2 UNKNOWN, 3 bad input or usage, 4 internal error or failed output.\n");
}

/* Prints a harness, in which the reader fills in the marked places. */
static int harness(const Options *o) {
    Buf text = {0}, error = {0};
    int code = EXIT_INPUT;
    if (harness_write(o, &text, &error)) code = deliver_text(&text) ? 0 : EXIT_INTERNAL;
    else fprintf(stderr, strchr(buf_string(&error), '\n') ? "%s" : "heddle: %s\n", buf_string(&error)); /* clang names the place */
    buf_free(&text);
    buf_free(&error);
    return code;
}

static int print_information(const Options *o) {
    Buf text = {0};
    if (o->help) help(&text);
    else if (o->list_messages) messages_list(&text);
    else if (options_lists_passes(o)) dump_list(&text);
    else buf_text(&text, "heddle " HEDDLE_VERSION "\n");
    int code = deliver_text(&text) ? 0 : EXIT_INTERNAL;
    buf_free(&text);
    return code;
}

/* Keeps freed memory in the process. Solver contexts come and go, each of many megabytes, and to get their memory from the kernel anew
   costs more than to make the context. */
static void keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 20);
}

/* Reads what the options name: witnesses, properties, the files' kind and the limits. Returns false and sets *error if the options are
   wrong. */
static bool run_init(Run *r, const Options *o, Witnesses **witnesses, Certificate **certificate, Buf *error) {
    *r = (Run){.options = o};
    *certificate = o->check_certificate ? certificate_read(o->check_certificate, error) : NULL;
    r->certificate = *certificate;
    *witnesses = o->check_witness ? witnesses_read(o->check_witness, error) : NULL;
    r->witnesses = *witnesses;
    if (error->length || !inputs_properties(o, r->witnesses, r->certificate, &r->properties, &r->parts, error) || !inputs_fit(o, error))
        return false;
    if (o->dump_after && !dump_knows(o->dump_after, error)) return false;
    bool several = r->properties & (r->properties - 1);
    r->front = inputs_front(o);
    return inputs_config(o, several, &r->config, error);
}

static int verify_files(const Options *o, double start) {
    Run run;
    Witnesses *witnesses;
    Certificate *certificate;
    Buf error = {0};
    Output out = {0};
    int code = EXIT_INPUT;
    child_catch_signals();
    if (run_init(&run, o, &witnesses, &certificate, &error)) {
        Results results = {.options = o, .set = run.properties, .parts = run.parts};
        progress_start(!o->quiet, o->verbose);
        supervise(&(Verifier){pipeline_answer, &run}, &run.config, &results, start + o->timeout);
        if (o->confirm > 0) run_confirm(&results, start);
        results_join(&results, &out);
        code = results_code(&results);
        if (out.html.length) report_page(&out.html);
        if (!output_deliver(&out, o)) code = EXIT_INTERNAL;
        if (!is_complaint(code)) output_out_of_resources(&out, o);
        results_free(&results);
    } else fprintf(stderr, "heddle: %s%s", buf_string(&error), error.text[error.length - 1] == '\n' ? "" : "\n");
    output_free(&out);
    buf_free(&error);
    witnesses_free(witnesses);
    certificate_free(certificate);
    return code;
}

int main(int argc, char **argv) {
    double start = clock_seconds();
    Options options;
    Buf error = {0};
    int code;
    keep_memory();
    child_prepare();
    if (!options_parse(&options, argc, argv, &error) || !compile_commands_apply(&options, &error)) code = usage_error(&error);
    else if (options_inform(&options)) code = print_information(&options);
    else if (!destinations_apart(&options, &error)) code = usage_error(&error);
    else if (options.run) code = run_command(&options, start);
    else if (options.suite) code = suite_run(&options);
    else if (options.harness) code = harness(&options);
    else code = verify_files(&options, start);
    options_free(&options);
    buf_free(&error);
    return code;
}
