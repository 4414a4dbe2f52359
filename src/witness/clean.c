/* SPDX-License-Identifier: Apache-2.0 */
#include "witness/instrument.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t skip_literal(const char *s, size_t i) {
    char quote = s[i++];
    while (s[i] && s[i] != quote && s[i] != '\n') i += s[i] == '\\' && s[i + 1] ? 2 : 1;
    return s[i] == quote ? i + 1 : i;
}

static size_t skip_comment(const char *s, size_t i) {
    const char *end = s[i + 1] == '/' ? strchr(s + i, '\n') : strstr(s + i + 2, "*/");
    if (!end) return i + strlen(s + i);
    return (size_t)(end - s) + (s[i + 1] == '/' ? 0 : 2);
}

static size_t skip_directive(const char *s, size_t i) {
    while (s[i] && s[i] != '\n') i += s[i] == '\\' && s[i + 1] ? 2 : 1;
    return i;
}

char *clean_text(const char *s) {
    char *out = strdup(s);
    bool line = true; /* only blanks on the line so far */
    for (size_t i = 0; out && s[i];) {
        size_t end = i + 1;
        if (s[i] == '"' || s[i] == '\'') end = skip_literal(s, i);
        else if (s[i] == '/' && (s[i + 1] == '/' || s[i + 1] == '*')) end = skip_comment(s, i);
        else if (s[i] == '#' && line) end = skip_directive(s, i);
        line = s[i] == '\n' || (line && isspace((unsigned char)s[i]));
        char with = s[i] == '"' || s[i] == '\'' ? '0' : ' '; /* a literal is not blank */
        for (size_t k = i; k < end && end > i + 1; k++)
            if (out[k] != '\n') out[k] = with;
        i = end;
    }
    return out;
}

/* Returns whether the character ends a statement, or begins or ends a block. In the head of a for, it does not. */
static bool separates(char c, int depth) { return c == '{' || c == '}' || (c == ';' && depth <= 0); }

bool clean_extent(const char *text, Spot *spot) {
    char *clean = clean_text(text);
    const char *line = clean;
    for (unsigned n = 1; line && n < spot->line; n++) line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    size_t length = line ? strcspn(line, "\r\n") : 0;
    bool good = line && spot->column <= length;
    int depth = 0;
    spot->first = 1;
    spot->last = (unsigned)length;
    for (unsigned i = 0; good && i < length && spot->last == length; i++) {
        depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
        if (!separates(line[i], depth)) continue;
        if (i + 1 < spot->column) spot->first = i + 2;
        else spot->last = i + 1;
    }
    free(clean);
    return good;
}

bool clean_has_statement(const char *text, unsigned line) {
    char *clean = clean_text(text);
    int depth = 0;
    bool found = false;
    for (const char *s = clean; s && *s && line; s++) {
        depth += *s == '{' ? 1 : *s == '}' ? -1 : 0;
        if (*s == '\n') line--;
        else if (line == 1 && depth > 0) found |= !isspace((unsigned char)*s) && !strchr("{};", *s);
    }
    free(clean);
    return found;
}

/* ---- branches ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool word_at(const char *s, const char *word) { return !strncmp(s, word, strlen(word)) && !is_word(s[strlen(word)]); }

static size_t skip_spaces(const char *s, size_t i) { return i + strspn(s + i, " \t\r\n"); }

/* Returns the index after the bracket that closes the one at i. */
static size_t skip_brackets(const char *s, size_t i) {
    int depth = 0;
    do depth += s[i] == '(' || s[i] == '{' ? 1 : s[i] == ')' || s[i] == '}' ? -1 : 0;
    while (s[i++] && depth > 0);
    return s[i - 1] ? i : i - 1;
}

/* Returns the index after the condition of the statement at i, or 0 if it is no if, while, for or switch. */
static size_t head_end(const char *s, size_t i) {
    static const char *const words[] = {"if", "while", "for", "switch"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (!word_at(s + i, words[k])) continue;
        size_t open = skip_spaces(s, i + strlen(words[k]));
        return s[open] == '(' ? skip_brackets(s, open) : 0;
    }
    return 0;
}

static size_t skip_statement(const char *s, size_t i) {
    i = skip_spaces(s, i);
    size_t end = head_end(s, i);
    if (s[i] == '{') return skip_brackets(s, i);
    if (word_at(s + i, "do")) end = skip_statement(s, i + 2);
    else if (end) {
        bool may_else = word_at(s + i, "if");
        end = skip_statement(s, end);
        size_t next = skip_spaces(s, end);
        return may_else && word_at(s + next, "else") ? skip_statement(s, next + strlen("else")) : end;
    }
    for (i = end ? end : i; s[i] && s[i] != ';' && s[i] != '}';) i = s[i] == '(' || s[i] == '{' ? skip_brackets(s, i) : i + 1;
    return s[i] == ';' ? i + 1 : i;
}

static TextRange range_of(const char *s, size_t from, size_t to) {
    TextRange r = {.line = 1, .column = 1};
    for (size_t i = 0; i < to; i++) {
        if (i == from) r.last_line = r.line, r.last_column = r.column;
        r.column = s[i] == '\n' ? 1 : r.column + 1;
        r.line += s[i] == '\n';
    }
    return (TextRange){r.last_line, r.last_column, r.line, r.column};
}

void clean_branch(const char *text, ClaimedWaypoint *w) {
    char *clean = clean_text(text);
    const char *line = clean;
    for (unsigned n = 1; line && n < w->spot.line; n++) line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    size_t at = line ? (size_t)(line - clean) : 0, end = line ? at + strcspn(line, "\n") : 0;
    if (line && w->spot.column && at + w->spot.column <= end) at += w->spot.column - 1;
    while (at < end && (!head_end(clean, at) || (at && is_word(clean[at - 1])))) at++;
    size_t open = at < end && !word_at(clean + at, "switch") ? head_end(clean, at) : 0, body = open ? skip_spaces(clean, open) : 0;
    if (open && clean[body] != ';') { /* the body of a loop without statements has no place */
        w->head = range_of(clean, at, open);
        w->body = range_of(clean, body, skip_statement(clean, body));
    }
    free(clean);
}
