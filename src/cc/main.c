/* SPDX-License-Identifier: Apache-2.0 */
/* heddle-cc and heddle-c++: compiler drivers that take the place of cc and c++. Clang does the
   work, with its ThreadSanitizer pass. The linker gets the runtime of `heddle run` in place of ThreadSanitizer's. A shared object is not linked with the runtime, which is in the program. */
#include "base/buf.h"
#include "base/file.h"
#include "base/installation.h"
#include "base/vec.h"
#include "base/version.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_NESTED = 16 };

/* The arguments as far as they decide what the compiler does. */
typedef struct Arguments {
    bool links;  /* the last step is to link a program */
    bool inputs; /* there is something to compile or link */
    const char *refused;
} Arguments;

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

/* Options that end before linking, or link something other than a program. */
static bool is_without_link(const char *arg) {
    static const char *const options[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-shared", "-r", "--version", "-###", "--help"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (is(arg, options[i])) return true;
    return !strncmp(arg, "-print-", 7) || !strncmp(arg, "--print-", 8) || !strncmp(arg, "-dump", 5);
}

/* Options whose value is the next argument. */
static bool takes_next(const char *arg) {
    static const char *const options[] = {"-o",
                                          "-x",
                                          "-I",
                                          "-D",
                                          "-U",
                                          "-L",
                                          "-MF",
                                          "-MT",
                                          "-MQ",
                                          "-include",
                                          "-isystem",
                                          "-idirafter",
                                          "-iquote",
                                          "-imacros",
                                          "-Xlinker",
                                          "-Xclang",
                                          "-Xpreprocessor",
                                          "-Xassembler",
                                          "-mllvm",
                                          "-T",
                                          "-u",
                                          "-z"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (is(arg, options[i])) return true;
    return false;
}

/* Reads the next word of a response file: blanks end it, quotes and backslashes protect them. Returns false at the end. */
static bool next_word(const char **at, Buf *word) {
    while (isspace((unsigned char)**at)) ++*at;
    if (!**at) return false;
    for (char quote = 0; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        char c = **at;
        if (c == '\\' && (*at)[1]) buf_char(word, *++*at);
        else if (quote ? c == quote : c == '\'' || c == '"') quote = quote ? 0 : c;
        else buf_char(word, c);
    }
    return true;
}

static void inspect(Arguments *a, const char *const *list, size_t n, unsigned nested);

/* A response file that cannot be read is an argument like any other, as for the compiler. */
static void inspect_file(Arguments *a, const char *path, unsigned nested) {
    Buf text = {0}, error = {0};
    char **words = NULL;
    if (nested < MOST_NESTED && file_read(path, FILE_TEXT, &text, &error)) {
        Buf word = {0};
        for (const char *at = buf_string(&text); next_word(&at, &word); word = (Buf){0}) vec_push(words, strdup(buf_string(&word)));
        inspect(a, (const char *const *)words, vec_len(words), nested + 1);
    }
    buf_free(&text);
    buf_free(&error);
}

static void inspect(Arguments *a, const char *const *list, size_t n, unsigned nested) {
    for (size_t i = 0; i < n; i++) {
        const char *arg = list[i];
        if (*arg == '@') inspect_file(a, arg + 1, nested);
        else if (is_without_link(arg)) a->links = false;
        else if (is(arg, "-static") || is(arg, "-m32")) a->refused = arg;
        else if (takes_next(arg)) i++;
        else if (*arg != '-' || !strncmp(arg, "-l", 2)) a->inputs = true;
    }
}

/* Holds the options that run the pass. Clang would leave out the read of x in x++, since it adds no race, and allocations that seem to have no
   use. */
static const char *const compiling[] = {"-fsanitize=thread",
                                        "-fno-sanitize-link-runtime",
                                        "-mllvm",
                                        "-tsan-instrument-read-before-write=1",
                                        "-g",
                                        "-O1",
                                        "-fno-builtin-malloc",
                                        "-fno-builtin-calloc",
                                        "-fno-builtin-realloc",
                                        "-fno-builtin-free"};

int main(int argc, char **argv) {
    static const char library[] = "libheddle-run.a";
    char folder[PATH_MAX], path[PATH_MAX + 32];
    size_t length = strlen(argv[0]);
    const char *compiler = getenv("HEDDLE_CLANG"), **command = NULL;
    Arguments a = {.links = true};
    inspect(&a, (const char *const *)argv + 1, (size_t)argc - 1, 0);
    if (a.refused && a.inputs) {
        fprintf(stderr, "heddle-cc: %s is not supported: leave it out\n", a.refused);
        return EXIT_INPUT;
    }
    if (!compiler) compiler = length > 2 && is(argv[0] + length - 2, "++") ? "clang++-19" : "clang-19";
    if (!installation_folder(library, "/../lib/heddle", folder)) {
        fprintf(stderr, "heddle-cc: %s is not installed\n", library);
        return EXIT_INTERNAL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, library);
    vec_push(command, compiler);
    vec_push(command, "--start-no-unused-arguments");
    for (size_t i = 0; i < sizeof compiling / sizeof *compiling; i++) vec_push(command, compiling[i]);
    vec_push(command, "--end-no-unused-arguments");
    for (int i = 1; i < argc; i++) vec_push(command, argv[i]);
    const char *const linking[] = {"-Wl,--whole-archive", path, "-Wl,--no-whole-archive", "-lpthread", "-ldl", "-rdynamic"};
    for (size_t i = 0; a.links && a.inputs && i < sizeof linking / sizeof *linking; i++) vec_push(command, linking[i]);
    vec_push(command, NULL);
    execvp(command[0], (char *const *)(void *)command);
    fprintf(stderr, "heddle-cc: %s cannot be run: %s; install clang 19\n", command[0], strerror(errno));
    return EXIT_INPUT;
}
