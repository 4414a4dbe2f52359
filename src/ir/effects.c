/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the words of effects. A word is one of a table: its name, whether a number follows, and what may follow the number. */
#include "ir/effects.h"
#include "ir/messages.h"
#include <stdlib.h>
#include <string.h>

typedef enum Number { NUMBER_NONE, NUMBER_OPTIONAL, NUMBER_REQUIRED, NUMBER_OF_MEMORY } Number;

/* Lists the words. If one name begins with another one, it comes first. */
static const struct {
    const char *name;
    Number number;    /* NUMBER_OF_MEMORY: ^, or a number that * may precede, and that * and a number may follow */
    const char *more; /* a text that may follow the number; if it ends with a comma, another number follows it */
} words[] = {
    {"rw", NUMBER_OF_MEMORY, ""},    {"rlock", NUMBER_REQUIRED, ""},    {"r", NUMBER_OF_MEMORY, ""},   {"wait", NUMBER_REQUIRED, ","},
    {"w", NUMBER_OF_MEMORY, ""},     {"=", NUMBER_REQUIRED, ""},        {"fresh", NUMBER_NONE, ""},    {"pure", NUMBER_NONE, ""},
    {"keep", NUMBER_REQUIRED, ""},   {"calls", NUMBER_REQUIRED, "now"}, {"lock", NUMBER_REQUIRED, ""}, {"unlock", NUMBER_REQUIRED, ""},
    {"signal", NUMBER_OPTIONAL, ""}, {"cancel", NUMBER_NONE, ""},
};
enum { WORDS = sizeof words / sizeof *words, NO_PARAMETER = ~0u };

/* Reads a number, and moves *at behind it. Notes the largest number. Returns false if no digit comes next. */
static bool number(const char **at, unsigned *largest) {
    char *end;
    if (**at < '0' || **at > '9') return false;
    unsigned long n = strtoul(*at, &end, 10);
    if (n > 1000) n = 1000;
    if (*largest == NO_PARAMETER || n > *largest) *largest = (unsigned)n;
    *at = end;
    return true;
}

static bool accept(const char **at, const char *text) {
    size_t n = strlen(text);
    if (!n || strncmp(*at, text, n)) return false;
    *at += n;
    return true;
}

static bool memory(const char **at, unsigned *largest) {
    if (accept(at, "^")) return true;
    if (accept(at, "*")) return number(at, largest);
    return number(at, largest) && (!accept(at, "*") || number(at, largest));
}

/* Reads what follows the name of the word. */
static bool rest(const char **at, unsigned word, unsigned *largest) {
    switch (words[word].number) {
    case NUMBER_NONE: return true;
    case NUMBER_OPTIONAL: return number(at, largest) || true;
    case NUMBER_OF_MEMORY: return memory(at, largest);
    case NUMBER_REQUIRED: break;
    }
    if (!number(at, largest)) return false;
    return !accept(at, words[word].more) || strcmp(words[word].more, ",") || number(at, largest);
}

/* Reads one word, up to a blank or the end. */
static bool effect(const char **at, unsigned *largest) {
    for (unsigned w = 0; w < WORDS; w++) {
        const char *end = *at;
        if (!accept(&end, words[w].name) || !rest(&end, w, largest) || (*end && *end != ' ')) continue;
        *at = end;
        return true;
    }
    return false;
}

bool effects_check(const char *text, unsigned parameters, Buf *why) {
    unsigned found = 0, pure = 0;
    for (const char *at = text; *(at += strspn(at, " ")); found++) {
        const char *word = at;
        unsigned largest = NO_PARAMETER;
        if (!effect(&at, &largest)) {
            buf_printf(why, MSG_IR_EFFECT_UNKNOWN, (int)strcspn(word, " "), word);
            return false;
        }
        pure += !strncmp(word, "pure", 4);
        if (largest == NO_PARAMETER || largest < parameters) continue;
        buf_printf(why, MSG_IR_EFFECT_PARAMETER, (int)(at - word), word, largest, (int)parameters - 1);
        return false;
    }
    if (!found || (pure && found > 1)) buf_text(why, MSG_IR_EFFECT_COUNT);
    return !why->length;
}
