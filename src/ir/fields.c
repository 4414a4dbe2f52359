/* SPDX-License-Identifier: Apache-2.0 */
/* Prints, reads and copies attributes, and compares programs, by the tables of fields.def. */
#include "ir/fields.h"
#include "base/map.h"
#include "ir/layout.h"
#include "ir/messages.h"
#include "ir/text.h"
#include <inttypes.h>
#include <string.h>

#define SYNTAX NULL
#define ROW(struct_, name, kind, word) {#name, FIELD_##kind, offsetof(struct_, name), sizeof((struct_ *)0)->name, word},
#define VARIABLE(type, name, kind, word) ROW(Variable, name, kind, word)
const Field variable_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};
#define OBJECT(type, name, kind, word) ROW(Object, name, kind, word)
const Field object_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};
#define INSTR(type, name, kind, word) ROW(Instr, name, kind, word)
const Field instr_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};
#define ACTION(type, name, kind, word) ROW(Action, name, kind, word)
const Field action_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};
#define LOCATION(type, name, kind, word) ROW(Location, name, kind, word)
const Field location_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};
#define TEMPLATE(type, name, kind, word) ROW(Template, name, kind, word)
const Field template_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};
#define APPROXIMATION(type, name, kind, word) ROW(Approximation, name, kind, word)
const Field approximation_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};
#define PROGRAM(type, name, kind, word) ROW(Program, name, kind, word)
const Field program_fields[] = {
#include "ir/fields.def"
    {.name = NULL}};

/* Describes a kind of member: the words of an enum, or the elements of a list. */
typedef struct KindInfo {
    const char *const *words;
    unsigned nwords;
    const Field *of;
    size_t size; /* of an element; 0: elements are pointers */
} KindInfo;
static const KindInfo kinds[FIELD_KINDS] = {
    [FIELD_OBJECT_KIND] = {.words = object_words, .nwords = 5},
    [FIELD_LOCATION_KIND] = {.words = location_words, .nwords = LOCATION_KINDS},
    [FIELD_APPROXIMATION_KIND] = {.words = approximation_words, .nwords = APPROXIMATION_KINDS},
    [FIELD_ORDER] = {.words = order_words, .nwords = ORDERS},
    [FIELD_MEMORY] = {.words = memory_words, .nwords = MEMORY_MODELS},
    [FIELD_INSTRS] = {.of = instr_fields, .size = sizeof(Instr)},
    [FIELD_ACTIONS] = {.of = action_fields, .size = sizeof(Action)},
    [FIELD_LOCATIONS] = {.of = location_fields, .size = sizeof(Location)},
    [FIELD_APPROXIMATIONS] = {.of = approximation_fields, .size = sizeof(Approximation)},
    [FIELD_VARIABLES] = {.of = variable_fields},
    [FIELD_OBJECTS] = {.of = object_fields},
    [FIELD_TEMPLATES] = {.of = template_fields},
};

/* ---- reading members ---- */

static const void *at(const Field *f, const void *x) { return (const char *)x + f->offset; }
static const void *pointer_at(const Field *f, const void *x) { return *(const void *const *)at(f, x); }

static uint64_t number_at(const Field *f, const void *x) {
    return f->size == sizeof(bool)       ? *(const bool *)at(f, x)
           : f->size == sizeof(uint64_t) ? *(const uint64_t *)at(f, x)
                                         : *(const unsigned *)at(f, x);
}

static bool is_written(const Field *f, const void *x) {
    switch (f->kind) {
    case FIELD_SKEW: return number_at(f, x) != LAYOUT_SKEW;
    case FIELD_APPROXIMATION: return number_at(f, x) != NO_APPROXIMATION;
    case FIELD_STRING:
    case FIELD_NAME: return pointer_at(f, x);
    case FIELD_NICKNAME: return strcmp(pointer_at(f, x), (*(const Symbol *const *)x)->name);
    default: return number_at(f, x);
    }
}

/* ---- printing ---- */

