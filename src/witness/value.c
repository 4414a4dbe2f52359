/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions while it parses them, by the rules of C for integer types. A value that depends on an unknown value is unknown,
   as is what C leaves undefined. Floating-point numbers, pointers, types with other names, and calls are parsed, but not known. */
#include "witness/value.h"
#include "base/buf.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { INT = 32 };

typedef struct Reader {
    const char *at;
    PlaceValue *place;
    void *context;
    unsigned long_width, odd, depth;
} Reader;

static Number expression(Reader *, unsigned level);
static Number primary(Reader *);

static const Number unknown = {.width = INT, .is_signed = true};

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
    r->odd |= ODD_ILL;
    return unknown;
}

static bool is_ill(const Reader *r) { return r->odd & ODD_ILL; }

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- types ---- */

i128 value_of_bits(u128 bits, unsigned width, bool is_signed) {
    if (width < 128) bits &= ((u128)1 << width) - 1;
    if (is_signed && width < 128 && bits >> (width - 1) & 1) bits |= ~(u128)0 << width;
    return (i128)bits;
}

static Number converted(Number n, unsigned width, bool is_signed) {
    return (Number){value_of_bits((u128)n.value, width, is_signed), width, is_signed, n.known};
}

static Number promoted(Number n) { return n.width < INT ? converted(n, INT, true) : n; }

static Number truth(bool value, bool known) { return (Number){value, INT, true, known}; }

/* Returns the number, which is unknown if its signed type cannot represent it. */
static Number result(i128 value, Number type) {
    Number n = converted((Number){.value = value, .known = true}, type.width, type.is_signed);
    n.known = n.value == value || !type.is_signed;
    return n;
}

typedef struct Type {
    bool is_type, other; /* other: not an integer type that is known here */
    unsigned width;
    bool is_signed, is_bool;
} Type;

static unsigned word_length(const char *s) {
    unsigned n = 0;
    while (is_word(s[n])) n++;
    return n;
}

/* Adds a word to the type. Returns false if it does not belong to a type's name. */
static bool add_type_word(Type *t, const char *word, unsigned n, unsigned long_width, unsigned *longs) {
    static const struct {
        const char *name;
        unsigned width; /* 0: it changes only the sign */
        int sign;       /* 1: signed, -1: unsigned, 0: as before */
    } names[] = {{"unsigned", 0, -1},  {"signed", 0, 1},   {"int", 0, 0},        {"char", 8, 0},       {"short", 16, 0},
                 {"int8_t", 8, 1},     {"uint8_t", 8, -1}, {"int16_t", 16, 1},   {"uint16_t", 16, -1}, {"int32_t", 32, 1},
                 {"uint32_t", 32, -1}, {"int64_t", 64, 1}, {"uint64_t", 64, -1}, {"_Bool", 8, -1},     {"bool", 8, -1},
                 {"const", 0, 0},      {"volatile", 0, 0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) != n || strncmp(word, names[i].name, n)) continue;
        if (names[i].width) t->width = names[i].width;
        if (names[i].sign) t->is_signed = names[i].sign > 0;
        t->is_bool |= *word == '_' || *word == 'b';
        return t->is_type = true;
    }
    bool is_size = n == 6 && !strncmp(word, "size_t", n);
    if (!is_size && (n != 4 || strncmp(word, "long", n))) return false;
    t->width = is_size || !(*longs)++ ? long_width : 64;
    if (is_size) t->is_signed = false;
    return t->is_type = true;
}

/* Reads a cast such as (unsigned long), (struct s *) or (word). The last may be no cast, but an expression in parentheses. */
static Type cast_at(Reader *r) {
    const char *start = r->at;
    Type t = {.width = INT, .is_signed = true};
    unsigned longs = 0, words = 0, stars = 0;
    if (!accept(r, "(")) return t;
    for (skip_blanks(r); is_word(*r->at) && !isdigit((unsigned char)*r->at); skip_blanks(r), words++) {
        unsigned n = word_length(r->at);
        t.other |= !add_type_word(&t, r->at, n, r->long_width, &longs);
        r->at += n;
    }
    while (words && accept(r, "*")) stars++;
    bool closed = words && accept(r, ")");
    skip_blanks(r);
    bool operand = is_word(*r->at) || *r->at == '~' || *r->at == '(' || (*r->at == '!' && r->at[1] != '=');
    t.other |= stars > 0;
    t.is_type = closed && (!t.other || stars || words > 1 || (operand && *r->at != '('));
    if (!t.is_type) r->at = start;
    return t;
}

static Number cast(Type t, Number n) {
    if (t.other) return unknown;
    return t.is_bool ? (Number){n.value != 0, t.width, false, n.known} : converted(n, t.width, t.is_signed);
}

/* ---- operands ---- */

