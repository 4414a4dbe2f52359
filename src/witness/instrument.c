/* SPDX-License-Identifier: Apache-2.0 */
/* Inserts invariants into the text of a program as assertions. The invariant of a place holds as long as a thread is at it, whatever
   other threads do. An assertion before the statement, evaluated in one step, is reached at every time at which the thread may be there.
   A ghost variable is updated before its statement. ghosts.c joins the update with a step of the statement.
   All inserted text is expressions without side effects, and nothing is removed. So the program behaves as before, except for the
   assertions. */
#include "witness/instrument.h"
#include "base/file.h"
#include "witness/messages.h"
#include "witness/value.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Edit {
    size_t at;
    char *text;
    unsigned order;
    bool update;   /* updates a ghost variable */
    unsigned ends; /* for the end of the statement of an update: the order of this update */
} Edit;

enum { NO_EDIT = ~0u };

typedef struct Source {
    const char *file, *text;
    char *clean; /* the text with blanks for comments, literals and directives */
    size_t length;
    Edit *edits; /* a vec */
    Buf *why;
    bool limited; /* *why is a limit of Heddle, and not a fault of the witness */
} Source;

/* ---- statements ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool word_at(const char *s, const char *word) { return !strncmp(s, word, strlen(word)) && !is_word(s[strlen(word)]); }

static size_t skip_blanks(const char *s, size_t i) {
    while (s[i] == ' ' || s[i] == '\t') i++;
    return i;
}

/* Returns the index after all labels ("case 1:", "again:"). */
static size_t skip_labels(const char *s, size_t i) {
    for (;;) {
        size_t k = i;
        bool is_case = word_at(s + i, "case");
        if (is_case) k += strcspn(s + i, ":\n;{");
        else
            while (is_word(s[k])) k++;
        k = skip_blanks(s, k);
        if (k == i || s[k] != ':' || s[k + 1] == ':') return i;
        i = skip_blanks(s, k + 1);
    }
}

/* Returns where the first statement of the line begins, or 0 if no statement begins there. */
static size_t statement_at(const Source *s, const Spot *spot) {
    size_t i = 0;
    for (unsigned line = 1; line < spot->line; line++) {
        const char *end = strchr(s->clean + i, '\n');
        if (!end) return 0;
        i = (size_t)(end - s->clean) + 1;
    }
    if (spot->column > 1 && spot->column <= strcspn(s->clean + i, "\n")) i += spot->column - 1;
    for (;;) {
        i = skip_blanks(s->clean, i);
        if (s->clean[i] == '{' || s->clean[i] == '}') i++;
        else if (word_at(s->clean + i, "else")) i += strlen("else");
        else break;
    }
    i = skip_labels(s->clean, i);
    return s->clean[i] && s->clean[i] != '\n' && s->clean[i] != '\r' ? i : 0;
}

/* Returns whether the place follows the end of a statement or the beginning of a block. */
static bool follows_statement(const Source *s, size_t at) {
    size_t i = at;
    while (i && isspace((unsigned char)s->clean[i - 1])) i--;
    return i && strchr(";{}:", s->clean[i - 1]);
}

static bool is_in_function(const Source *s, size_t at) {
    int depth = 0;
    for (size_t i = 0; i < at; i++) depth += s->clean[i] == '{' ? 1 : s->clean[i] == '}' ? -1 : 0;
    return depth > 0;
}

/* Returns the index after the ; of a statement without blocks, or 0 if the statement has blocks or is a jump or branch. */
static size_t statement_end(const Source *s, size_t at) {
    static const char *const words[] = {"if", "for", "while", "do", "switch", "else", "return", "goto", "break", "continue"};
    int depth = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_at(s->clean + at, words[i])) return 0;
    for (size_t i = at; s->clean[i]; i++) {
        char c = s->clean[i];
        if (c == '{' || c == '}') return 0;
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ';' && !depth) return i + 1;
    }
    return 0;
}

/* Returns the index after the part of the statement that runs first, and once: all of a simple statement, or the condition of a branch.
   Returns `at` if there is no such part. */
static size_t first_part_end(const Source *s, size_t at) {
    static const char *const heads[] = {"if", "switch"}, *const jumps[] = {"return", "goto", "break", "continue"};
    size_t end = statement_end(s, at), i = at;
    bool head = false, jump = false;
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) head |= word_at(s->clean + at, heads[k]);
    for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++) jump |= word_at(s->clean + at, jumps[k]);
    if (end || (!head && !jump)) return end ? end : at;
    for (int depth = 0; s->clean[i]; i++) {
        char c = s->clean[i];
        if (c == '{' || c == '}') return at;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (head && c == ')' && !depth) return i + 1;
        if (jump && c == ';' && !depth) return i + 1;
    }
    return at;
}

