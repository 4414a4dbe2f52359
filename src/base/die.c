/* SPDX-License-Identifier: Apache-2.0 */
#include "base/die.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void die(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    fprintf(stderr, "heddle: internal error: ");
    vfprintf(stderr, format, ap);
    fprintf(stderr, "\n");
    va_end(ap);
    _Exit(EXIT_INTERNAL);
}