static void print_value(Buf *out, const Field *f, const void *x) {
    const char *blank = *f->word ? " " : "";
    switch (f->kind) {
    case FIELD_FLAG: break;
    case FIELD_NUMBER:
    case FIELD_SKEW:
    case FIELD_APPROXIMATION: buf_printf(out, "%s%" PRIu64, blank, number_at(f, x)); break;
    case FIELD_PROPERTIES: text_print_properties(out, number_at(f, x)); break;
    case FIELD_STRING:
    case FIELD_NICKNAME:
        buf_text(out, blank);
        text_print_string(out, pointer_at(f, x));
        break;
    case FIELD_NAME:
        buf_text(out, blank);
        text_print_name(out, pointer_at(f, x));
        break;
    default: buf_printf(out, "%s%s", blank, kinds[f->kind].words[number_at(f, x)]);
    }
}

void fields_print(Buf *out, const Field *f, const void *x, Position inherited, const char *before, const char *after) {
    for (; f->name; f++) {
        if (f->word && f->kind == FIELD_POSITION) text_print_position(out, *(const Position *)at(f, x), inherited, before, after);
        if (!f->word || f->kind == FIELD_POSITION || !is_written(f, x)) continue;
        buf_printf(out, "%s%s", before, f->word);
        print_value(out, f, x);
        buf_text(out, after);
    }
}

/* ---- reading text ---- */

/* Returns true if the attribute begins at the next token, and consumes its word. */
static bool begins(Parser *r, const Field *f) {
    Lexer *l = r->lexer;
    if (*f->word) return lexer_accept(l, f->word);
    switch (f->kind) {
    case FIELD_STRING: return l->token == TOKEN_STRING;
    case FIELD_POSITION: return lexer_is(l, "@") || lexer_is(l, "@nowhere");
    case FIELD_APPROXIMATION: return l->token == TOKEN_NUMBER;
    default: return l->token == TOKEN_NAME && text_word(kinds[f->kind].words, kinds[f->kind].nwords, l->name) < kinds[f->kind].nwords;
    }
}

static void parse_word(Parser *r, const KindInfo *kind, unsigned *value) {
    unsigned k = r->lexer->token == TOKEN_NAME ? text_word(kind->words, kind->nwords, r->lexer->name) : kind->nwords;
    Buf known = {0};
    for (unsigned i = 0; i < kind->nwords; i++) buf_printf(&known, " %s", kind->words[i]);
    if (k == kind->nwords) lexer_error(r->lexer, MSG_IR_WORD_EXPECTED, buf_string(&known));
    else *value = k;
    lexer_next(r->lexer);
    buf_free(&known);
}

static void parse_value(Parser *r, const Field *f, void *member) {
    uint64_t number;
    switch (f->kind) {
    case FIELD_FLAG: *(bool *)member = true; break;
    case FIELD_NUMBER:
    case FIELD_SKEW:
    case FIELD_APPROXIMATION:
        if (parser_number(r, f->size == sizeof number ? INT64_MAX : NO_APPROXIMATION - 1, &number)) memcpy(member, &number, f->size);
        break;
    case FIELD_PROPERTIES: *(PropertySet *)member = text_properties(r->lexer); break;
    case FIELD_STRING:
    case FIELD_NICKNAME: *(const char **)member = text_string(r->lexer, r->program->exprs, "a text"); break;
    case FIELD_NAME: *(const char **)member = parser_name(r, "a name"); break;
    case FIELD_POSITION: parser_position(r, member); break;
    default: parse_word(r, &kinds[f->kind], member);
    }
}

bool fields_parse(Parser *r, const Field *f, void *x) {
    for (; f->name; f++)
        if (f->word && begins(r, f)) {
            parse_value(r, f, (char *)x + f->offset);
            return true;
        }
    return false;
}

/* ---- copying ---- */

void fields_copy(const Field *f, void *to, const void *from) {
    for (; f->name; f++)
        if (f->word) memcpy((char *)to + f->offset, at(f, from), f->size);
}

/* ---- comparing: two programs have pools of their own, so expressions are compared by their structure ---- */

typedef Map Same; /* maps expressions of one program to equal ones of the other */

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool same_symbol(const Symbol *a, const Symbol *b) { return a && b ? a->kind == b->kind && same_text(a->name, b->name) : a == b; }

/* Compares positions. Positions without file are equal, whatever their lines are. */
static bool same_position(const Position *a, const Position *b) {
    if (!a->file && !b->file) return true;
    return same_text(a->file, b->file) && a->line == b->line && a->column == b->column;
}

static bool same_sort(const Sort *a, const Sort *b) {
    if (!a || !b) return a == b;
    return a->kind == b->kind && a->width == b->width && same_sort(a->index, b->index) && same_sort(a->element, b->element);
}