/* ---- insertions ---- */

static void insert(Source *s, size_t at, Buf *text) {
    vec_push(s->edits, ((Edit){.at = at, .text = text->text, .order = (unsigned)vec_len(s->edits), .ends = NO_EDIT}));
    *text = (Buf){0};
}

static bool fail(Source *s, const Spot *spot, const char *what) {
    if (!s->why->length) buf_printf(s->why, MSG_WITNESS_AT_LINE, spot->line, what);
    return false;
}

/* Refuses to insert something that may be right. */
static bool give_up(Source *s, const Spot *spot, const char *what) {
    s->limited = true;
    return fail(s, spot, what);
}

static bool is_loop(const Source *s, size_t at) {
    static const char *const words[] = {"for", "while", "do"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) found |= word_at(s->clean + at, words[i]);
    return found;
}

static bool nothing_known(void *context, const char *name, Number *value) {
    (void)context, (void)name, (void)value;
    return false;
}

static bool is_plain(const char *text) {
    unsigned odd = ODD_ILL;
    if (strlen(text) < 10000 && !strpbrk(text, ";{}\\\"\n#")) value_holds(text, 64, nothing_known, NULL, &odd);
    return !odd;
}

/* Returns the text after "#define" and blanks, or NULL if the line is not a #define. */
static const char *defined_at(const char *line) {
    line += strspn(line, " \t");
    if (*line++ != '#') return NULL;
    line += strspn(line, " \t");
    return word_at(line, "define") ? line + strlen("define") + strspn(line + strlen("define"), " \t") : NULL;
}

static bool is_expression(const char *program, const char *text, unsigned depth);

/* Returns whether the word's definitions in the program, if it has any, are expressions, too. */
static bool is_word_expression(const char *program, const char *word, size_t length, unsigned depth) {
    bool good = true;
    for (const char *line = program; line && good; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        const char *name = defined_at(line);
        if (!name || strncmp(name, word, length) || is_word(name[length]) || name[length] == '(') continue;
        const char *body = name + length + strspn(name + length, " \t\r");
        char *copy = strndup(body, strcspn(body, "\r\n"));
        good = depth < 100 && copy && (!*copy || is_expression(program, copy, depth + 1));
        free(copy);
    }
    return good;
}

/* Returns whether the text is an expression after expansion of its words. */
static bool is_expression(const char *program, const char *text, unsigned depth) {
    bool good = is_plain(text);
    for (const char *s = text; *s && good;) {
        size_t n = 0;
        while (is_word(s[n])) n++;
        if (n) good = is_word_expression(program, s, n, depth);
        s += n ? n : 1;
    }
    return good;
}

/* Returns the ghost variable with the name, or NULL. */
static const Ghost *ghost_named(const Witness *w, const char *name, size_t length) {
    vec_each_at(const Ghost, g, w->ghosts)
        if (strlen(g->name) == length && !strncmp(g->name, name, length)) return g;
    return NULL;
}

static bool is_member(const char *text, size_t at) {
    while (at && isspace((unsigned char)text[at - 1])) at--;
    return at && (text[at - 1] == '.' || (at > 1 && text[at - 1] == '>' && text[at - 2] == '-'));
}

/* Adds the expression. Ghost variables get names that the program does not use. */
static void put_expression(Buf *out, const Witness *w, const char *text) {
    for (size_t i = 0, n; text[i]; i += n ? n : 1) {
        for (n = 0; is_word(text[i + n]);) n++;
        bool ghost = n && ghost_named(w, text + i, n) && !is_member(text, i);
        if (ghost) buf_text(out, GHOST_PREFIX);
        buf_bytes(out, text + i, n ? n : 1);
    }
}

static void put_check(Buf *out, const Witness *w, const char *text, unsigned line) {
    buf_text(out, "{ __heddle_atomic_begin(); _Bool __heddle_holds = (");
    put_expression(out, w, text);
    buf_text(out, ") ? 1 : 0; __heddle_atomic_end(); if (!__heddle_holds) __assert_fail(\"");
    for (; *text; text++) buf_char(out, *text == '\'' ? ' ' : *text);
    buf_printf(out, INVARIANT_MARK "\", \"\", %u, \"\"); }", line);
}

