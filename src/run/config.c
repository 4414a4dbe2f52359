/* SPDX-License-Identifier: Apache-2.0 */
#include "run/config.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { TEXT, NUMBER, SECONDS, FLAG } Kind;

static const struct {
    const char *name;
    Kind kind;
    size_t offset, size;
} words[] = {
#define TEXT(f) {#f, TEXT, offsetof(Config, f), sizeof((Config *)0)->f}
#define WORD(f, kind) {#f, kind, offsetof(Config, f), 0}
    TEXT(results),        TEXT(replay),         TEXT(strategy),         TEXT(property),
    WORD(seed, NUMBER),   WORD(runs, NUMBER),   WORD(jobs, NUMBER),     WORD(shard, NUMBER),
    WORD(shards, NUMBER), WORD(events, NUMBER), WORD(timeout, SECONDS), WORD(run_timeout, SECONDS),
    WORD(all, FLAG),      WORD(spurious, FLAG), WORD(output, FLAG),
#undef TEXT
#undef WORD
};

static void decode(char *to, size_t size, const char *from, size_t n) {
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        char c = from[i];
        if (c == '%' && i + 2 < n) {
            char digits[] = {from[i + 1], from[i + 2], 0};
            c = (char)strtol(digits, NULL, 16);
            i += 2;
        }
        if (length + 1 >= size) base_die("%s: the value is too long: %.*s", CONFIG_VARIABLE, (int)n, from);
        to[length++] = c;
    }
    to[length] = 0;
}

static void set(Config *c, unsigned word, const char *value, size_t n) {
    char *at = (char *)c + words[word].offset, text[64];
    if (words[word].kind == TEXT) {
        decode(at, words[word].size, value, n);
        return;
    }
    decode(text, sizeof text, value, n);
    switch (words[word].kind) {
    case TEXT: break;
    case NUMBER: *(uint64_t *)(void *)at = strtoull(text, NULL, 10); break;
    case SECONDS: *(double *)(void *)at = strtod(text, NULL); break;
    case FLAG: *(bool *)at = text[0] == '1'; break;
    }
}

void config_read(Config *c, const char *text) {
    enum { RUNS = 1000, SECONDS_OF_RUN = 20 };
    *c = (Config){.strategy = "mix",
                  .seed = 1,
                  .runs = RUNS,
                  .jobs = 1,
                  .shards = 1,
                  .timeout = 300,
                  .run_timeout = SECONDS_OF_RUN,
                  .spurious = true};
    c->events = UINT64_C(20000000);
    while (*text) {
        size_t n = strcspn(text, " "), name = strcspn(text, "= ");
        unsigned word = 0;
        while (word < sizeof words / sizeof *words && (strlen(words[word].name) != name || strncmp(words[word].name, text, name))) word++;
        if (n && (word == sizeof words / sizeof *words || name == n))
            base_die("%s has a word that is unknown: %.*s", CONFIG_VARIABLE, (int)n, text);
        if (n) set(c, word, text + name + 1, n - name - 1);
        text += n + (text[n] == ' ');
    }
}
