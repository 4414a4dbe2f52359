/* SPDX-License-Identifier: Apache-2.0 */
/* Reads effects in the form of effects.tsv. The lengths of strings are found byte by byte: the C library's functions are wrapped themselves. */
#include "run/effects.h"
#include "run/access.h"
#include "run/scheduler.h"

extern const char __executable_start, etext;

bool effects_are_observed(Address pc) {
    bool in_program = pc - (Address)&__executable_start < (Address)&etext - (Address)&__executable_start;
    return in_program && scheduler_on && self && !self->inside;
}

/* Returns the size of the string with its NUL, or `most` if it has none within as many bytes. */
static size_t string_size(Word string, size_t most) {
    const char *text = (const char *)string;
    for (size_t n = 0; n < most; n++)
        if (!text[n]) return n + 1;
    return most;
}

/* Returns the size of the beginning that two strings have in common, and the byte after it. */
static size_t common_size(Word a, Word b) {
    const char *x = (const char *)a, *y = (const char *)b;
    size_t n = 0;
    while (x[n] && x[n] == y[n]) n++;
    return n + 1;
}

static unsigned digit(char c) { return (unsigned)(c - '0'); }

static size_t number(const char *text) {
    size_t n = 0;
    for (; *text >= '0' && *text <= '9'; text++) n = n * 10 + digit(*text);
    return n;
}

/* Returns the product of the factors: *1*2, *1*=. */
static size_t product(const char *how, const Word *arguments, Word result) {
    size_t n = 1;
    for (; *how == '*'; how += 2) n *= how[1] == '=' ? ((intptr_t)result > 0 ? result : 0) : arguments[digit(how[1])];
    return n;
}

static size_t size_of(const char *how, Word at, const Word *arguments, Word result) {
    switch (*how) {
    case 's': return string_size(how[1] ? arguments[digit(how[1])] : at, SIZE_MAX);
    case 'n': return string_size(at, arguments[digit(how[1])]);
    case 'c': return common_size(at, arguments[digit(how[1])]);
    case '*': return product(how, arguments, result);
    case ':': return number(how + 1);
    default: return 0;
    }
}

void effects_observe(const char *effect, const Word *arguments, Word result, Address pc) {
    Word at = arguments[digit(effect[1])];
    if (!at) return;
    size_t size = size_of(effect + 2, at, arguments, result);
    if (*effect == 'a') at += string_size(at, SIZE_MAX) - 1;
    access_observe(at, size, *effect != 'r', pc);
}
