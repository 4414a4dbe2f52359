/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/text.h"
#include "expr/messages.h"
#include "ir/messages.h"
#include <stdlib.h>
#include <string.h>

const char *const approximation_words[] = {"over", "under", "unsupported", "assumed"};
const char *const memory_words[] = {"sc", "tso", "pso", "c11"};
const char *const object_words[5] = {"global", "thread", "local", "heap", "function"};
const char *const location_words[LOCATION_KINDS] = {"", "end", "halt", "error", "stop", "return"};
static const char *const property_words[PROPERTY_BITS] = {"assertions", "races", "deadlocks", "memory", "overflows", "ends"};
const char *const order_words[5] = {"seq_cst", "relaxed", "acquire", "release", "acq_rel"};

/* Lists the words that may stand where a name may. A name that is spelt like one of them is printed |quoted|. */
static const char *const reserved[] = {"acq_rel", "acquire", "alive",   "alloc",     "any",    "assume",    "atomic",  "await",   "call",
                                       "copy",    "create",  "dead",    "fence",     "fill",   "free",      "goto",    "invalid", "join",
                                       "load",    "local",   "lock",    "lost",      "object", "procedure", "relaxed", "release", "return",
                                       "sizeof",  "store",   "trylock", "undefined", "unlock", "written"};
enum { NRESERVED = sizeof reserved / sizeof *reserved };

unsigned text_word(const char *const *words, unsigned n, const char *name) {
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(words[i], name)) return i;
    return n;
}

static bool text_is_reserved(const char *name) { return text_word(reserved, NRESERVED, name) < NRESERVED; }

/* ---- reading ---- */

static const char *take(Lexer *l, Exprs *x) {
    const char *text = exprs_intern(x, l->name);
    lexer_next(l);
    return text;
}

const char *text_name(Lexer *l, Exprs *x, const char *what) {
    if (l->token != TOKEN_NAME) {
        lexer_error(l, MSG_EXPR_EXPECTED, what);
        return NULL;
    }
    if (strlen(l->name) != l->length) lexer_error(l, MSG_IR_ZERO_CHARACTER, what);
    return take(l, x);
}

const char *text_string(Lexer *l, Exprs *x, const char *what) {
    if (l->token != TOKEN_STRING) {
        lexer_error(l, MSG_IR_STRING_EXPECTED, what);
        return NULL;
    }
    if (strlen(l->name) != l->length) lexer_error(l, MSG_IR_ZERO_CHARACTER, what);
    return take(l, x);
}

PropertySet text_properties(Lexer *l) {
    PropertySet set = 0;
    for (unsigned bit; l->token == TOKEN_NAME && (bit = text_word(property_words, PROPERTY_BITS, l->name)) < PROPERTY_BITS; lexer_next(l))
        set |= 1u << bit;
    if (!set) lexer_error(l, MSG_IR_PROPERTY_EXPECTED);
    return set;
}

/* Parses a number. Returns false if there are no digits, or too many. */
static bool digits(const char *at, unsigned *number) {
    char *end;
    unsigned long n = strtoul(at, &end, 10);
    *number = (unsigned)n;
    return at[0] >= '0' && at[0] <= '9' && !*end && n <= ~0u;
}

static Position split_position(Lexer *l, Exprs *x, LexerPlace place, const char *text) {
    Position at = {0};
    char *copy = arena_strdup(l->arena, text), *column = strrchr(copy, ':'), *line = NULL;
    if (column) *column++ = 0, line = strrchr(copy, ':');
    if (line) *line++ = 0;
    if (!line || !digits(line, &at.line) || !digits(column, &at.column)) lexer_error_at(l, place, MSG_IR_POSITION_FORM);
    at.file = exprs_intern(x, copy);
    return at;
}

bool text_position(Lexer *l, Exprs *x, Position *position) {
    if (lexer_accept(l, "@nowhere")) {
        *position = (Position){0};
        return true;
    }
    if (!lexer_accept(l, "@")) return false;
    LexerPlace place = lexer_place(l);
    const char *text = text_string(l, x, "a position");
    if (text) *position = split_position(l, x, place, text);
    return true;
}

/* ---- printing ---- */

void text_print_string(Buf *out, const char *text) { string_print(out, text, strlen(text)); }

void text_print_name(Buf *out, const char *name) {
    if (text_is_reserved(name)) buf_printf(out, "|%s|", name);
    else name_print(out, name);
}

void text_print_properties(Buf *out, uint64_t set) {
    for (unsigned bit = 0; bit < PROPERTY_BITS; bit++)
        if (set >> bit & 1) buf_printf(out, " %s", property_words[bit]);
}

static bool same_position(Position a, Position b) {
    if (!a.file || !b.file) return a.file == b.file;
    return !strcmp(a.file, b.file) && a.line == b.line && a.column == b.column;
}

static void print_position(Buf *out, Position at) {
    Buf text = {0};
    buf_printf(&text, "%s:%u:%u", at.file, at.line, at.column);
    buf_char(out, '@');
    text_print_string(out, buf_string(&text));
    buf_free(&text);
}

void text_print_position(Buf *out, Position at, Position inherited, const char *before, const char *after) {
    if (same_position(at, inherited)) return;
    buf_text(out, before);
    if (at.file) print_position(out, at);
    else buf_text(out, "@nowhere");
    buf_text(out, after);
}
