/* SPDX-License-Identifier: Apache-2.0 */
#include "base/die.h"
#include "base/messages.h"
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Prints the line and ends the process. what: a prefix of the line. */
static _Noreturn void end(int code, const char *what, const char *format, va_list ap) {
    fprintf(stderr, "heddle: %s", what);
    vfprintf(stderr, format, ap);
    fprintf(stderr, "\n");
    _Exit(code);
}

_Noreturn void die(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    end(EXIT_INTERNAL, "internal error: ", format, ap);
}

_Noreturn void incomplete(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    end(EXIT_INTERNAL, "", format, ap);
}

_Noreturn void out_of_resources(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    end(EXIT_UNKNOWN, "", format, ap);
}

void print_error(const char *format, ...) {
    va_list ap;
    fputs("heddle: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void *zeroed(size_t n, size_t element) {
    void *memory = calloc(n, element);
    if (!memory) out_of_resources(MSG_BASE_NO_MEMORY);
    return memory;
}

/* True if a small stack was imposed from outside: a stack of the usual size overflows only through our fault. */
static bool small_stack(void) {
    struct rlimit r;
    return !getrlimit(RLIMIT_STACK, &r) && r.rlim_max < 8u << 20;
}

const char *signal_from_outside(int signal) {
    if (signal == SIGKILL) return "killed from outside, or for lack of memory";
    if (signal == SIGXCPU) return "the limit on processor time was reached";
    if ((signal == SIGSEGV || signal == SIGBUS) && small_stack()) return "the limit on the size of the stack was reached";
    return NULL;
}