static Number constant(Reader *r) {
    char *end;
    Number n = {.width = INT, .is_signed = true, .known = true};
    bool decimal = *r->at != '0', suffixed = false;
    unsigned long long v = strtoull(r->at, &end, 0);
    if (*end == '.' || ((*end == 'e' || *end == 'E') && decimal)) {
        strtod(r->at, &end);
        r->at = end + strspn(end, "fFlL");
        return is_word(*r->at) ? ill(r) : unknown;
    }
    unsigned longs = 0;
    for (r->at = end; *r->at && strchr("uUlL", *r->at); r->at++) {
        suffixed |= toupper((unsigned char)*r->at) == 'U';
        longs += toupper((unsigned char)*r->at) == 'L';
    }
    if (is_word(*r->at) || *r->at == '.') return ill(r);
    if (longs) n.width = longs > 1 ? 64 : r->long_width;
    if (suffixed) n.is_signed = false;
    if (n.is_signed && !decimal && n.width == INT && v >> 31 == 1) n.is_signed = false;
    if (n.width == INT && v >> (n.is_signed ? 31 : 32)) n.width = 64;
    if (n.is_signed && v >> 63) n.is_signed = false;
    n.value = (i128)v;
    return n;
}

static Number character(Reader *r) {
    static const char escapes[] = "n\nt\tr\ra\ab\bf\fv\v\\\\''\"\"??0\0";
    Number n = {.width = INT, .is_signed = true, .known = true};
    bool escaped = *++r->at == '\\';
    if (escaped) r->at++;
    if (!*r->at || *r->at & 0x80 || r->at[1] != '\'') return ill(r);
    n.value = (unsigned char)*r->at;
    for (size_t i = 0; escaped && i + 1 < sizeof escapes; i += 2)
        if (escapes[i] == *r->at) n.value = (unsigned char)escapes[i + 1], escaped = false;
    n.known = !escaped;
    r->at += 2;
    return n;
}

static void skip_parentheses(Reader *r) {
    int depth = 0;
    do {
        depth += *r->at == '(' ? 1 : *r->at == ')' ? -1 : 0;
        if (!*r->at++) {
            r->at--;
            ill(r);
            return;
        }
    } while (depth);
}

/* Reads what follows an operand: an index, a member, a call. *name (may be NULL) grows by the path of the place. Returns false if the result is
   unknown. */
static bool postfix(Reader *r, Buf *name) {
    bool known = name != NULL;
    for (; !is_ill(r); skip_blanks(r)) {
        skip_blanks(r);
        if (accept(r, "[")) {
            Number index = expression(r, 0);
            if (!accept(r, "]")) ill(r);
            known = known && index.known;
            if (known) buf_printf(name, "[%lld]", (long long)index.value);
        } else if (*r->at == '.' || !strncmp(r->at, "->", 2)) {
            known = known && *r->at == '.';
            r->at += *r->at == '.' ? 1 : 2;
            skip_blanks(r);
            unsigned n = word_length(r->at);
            if (!n) ill(r);
            if (known) buf_char(name, '.'), buf_bytes(name, r->at, n);
            r->at += n;
        } else if (*r->at == '(') {
            r->odd |= ODD_CALLS;
            skip_parentheses(r);
            known = false;
        } else break;
    }
    return known;
}

static Number size_of(Reader *r) {
    skip_blanks(r);
    if (*r->at == '(') skip_parentheses(r);
    else primary(r);
    return unknown;
}

static Number place(Reader *r) {
    Buf name = {0};
    Number n = unknown;
    if (*r->at == '\\') buf_char(&name, *r->at++);
    while (is_word(*r->at)) buf_char(&name, *r->at++);
    if (!strcmp(buf_string(&name), "sizeof")) n = size_of(r);
    else if (postfix(r, &name) && !is_ill(r)) {
        n.known = r->place(r->context, buf_string(&name), &n);
        if (!n.width) n.width = INT;
        n = n.known ? promoted(n) : unknown;
    } else if (!is_ill(r)) r->place(r->context, buf_string(&name), &n), n = unknown; /* its name is asked for all the same */
    buf_free(&name);
    return n;
}

