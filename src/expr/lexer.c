/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tokens of .hir text, and prints names and strings so that they read back. */
#include "expr/lexer.h"
#include "expr/internal.h"
#include "expr/messages.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_letter(char c) { return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) { return is_letter(c) || is_digit(c); }

/* ---- errors ---- */
enum { SHOWN = 160, SHOWN_BEFORE = 100 }; /* most bytes shown of a long line; how many of them before the caret */

static bool inside_character(const char *at) { return (*at & 0xc0) == 0x80; } /* of UTF-8 */

/* Shows the line of the current token and a caret under it; of a very long line only the part around the token. */
static void show_line(Lexer *l) {
    const char *at = l->text + l->start, *begin = at, *end = at;
    while (begin > l->text && begin[-1] != '\n' && (at - begin < SHOWN_BEFORE || inside_character(begin))) begin--;
    while (*end && *end != '\n' && (end - begin < SHOWN || inside_character(end))) end++;
    bool cut_before = begin > l->text && begin[-1] != '\n', cut_behind = *end && *end != '\n';
    buf_printf(&l->error, "%s%.*s%s\n", cut_before ? "... " : "", (int)(end - begin), begin, cut_behind ? " ..." : "");
    if (cut_before) buf_text(&l->error, "    ");
    for (; begin < at; begin++) buf_char(&l->error, *begin == '\t' ? '\t' : ' ');
    buf_text(&l->error, "^\n");
}

void lexer_error(Lexer *l, const char *format, ...) {
    if (l->failed) return;
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    buf_printf(&l->error, "%s:%u:%u: error: %s\n", l->file, l->line, l->column, message);
    show_line(l);
    l->failed = true;
    l->position += strlen(l->text + l->position);
    l->token = TOKEN_END;
}

LexerPlace lexer_place(const Lexer *l) { return (LexerPlace){.start = l->start, .line = l->line, .column = l->column}; }

void lexer_error_at(Lexer *l, LexerPlace place, const char *format, ...) {
    if (l->failed) return;
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    l->start = place.start;
    l->line = place.line;
    l->column = place.column;
    lexer_error(l, "%s", message);
}

/* ---- tokens ---- */
static void skip_space(Lexer *l) {
    for (;; l->position++) {
        const char *at = l->text + l->position;
        if (at[0] == '/' && at[1] == '/') l->position += strcspn(at, "\n");
        else if (!isspace((unsigned char)*at)) return;
        if (!l->text[l->position]) return;
    }
}

/* Counts lines from the previous token on. */
void lexer_begin(Lexer *l, size_t start) {
    for (size_t i = l->start; i < start; i++) {
        l->column = l->text[i] == '\n' ? 1 : l->column + 1;
        l->line += l->text[i] == '\n';
    }
    l->start = start;
}

/* Returns how many characters at this place continue a name. */
static size_t name_part(const char *at) {
    if (is_word(*at) || (*at && strchr("_.$#@'", *at))) return 1;
    if (*at != ':' && *at != '-') return 0;
    size_t run = strspn(at, *at == ':' ? ":" : "-");
    return is_word(at[run]) ? run : 0;
}

static bool name_starts(const char *at) { return is_letter(*at) || (*at && strchr("$.@", *at) && is_word(at[1])); }

static size_t name_length(const char *at) {
    size_t n = name_starts(at) ? 1 : 0, part;
    while (n && (part = name_part(at + n))) n += part;
    return n;
}

static int hex_digit(char c) { return is_digit(c) ? c - '0' : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10 : -1; }

/* Returns the character of the escape at *at, which moves behind it; -1 if the escape is unknown. */
static int escaped(const char **at) {
    static const char letters[] = "ntrabfv0", meanings[] = "\n\t\r\a\b\f\v";
    char c = *(*at)++;
    const char *known = c ? strchr(letters, c) : NULL;
    if (known) return (unsigned char)meanings[known - letters];
    if (c == 'x' && hex_digit(**at) >= 0 && hex_digit((*at)[1]) >= 0) {
        *at += 2;
        return hex_digit((*at)[-2]) * 16 + hex_digit((*at)[-1]);
    }
    return c && ispunct((unsigned char)c) ? c : -1;
}

/* Reads "…" or |…| and replaces escapes. */
static void read_quoted(Lexer *l, char quote) {
    const char *at = l->text + l->start + 1;
    Buf b = {0};
    while (*at && *at != quote && *at != '\n') {
        int c = (unsigned char)*at++;
        if (c == '\\' && (c = escaped(&at)) < 0) {
            lexer_error(l, MSG_EXPR_ESCAPE_UNKNOWN);
            break;
        }
        buf_char(&b, (char)c);
    }
    if (!l->failed && *at != quote) lexer_error(l, MSG_EXPR_QUOTE_OPEN, quote);
    if (!l->failed) {
        l->position = (size_t)(at + 1 - l->text);
        l->token = quote == '"' ? TOKEN_STRING : TOKEN_NAME;
        l->length = b.length;
        l->name = arena_strndup(l->arena, b.length ? b.text : "", b.length);
    }
    buf_free(&b);
}

