/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions while it parses them. A value that depends on an unknown value is unknown. */
#include "witness/value.h"
#include "base/buf.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Number {
    i128 value;
    bool known;
} Number;

typedef struct Reader {
    const char *at;
    PlaceValue *place;
    void *context;
    bool ill;
    unsigned depth;
} Reader;

static Number expression(Reader *, unsigned level);

static void skip_blanks(Reader *r) {
    while (isspace((unsigned char)*r->at)) r->at++;
}

static bool accept(Reader *r, const char *word) {
    skip_blanks(r);
    size_t n = strlen(word);
    if (strncmp(r->at, word, n)) return false;
    r->at += n;
    return true;
}

static Number ill(Reader *r) {
    r->ill = true;
    return (Number){0};
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Skips a cast such as (int) or (unsigned long). Casts are ignored, since values are assumed to fit. */
static bool accept_cast(Reader *r) {
    static const char *const types[] = {"int", "unsigned", "signed", "long", "short", "char", "_Bool", "size_t"};
    const char *start = r->at;
    bool any = false;
    if (!accept(r, "(")) return false;
    for (bool more = true; more;) {
        more = false;
        skip_blanks(r);
        for (size_t i = 0; i < sizeof types / sizeof *types && !more; i++) {
            size_t n = strlen(types[i]);
            if (strncmp(r->at, types[i], n) || is_word(r->at[n])) continue;
            r->at += n;
            any = more = true;
        }
    }
    if (any && accept(r, ")")) return true;
    r->at = start;
    return false;
}

static Number constant(Reader *r) {
    char *end;
    Number n = {.known = true};
    n.value = (i128)strtoull(r->at, &end, 0);
    r->at = end;
    while (*r->at && strchr("uUlL", *r->at)) r->at++;
    if (is_word(*r->at) || *r->at == '.') return ill(r);
    return n;
}

static Number character(Reader *r) {
    Number n = {.known = true};
    r->at++;
    if (*r->at == '\\' || !*r->at || r->at[1] != '\'') return ill(r);
    n.value = *r->at;
    r->at += 2;
    return n;
}

static void put_number(Buf *out, i128 v) { buf_printf(out, "[%lld]", (long long)v); }

static Number place(Reader *r) {
    Buf name = {0};
    Number n = {0};
    if (*r->at == '\\') buf_char(&name, *r->at++);
    while (is_word(*r->at)) buf_char(&name, *r->at++);
    for (bool more = true; more && !r->ill;) {
        skip_blanks(r);
        more = false;
        if (*r->at == '[') {
            r->at++;
            Number index = expression(r, 0);
            if (!accept(r, "]") || !index.known) r->ill |= !index.known || r->at[-1] != ']';
            put_number(&name, index.value);
            more = true;
        } else if (*r->at == '.' || !strncmp(r->at, "->", 2)) {
            r->at += *r->at == '.' ? 1 : 2;
            buf_char(&name, '.');
            skip_blanks(r);
            while (is_word(*r->at)) buf_char(&name, *r->at++);
            more = true;
        }
    }
    skip_blanks(r);
    if (*r->at == '(') r->ill = true; /* a call */
    n.known = !r->ill && r->place(r->context, buf_string(&name), &n.value);
    buf_free(&name);
    return n;
}

static Number primary(Reader *r) {
    Number n;
    skip_blanks(r);
    if (r->ill || r->depth++ > 2000) return ill(r); /* no real formula is this deep */
    if (accept_cast(r)) return primary(r);
    if (accept(r, "(")) {
        n = expression(r, 0);
        return accept(r, ")") ? n : ill(r);
    }
    if (*r->at == '!' && r->at[1] != '=') {
        r->at++;
        n = primary(r);
        n.value = !n.value;
        return n;
    }
    if (*r->at == '*' || *r->at == '&') { /* memory is not read */
        r->at++;
        primary(r);
        return (Number){0};
    }
    if (*r->at == '-' || *r->at == '+' || *r->at == '~') {
        char op = *r->at++;
        if (*r->at == op && op != '~') return ill(r); /* -- and ++ change a variable */
        n = primary(r);
        n.value = op == '-' ? -n.value : op == '~' ? ~n.value : n.value;
        return n;
    }
    if (isdigit((unsigned char)*r->at)) return constant(r);
    if (*r->at == '\'') return character(r);
    if (isalpha((unsigned char)*r->at) || *r->at == '_' || *r->at == '\\') return place(r);
    return ill(r);
}

typedef struct Operator {
    const char *word;
    unsigned level;
} Operator;

/* longer operators come first */
static const Operator operators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
                                     {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static const Operator *operator_at(Reader *r, unsigned above) {
    skip_blanks(r);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (!strncmp(r->at, operators[i].word, strlen(operators[i].word))) return operators[i].level > above ? &operators[i] : NULL;
    return NULL;
}

static Number apply(const char *op, Number a, Number b) {
    Number n = {.known = a.known && b.known};
    bool either = op[1] == op[0];
    if (*op == '|' && either)
        return (Number){(a.known && a.value) || (b.known && b.value), n.known || (a.known && a.value) || (b.known && b.value)};
    if (*op == '&' && either) return (Number){a.value && b.value, n.known || (a.known && !a.value) || (b.known && !b.value)};
    if (!n.known) return n;
    if ((*op == '/' || *op == '%') && !b.value) return (Number){0};
    if (either && (*op == '<' || *op == '>') && (b.value < 0 || b.value > 63)) return (Number){0};
    switch (*op) {
    case '=': n.value = a.value == b.value; break;
    case '!': n.value = a.value != b.value; break;
    case '<': n.value = either ? (i128)((u128)a.value << b.value) : op[1] ? a.value <= b.value : a.value < b.value; break;
    case '>': n.value = either ? a.value >> b.value : op[1] ? a.value >= b.value : a.value > b.value; break;
    case '+': n.value = (i128)((u128)a.value + (u128)b.value); break;
    case '-': n.value = (i128)((u128)a.value - (u128)b.value); break;
    case '*': n.value = (i128)((u128)a.value * (u128)b.value); break;
    case '/': n.value = a.value / b.value; break;
    case '%': n.value = a.value % b.value; break;
    case '|': n.value = a.value | b.value; break;
    case '&': n.value = a.value & b.value; break;
    default: n.value = a.value ^ b.value; break;
    }
    return n;
}

/* Parses operators that bind more tightly than `level`. */
static Number expression(Reader *r, unsigned level) {
    Number left = primary(r);
    for (const Operator *op; !r->ill && (op = operator_at(r, level));) {
        r->at += strlen(op->word);
        left = apply(op->word, left, expression(r, op->level));
    }
    if (level || r->ill || !accept(r, "?")) return left;
    Number yes = expression(r, 0);
    if (!accept(r, ":")) return ill(r);
    Number no = expression(r, 0);
    return left.known ? (left.value ? yes : no) : left;
}

Truth value_holds(const char *text, PlaceValue *place_value, void *context, bool *is_ill) {
    Reader r = {.at = text, .place = place_value, .context = context};
    Number n = expression(&r, 0);
    skip_blanks(&r);
    r.ill |= *r.at != 0;
    if (is_ill) *is_ill = r.ill;
    if (r.ill || !n.known) return TRUTH_UNKNOWN;
    return n.value ? TRUTH_YES : TRUTH_NO;
}

static bool no_place(void *context, const char *name, i128 *value) {
    (void)context, (void)name, (void)value;
    return false;
}

bool value_of_result(const char *text, i128 *value) {
    static const char word[] = "\\result";
    while (isspace((unsigned char)*text)) text++;
    if (strncmp(text, word, strlen(word))) return false;
    text += strlen(word);
    while (isspace((unsigned char)*text)) text++;
    if (text[0] != '=' || text[1] != '=') return false;
    Reader r = {.at = text + 2, .place = no_place};
    skip_blanks(&r);
    if (!isdigit((unsigned char)*r.at) && *r.at != '-' && *r.at != '(') return false;
    Number n = primary(&r);
    skip_blanks(&r);
    *value = n.value;
    return !r.ill && n.known && !*r.at;
}