/* Adds the check of a loop invariant: in the condition of for and while, and at the beginning of the body of do. */
static bool add_loop(Source *s, const Witness *w, const Invariant *v, size_t at) {
    Buf text = {0};
    const char *head = s->clean + at;
    if (word_at(head, "do")) {
        size_t open = at + strlen("do") + strspn(head + 2, " \t\r\n");
        if (s->clean[open] != '{') return give_up(s, &v->spot, MSG_WITNESS_LOOP_BARE);
        put_check(&text, w, v->text, v->spot.line);
        insert(s, open + 1, &text);
        return true;
    }
    bool is_for = word_at(head, "for");
    if (!is_for && !word_at(head, "while")) return fail(s, &v->spot, MSG_WITNESS_NO_LOOP);
    size_t i = at + strcspn(head, "(") + 1;
    if (s->clean[i - 1] != '(') return fail(s, &v->spot, MSG_WITNESS_NO_LOOP);
    for (int depth = 0; is_for && s->clean[i] && (depth || s->clean[i] != ';'); i++)
        depth += s->clean[i] == '(' ? 1 : s->clean[i] == ')' ? -1 : 0;
    if (is_for) i++;
    buf_text(&text, "(");
    put_check(&text, w, v->text, v->spot.line);
    buf_text(&text, "), ");
    if (is_for && s->clean[skip_blanks(s->clean, i)] == ';') buf_text(&text, "1");
    insert(s, i, &text);
    return true;
}

static bool add_invariant(Source *s, const Witness *w, const Invariant *v) {
    size_t at = statement_at(s, &v->spot);
    if (!is_expression(s->text, v->text, 0)) return fail(s, &v->spot, MSG_WITNESS_NO_EXPRESSION);
    if (!at || !is_in_function(s, at)) return fail(s, &v->spot, MSG_WITNESS_NO_STATEMENT);
    if (v->loop) return add_loop(s, w, v, at);
    bool alone = follows_statement(s, at);
    size_t end = alone ? 0 : statement_end(s, at);
    if (!alone && !end) return give_up(s, &v->spot, MSG_WITNESS_INVARIANT_PLACE);
    Buf text = {0};
    buf_text(&text, alone ? " " : " { ");
    put_check(&text, w, v->text, v->spot.line);
    buf_char(&text, ' ');
    insert(s, at, &text);
    if (!alone) {
        buf_text(&text, " } ");
        insert(s, end, &text);
    }
    return true;
}

static bool add_update(Source *s, const Witness *w, const GhostUpdate *u) {
    size_t at = statement_at(s, &u->spot);
    bool alone = at && follows_statement(s, at);
    if (!ghost_named(w, u->variable, strlen(u->variable)) || !is_expression(s->text, u->text, 0))
        return fail(s, &u->spot, MSG_WITNESS_UPDATE_SHAPE);
    if (!at || !is_in_function(s, at)) return fail(s, &u->spot, MSG_WITNESS_NO_STATEMENT);
    if (is_loop(s, at)) return give_up(s, &u->spot, MSG_WITNESS_UPDATE_LOOP);
    size_t end = alone ? first_part_end(s, at) : statement_end(s, at);
    if (!end) return give_up(s, &u->spot, MSG_WITNESS_UPDATE_PLACE);
    Buf text = {0};
    buf_printf(&text, "%s__heddle_atomic_begin(); " GHOST_PREFIX "%s = ", alone ? " " : " { ", u->variable);
    put_expression(&text, w, u->text);
    buf_text(&text, "; __heddle_atomic_end(); ");
    insert(s, at, &text);
    unsigned update = vec_last(s->edits).order;
    vec_last(s->edits).update = true;
    buf_text(&text, alone ? "" : " } ");
    insert(s, end, &text);
    vec_last(s->edits).ends = update;
    return true;
}

static bool are_words(const char *text, bool with_spaces) {
    while (is_word(*text) || (with_spaces && *text == ' ')) text++;
    return !*text;
}

/* Returns whether the words are a type, and nothing that restricts the variable. */
static bool is_type(const char *text) {
    static const char *const others[] = {"const",   "static",   "extern", "_Thread_local", "thread_local", "__thread",
                                         "typedef", "register", "auto",   "inline",        "constexpr"};
    bool good = are_words(text, true);
    for (const char *word = text; good && *word; word += strcspn(word, " "), word += strspn(word, " "))
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) good &= !word_at(word, others[i]);
    return good;
}