static Number primary(Reader *r) {
    Number n;
    skip_blanks(r);
    if (is_ill(r) || r->depth++ > 2000) return ill(r); /* no real formula is this deep */
    Type t = cast_at(r);
    if (t.is_type) return promoted(cast(t, primary(r)));
    if (accept(r, "(")) {
        n = expression(r, 0);
        if (!accept(r, ")")) return ill(r);
        skip_blanks(r);
        bool more = *r->at == '[' || *r->at == '.' || *r->at == '(' || !strncmp(r->at, "->", 2);
        if (more) postfix(r, NULL);
        return more ? unknown : n;
    }
    if (*r->at == '!' && r->at[1] != '=') {
        r->at++;
        n = primary(r);
        return truth(!n.value, n.known);
    }
    if (*r->at == '*' || (*r->at == '&' && r->at[1] != '&')) { /* memory is not read */
        r->at++;
        primary(r);
        return unknown;
    }
    if (*r->at == '-' || *r->at == '+' || *r->at == '~') {
        char op = *r->at++;
        if (*r->at == op && op != '~') return ill(r); /* -- and ++ change a variable */
        n = primary(r);
        if (!n.known) return n;
        return result(op == '-' ? -n.value : op == '~' ? ~n.value : n.value, n);
    }
    if (isdigit((unsigned char)*r->at)) return constant(r);
    if (*r->at == '\'') return character(r);
    if (isalpha((unsigned char)*r->at) || *r->at == '_' || *r->at == '\\') return place(r);
    return ill(r);
}

/* ---- operators ---- */

typedef struct Operator {
    const char *word;
    unsigned level;
} Operator;

enum { SHIFT = 8 };

/* longer operators come first */
static const Operator operators[] = {{"||", 1},     {"&&", 2},     {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                                     {"<<", SHIFT}, {">>", SHIFT}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                                     {">", 7},      {"+", 9},      {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static const Operator *operator_at(Reader *r, unsigned above) {
    skip_blanks(r);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i].word);
        if (strncmp(r->at, operators[i].word, n)) continue;
        if (r->at[n] == '=' && (n == 1 || operators[i].level == SHIFT)) return NULL; /* an assignment */
        return operators[i].level > above ? &operators[i] : NULL;
    }
    return NULL;
}

static Number shifted(bool left, Number a, Number b) {
    if (!a.known || !b.known || b.value < 0 || b.value >= a.width || (left && a.value < 0 && a.is_signed)) return unknown;
    return result(left ? (i128)((u128)a.value << b.value) : a.value >> b.value, a);
}

static Number apply(const char *op, Number a, Number b) {
    bool either = op[1] == op[0], both = a.known && b.known;
    if (*op == '|' && either)
        return truth((a.known && a.value) || (b.known && b.value), both || (a.known && a.value) || (b.known && b.value));
    if (*op == '&' && either) return truth(a.value && b.value, both || (a.known && !a.value) || (b.known && !b.value));
    if (either && (*op == '<' || *op == '>')) return shifted(*op == '<', a, b);
    if (!both) return unknown;
    unsigned width = a.width > b.width ? a.width : b.width;
    bool is_signed = (a.is_signed || a.width < width) && (b.is_signed || b.width < width);
    a = converted(a, width, is_signed);
    b = converted(b, width, is_signed);
    if ((*op == '/' || *op == '%') && !b.value) return unknown;
    switch (*op) {
    case '=': return truth(a.value == b.value, true);
    case '!': return truth(a.value != b.value, true);
    case '<': return truth(op[1] ? a.value <= b.value : a.value < b.value, true);
    case '>': return truth(op[1] ? a.value >= b.value : a.value > b.value, true);
    case '+': return result(a.value + b.value, a);
    case '-': return result(a.value - b.value, a);
    case '*': return result((i128)((u128)a.value * (u128)b.value), a);
    case '/': return result(a.value / b.value, a);
    case '%': return result(a.value % b.value, a);
    case '|': return result(a.value | b.value, a);
    case '&': return result(a.value & b.value, a);
    default: return result(a.value ^ b.value, a);
    }
}

/* Parses operators that bind more tightly than `level`. */
static Number expression(Reader *r, unsigned level) {
    Number left = primary(r);
    for (const Operator *op; !is_ill(r) && (op = operator_at(r, level));) {
        r->at += strlen(op->word);
        left = apply(op->word, left, expression(r, op->level));
    }
    if (level || is_ill(r) || !accept(r, "?")) return left;
    Number yes = expression(r, 0);
    if (!accept(r, ":")) return ill(r);
    Number no = expression(r, 0);
    return left.known ? (left.value ? yes : no) : unknown;
}

Truth value_holds(const char *text, unsigned long_width, PlaceValue *place_value, void *context, unsigned *odd) {
    Reader r = {.at = text, .place = place_value, .context = context, .long_width = long_width};
    Number n = expression(&r, 0);
    skip_blanks(&r);
    if (*r.at) ill(&r);
    if (odd) *odd = r.odd;
    if (r.odd || !n.known) return TRUTH_UNKNOWN;
    return n.value ? TRUTH_YES : TRUTH_NO;
}

static bool no_place(void *context, const char *name, Number *value) {
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
    Reader r = {.at = text + 2, .place = no_place, .long_width = 64};
    skip_blanks(&r);
    if (!isdigit((unsigned char)*r.at) && *r.at != '-' && *r.at != '(') return false;
    Number n = primary(&r);
    skip_blanks(&r);
    *value = n.value;
    return !r.odd && n.known && !*r.at;
}
