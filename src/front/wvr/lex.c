/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tokens of .wvr: parentheses, symbols and numerals. A comment starts with `;`. */
#include "expr/messages.h"
#include "front/messages.h"
#include "front/wvr/wvr.h"
#include <ctype.h>
#include <string.h>

static bool in_symbol(char c) { return isalnum((unsigned char)c) || (c && strchr("+-/*=%?!.$_~&^<>@", c)); }

static void skip_space(Lexer *l) {
    const char *at = l->text + l->position;
    for (;;) {
        at += strspn(at, " \t\r\n\v\f");
        if (*at != ';') break;
        at += strcspn(at, "\n");
    }
    l->position = (size_t)(at - l->text);
}

static unsigned digit_of(char c) { return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10; }

/* Reads a natural number: 12, #x1f, #b101. */
static void read_numeral(Lexer *l) {
    const char *start = l->text + l->start, *at = start;
    unsigned base = *at != '#' ? 10 : at[1] == 'x' ? 16 : 2;
    const char *digits = base == 10 ? "0123456789" : base == 16 ? "0123456789abcdefABCDEF" : "01";
    bool fits = true;
    i128 value = 0;
    if (base != 10) at += 2;
    const char *first = at;
    for (; *at && strchr(digits, *at); at++)
        fits = fits && !__builtin_mul_overflow(value, (i128)base, &value) && !__builtin_add_overflow(value, (i128)digit_of(*at), &value);
    lexer_take(l, TOKEN_NUMBER, (size_t)(at - start));
    l->number = value;
    if (at == first) lexer_error(l, MSG_FRONT_WVR_NO_DIGITS);
    else if (*at == '.') lexer_error(l, MSG_FRONT_WVR_FRACTION);
    else if (in_symbol(*at)) lexer_error(l, MSG_FRONT_WVR_NUMBER_SYMBOL);
    else if (!fits) lexer_error(l, MSG_FRONT_WVR_NUMBER_LARGE);
}

static void read_quoted(Lexer *l) {
    const char *at = l->text + l->start + 1;
    size_t n = strcspn(at, "|\n");
    if (at[n] != '|') {
        lexer_error(l, MSG_FRONT_WVR_BAR_OPEN);
        return;
    }
    lexer_take(l, TOKEN_NAME, n + 2);
    l->name = arena_strndup(l->arena, at, n);
    l->length = n;
}

void wvr_next(Wvr *r) {
    Lexer *l = &r->lexer;
    if (l->failed) return;
    skip_space(l);
    lexer_begin(l, l->position);
    const char *at = l->text + l->start;
    size_t n = 0;
    if (!*at) {
        l->token = TOKEN_END;
    } else if (isdigit((unsigned char)*at) || (*at == '#' && (at[1] == 'x' || at[1] == 'b'))) {
        read_numeral(l);
    } else if (*at == '|') {
        read_quoted(l);
    } else if (*at == '(' || *at == ')') {
        lexer_take(l, TOKEN_PUNCT, 1);
    } else {
        while (in_symbol(at[n])) n++;
        if (n) lexer_take(l, TOKEN_NAME, n);
        else lexer_error(l, MSG_FRONT_WVR_CHARACTER);
    }
}

bool wvr_is(const Wvr *r, const char *text) {
    Token token = *text == '(' || *text == ')' ? TOKEN_PUNCT : TOKEN_NAME;
    return r->lexer.token == token && !strcmp(r->lexer.name, text);
}

bool wvr_expect(Wvr *r, const char *text) {
    if (!wvr_is(r, text)) lexer_error(&r->lexer, MSG_EXPR_EXPECTED, text);
    wvr_next(r);
    return !r->lexer.failed;
}

bool wvr_close(Wvr *r, LexerPlace opened) {
    if (r->lexer.token == TOKEN_END) lexer_error_at(&r->lexer, opened, MSG_FRONT_WVR_OPEN);
    return wvr_expect(r, ")");
}

const char *wvr_symbol(Wvr *r, const char *what) {
    if (r->lexer.token != TOKEN_NAME) lexer_error(&r->lexer, MSG_EXPR_EXPECTED, what);
    if (r->lexer.failed) return NULL;
    const char *name = exprs_intern(r->program->exprs, r->lexer.name);
    wvr_next(r);
    return name;
}

Position wvr_position(const Wvr *r, LexerPlace place) {
    return (Position){.file = exprs_intern(r->program->exprs, r->lexer.file), .line = place.line, .column = place.column};
}

bool wvr_enter(Wvr *r) {
    if (r->depth++ == WVR_DEPTH) lexer_error(&r->lexer, MSG_FRONT_WVR_DEEP, WVR_DEPTH);
    return !r->lexer.failed;
}

void wvr_leave(Wvr *r) { r->depth--; }