/* Refuses a ghost variable with a name that the program uses. A local of this name may hide the ghost variable at some places only. */
static bool is_new_name(Source *s, const Ghost *g) {
    size_t length = strlen(g->name);
    for (const char *at = s->clean; (at = strstr(at, g->name)); at += length) {
        size_t i = (size_t)(at - s->clean);
        if ((i && is_word(at[-1])) || is_word(at[length]) || is_member(s->clean, i)) continue;
        s->limited = is_in_function(s, i);
        buf_printf(s->why, MSG_WITNESS_GHOST_TAKEN, g->name);
        return false;
    }
    return true;
}

static bool put_ghost(Buf *out, Source *s, const Ghost *g, bool here) {
    if (!is_type(g->type)) buf_printf(s->why, MSG_WITNESS_GHOST_TYPE, g->name);
    else if (!*g->name || !are_words(g->name, false)) buf_printf(s->why, MSG_WITNESS_GHOST_NAME, g->name);
    else if (!is_expression("", g->initial, 0)) buf_printf(s->why, MSG_WITNESS_GHOST_INITIAL, g->name);
    else if (is_new_name(s, g)) {
        if (here) buf_printf(out, "%s " GHOST_PREFIX "%s = %s; ", g->type, g->name, g->initial);
        else buf_printf(out, "extern %s " GHOST_PREFIX "%s; ", g->type, g->name);
    }
    return !s->why->length;
}

/* ---- a file ---- */

static int by_place(const void *a, const void *b) {
    const Edit *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static bool is_here(const Source *s, const Spot *spot) { return !spot->file || !strcmp(base_name(spot->file), base_name(s->file)); }

enum { MOST_COLUMN = 65535 }; /* the largest column that clang reports */

/* Writes the text with its edits. Returns false if a line becomes too long for columns. */
static bool put_text(Buf *out, Source *s, const char *text, Inserted **inserted) {
    size_t at = 0, line = 1, column = 1;
    bool good = true;
    unsigned *pieces = NULL; /* by the order of an edit: its index in *inserted */
    vec_resize(pieces, vec_len(s->edits));
    vec_each_at(const Edit, e, s->edits) {
        buf_bytes(out, text + at, e->at - at);
        buf_text(out, e->text);
        for (; at < e->at; at++) {
            line += text[at] == '\n';
            column = text[at] == '\n' ? 1 : column + 1;
        }
        Inserted new = {.file = s->file, .line = (unsigned)line, .column = (unsigned)column, .length = (unsigned)strlen(e->text)};
        if (e->update) new.last_line = new.line, new.last_column = new.column + new.length;
        if (e->ends != NO_EDIT) {
            Inserted *update = &(*inserted)[pieces[e->ends]];
            update->last_line = new.line;
            update->last_column = new.column;
        }
        pieces[e->order] = (unsigned)vec_len(*inserted);
        vec_push(*inserted, new);
        column += strlen(e->text);
        good = good && column < MOST_COLUMN;
    }
    vec_free(pieces);
    buf_text(out, text + at);
    if (!good) buf_text(s->why, MSG_WITNESS_LINE_LONG), s->limited = true;
    return good;
}

bool instrument(Buf *out, const char *file, const char *text, const Witness *w, bool ghosts, Inserted **inserted, Buf *why, bool *limited) {
    Source s = {.file = file, .text = text, .clean = clean_text(text), .length = strlen(text), .why = why};
    bool good = s.clean != NULL;
    buf_text(out, "void __heddle_atomic_begin(void); void __heddle_atomic_end(void); "
                  "extern void __assert_fail(const char *, const char *, unsigned int, const char *); ");
    for (size_t i = 0; i < vec_len(w->ghosts) && good; i++) good = put_ghost(out, &s, &w->ghosts[i], ghosts);
    buf_text(out, "\n#line 1\n");
    /* invariants come before updates, since they describe the state before the statement */
    for (size_t i = 0; i < vec_len(w->invariants) && good; i++)
        if (is_here(&s, &w->invariants[i].spot)) good = add_invariant(&s, w, &w->invariants[i]);
    for (size_t i = 0; i < vec_len(w->updates) && good; i++)
        if (is_here(&s, &w->updates[i].spot)) good = add_update(&s, w, &w->updates[i]);
    if (vec_len(s.edits)) qsort(s.edits, vec_len(s.edits), sizeof *s.edits, by_place);
    if (good) good = put_text(out, &s, text, inserted);
    for (size_t i = 0; i < vec_len(s.edits); i++) free(s.edits[i].text);
    vec_free(s.edits);
    free(s.clean);
    *limited = !good && s.limited;
    return good;
}
