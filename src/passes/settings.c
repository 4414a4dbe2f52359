/* SPDX-License-Identifier: Apache-2.0 */
/* Prints and parses PassSettings as the words of passes/settings.def. */
#include "expr/lexer.h"
#include "passes/messages.h"
#include "passes/passes.h"

static const char *const arithmetic_words[] = {"auto", "bitvectors", "integers", "congruent", "weak"};

void settings_print(Buf *out, const PassSettings *s) {
    buf_text(out, arithmetic_words[s->arithmetic]);
#define FLAG(field, word) \
    if (s->field) buf_text(out, " " word);
#define NUMBER(field, word) \
    if (s->field) buf_printf(out, " " word " %u", s->field);
#include "passes/settings.def"
#undef FLAG
#undef NUMBER
}

static bool parse_number(Lexer *l, unsigned *n) {
    enum { MOST = 1000000 };
    if (l->token != TOKEN_NUMBER || l->width || l->number <= 0 || l->number > MOST) lexer_error(l, MSG_PASSES_NO_NUMBER, MOST);
    else *n = (unsigned)l->number;
    lexer_next(l);
    return true;
}

static bool parse_setting(Lexer *l, PassSettings *s) {
#define FLAG(field, word) \
    if (lexer_accept(l, word)) return s->field = true;
#define NUMBER(field, word) \
    if (lexer_accept(l, word)) return parse_number(l, &s->field);
#include "passes/settings.def"
#undef FLAG
#undef NUMBER
    return false;
}

bool settings_parse(Lexer *l, PassSettings *s) {
    for (Arithmetic a = BITVECTORS; a <= WEAK && !s->arithmetic; a++)
        if (lexer_accept(l, arithmetic_words[a])) s->arithmetic = a;
    if (!s->arithmetic) lexer_error(l, MSG_PASSES_NO_ARITHMETIC);
    while (parse_setting(l, s)) continue;
    return !l->failed;
}