/* Reads decimal digits at *at. Returns false if the number does not fit. */
static bool read_digits(const char **at, u128 *value) {
    bool fits = true;
    for (*value = 0; is_digit(**at); ++*at) {
        fits = fits && !__builtin_mul_overflow(*value, (u128)10, value);
        fits = fits && !__builtin_add_overflow(*value, (u128)(unsigned)(**at - '0'), value);
    }
    return fits;
}

static bool number_fits(u128 magnitude, bool negative, unsigned width) {
    unsigned bits = width ? width : 128;
    if (negative) return magnitude <= sign_bit(bits);
    return magnitude <= (width ? mask_of(width) : sign_bit(128) - 1);
}

static void read_number(Lexer *l) {
    const char *at = l->text + l->start;
    bool negative = *at == '-', fits;
    u128 magnitude, width = 0;
    at += negative;
    fits = read_digits(&at, &magnitude);
    if (at[0] == ':' && is_digit(at[1])) {
        at++;
        if (!read_digits(&at, &width) || width < 1 || width > 128) {
            lexer_error(l, MSG_EXPR_WIDTH_WRONG);
            return;
        }
    }
    if (is_letter(*at)) lexer_error(l, MSG_EXPR_NUMBER_LETTER);
    else if (!fits || !number_fits(magnitude, negative, (unsigned)width))
        lexer_error(l, MSG_EXPR_NUMBER_LARGE, width ? "its width" : "128 bits");
    if (l->failed) return;
    l->token = TOKEN_NUMBER;
    l->number = (i128)(negative ? -magnitude : magnitude);
    l->width = (unsigned)width;
    l->position = (size_t)(at - l->text);
}

void lexer_take(Lexer *l, Token token, size_t length) {
    l->token = token;
    l->name = arena_strndup(l->arena, l->text + l->start, length);
    l->length = length;
    l->position = l->start + length;
}

void lexer_next(Lexer *l) {
    skip_space(l);
    lexer_begin(l, l->position);
    const char *at = l->text + l->start;
    size_t n;
    if (!*at) l->token = TOKEN_END;
    else if (*at == '"' || *at == '|') read_quoted(l, *at);
    else if (is_digit(*at) || (*at == '-' && is_digit(at[1]))) read_number(l);
    else if ((n = name_length(at))) lexer_take(l, TOKEN_NAME, n);
    else lexer_take(l, TOKEN_PUNCT, !strncmp(at, ":=", 2) || !strncmp(at, "->", 2) ? 2 : 1);
}

void lexer_open(Lexer *l, Arena *arena, const char *file, const char *text) {
    *l = (Lexer){.file = file, .text = text, .line = 1, .column = 1, .arena = arena};
}

void lexer_init(Lexer *l, Arena *arena, const char *file, const char *text) {
    lexer_open(l, arena, file, text);
    lexer_next(l);
}

void lexer_done(Lexer *l) { buf_free(&l->error); }

bool lexer_is(const Lexer *l, const char *text) {
    bool word = l->token == TOKEN_PUNCT || (l->token == TOKEN_NAME && l->text[l->start] != '|');
    return word && l->name[0] == text[0] && !strcmp(l->name, text);
}

bool lexer_accept(Lexer *l, const char *text) {
    bool is = lexer_is(l, text);
    if (is) lexer_next(l);
    return is;
}

bool lexer_expect(Lexer *l, const char *text) {
    bool is = lexer_accept(l, text);
    if (!is) lexer_error(l, MSG_EXPR_EXPECTED, text);
    return is;
}

/* ---- printing ---- */
static void print_quoted(Buf *b, const char *bytes, size_t length, char quote) {
    buf_char(b, quote);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == (unsigned char)quote || c == '\\') buf_printf(b, "\\%c", c);
        else if (c == '\n') buf_text(b, "\\n");
        else if (c < 0x20 || c == 0x7f) buf_printf(b, "\\x%02x", c);
        else buf_char(b, (char)c);
    }
    buf_char(b, quote);
}

static bool is_reserved(const char *name) {
    static const char *const words[] = {"true", "false", "nsw", "nuw", "exact"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i])) return true;
    return false;
}

void name_print(Buf *b, const char *name) {
    size_t n = strlen(name);
    if (n && name_length(name) == n && !is_reserved(name)) buf_text(b, name);
    else print_quoted(b, name, n, '|');
}

void string_print(Buf *b, const char *bytes, size_t length) { print_quoted(b, bytes, length, '"'); }
