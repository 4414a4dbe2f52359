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
