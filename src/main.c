/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/die.h"
#include "base/version.h"
#include "process/child.h"
#include "app/compile_commands.h"
#include "output/deliver.h"
#include "output/destinations.h"
#include "app/dump.h"
#include "strategy/engines.h"
#include "app/harness.h"
#include "app/options.h"
#include "pipeline.h"
#include "app/suite.h"
#include <malloc.h>
#include <string.h>

static int usage_error(const Buf *error) {
    fprintf(stderr, "heddle: %s\nheddle --help lists the options.\n", buf_string(error));
    return EXIT_INPUT;
}

static void help(Buf *text) {
    options_help(text);
    engines_list(text);
    buf_text(text, "\nExit codes: 0 SAFE, 1 UNSAFE, 2 UNKNOWN, 3 bad input or usage, 4 internal error or failed output.\n");
}

/* A program for people to fill in. */
static int harness(const Options *o) {
    Buf text = {0}, error = {0};
    int code = EXIT_INPUT;
    if (harness_write(o, &text, &error)) code = deliver_text(&text) ? 0 : EXIT_INTERNAL;
    else fprintf(stderr, strchr(buf_string(&error), '\n') ? "%s" : "heddle: %s\n", buf_string(&error)); /* clang says where */
    buf_free(&text);
    buf_free(&error);
    return code;
}

static int say(const Options *o) {
    Buf text = {0};
    if (o->help) help(&text);
    else if (dump_is_list(o->dump_after)) dump_list(&text);
    else buf_text(&text, "heddle " HEDDLE_VERSION "\n");
    int code = deliver_text(&text) ? 0 : EXIT_INTERNAL;
    buf_free(&text);
    return code;
}

/* Contexts of the solver come and go, many megabytes each: memory that is freed is kept, since getting it from the kernel anew costs more
   than making the context. */
static void keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 20);
}

int main(int argc, char **argv) {
    double start = clock_seconds();
    Options options;
    Buf error = {0};
    int code;
    keep_memory();
    child_prepare();
    if (!options_parse(&options, argc, argv, &error) || !compile_commands_apply(&options, &error)) code = usage_error(&error);
    else if (options.help || options.version || dump_is_list(options.dump_after)) code = say(&options);
    else if (!destinations_apart(&options, &error)) code = usage_error(&error);
    else if (options.suite) code = suite_run(&options);
    else if (options.harness) code = harness(&options);
    else code = pipeline_run(&options, start);
    options_free(&options);
    buf_free(&error);
    return code;
}