static bool same_expr(Same *s, const Expr *a, const Expr *b) {
    if (!a || !b) return a == b;
    if (a->nargs && map_find(s, a) == b) return true;
    if (a->op != b->op || a->flags != b->flags || a->low != b->low || a->value != b->value || a->nargs != b->nargs) return false;
    if (!same_sort(a->sort, b->sort) || !same_symbol(a->symbol, b->symbol)) return false;
    for (unsigned i = 0; i < a->nargs; i++)
        if (!same_expr(s, a->args[i], b->args[i])) return false;
    if (a->nargs) map_set(s, a, b);
    return true;
}

static bool same_bytes(const Object *a, const Object *b) {
    for (uint64_t i = 0; (a->bytes || b->bytes) && i < a->size && i < b->size; i++)
        if ((a->bytes ? a->bytes[i] : 0) != (b->bytes ? b->bytes[i] : 0)) return false;
    return true;
}

static bool same_relocations(const Object *a, const Object *b) {
    for (unsigned i = 0; i < a->nrelocations && i < b->nrelocations; i++) {
        const Relocation *x = &a->relocations[i], *y = &b->relocations[i];
        if (x->offset != y->offset || x->addend != y->addend || !same_symbol(x->target, y->target)) return false;
    }
    return true;
}

static bool same_indices(const unsigned *a, const unsigned *b) {
    return vec_len(a) == vec_len(b) && (!vec_len(a) || !memcmp(a, b, vec_len(a) * sizeof *a));
}

static bool same_call(Same *s, const CallParts *a, const CallParts *b) {
    if (!a || !b) return a == b;
    bool same = a->narguments == b->narguments && a->nresults == b->nresults;
    for (unsigned i = 0; i < a->narguments && same; i++) same = same_expr(s, a->arguments[i], b->arguments[i]);
    for (unsigned i = 0; i < a->nresults && same; i++) same = same_symbol(a->results[i]->symbol, b->results[i]->symbol);
    return same;
}

static bool same_members(Same *, const Field *, const void *, const void *);

static bool same_list(Same *s, const KindInfo *kind, const char *a, const char *b) {
    bool same = vec_len(a) == vec_len(b);
    for (size_t i = 0; i < vec_len(a) && same; i++)
        same = kind->size ? same_members(s, kind->of, a + i * kind->size, b + i * kind->size)
                          : same_members(s, kind->of, ((const void *const *)a)[i], ((const void *const *)b)[i]);
    return same;
}

static bool same_member(Same *s, const Field *f, const void *x, const void *y) {
    switch (f->kind) {
    case FIELD_ADDRESS: return true;
    case FIELD_STRING:
    case FIELD_NAME:
    case FIELD_NICKNAME: return same_text(pointer_at(f, x), pointer_at(f, y));
    case FIELD_POSITION: return same_position(at(f, x), at(f, y));
    case FIELD_SYMBOL: return same_symbol(pointer_at(f, x), pointer_at(f, y));
    case FIELD_REFERENCE: {
        const Symbol *const *a = pointer_at(f, x), *const *b = pointer_at(f, y);
        return a && b ? same_symbol(*a, *b) : a == b;
    }
    case FIELD_SORT: return same_sort(pointer_at(f, x), pointer_at(f, y));
    case FIELD_EXPR: return same_expr(s, pointer_at(f, x), pointer_at(f, y));
    case FIELD_BYTES: return same_bytes(x, y);
    case FIELD_RELOCATIONS: return same_relocations(x, y);
    case FIELD_CALL: return same_call(s, pointer_at(f, x), pointer_at(f, y));
    case FIELD_INDICES: return same_indices(pointer_at(f, x), pointer_at(f, y));
    default: break;
    }
    return kinds[f->kind].of ? same_list(s, &kinds[f->kind], pointer_at(f, x), pointer_at(f, y)) : number_at(f, x) == number_at(f, y);
}

static bool same_members(Same *s, const Field *f, const void *x, const void *y) {
    while (f->name && same_member(s, f, x, y)) f++;
    return !f->name;
}

bool program_equal(const Program *p, const Program *q) {
    Same *s = map_new();
    bool same = same_members(s, program_fields, p, q);
    map_free(s);
    return same;
}
