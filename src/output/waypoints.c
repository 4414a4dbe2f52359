/* SPDX-License-Identifier: Apache-2.0 */
/* A waypoint must be true of the C program as other validators read it. So places are lines where a statement begins. Values are those of global
   variables that no local variable hides. Other lines have no waypoint; a witness with fewer waypoints is still valid. */
#include "output/waypoints.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- inputs ---- */

/* Finds the word after __VERIFIER_nondet_ in the call at the position: "uchar". Returns its length; 0 if the line has no such call. */
static size_t nondet_type(Sources *sources, Position p, const char **word) {
    static const char prefix[] = "__VERIFIER_nondet_";
    const char *line = source_line(sources, p);
    if (!line || p.column < 1 || strlen(line) < p.column) return 0;
    const char *at = strstr(line + p.column - 1, prefix);
    if (!at) at = strstr(line, prefix);
    if (!at) return 0;
    *word = at + strlen(prefix);
    return strspn(*word, "abcdefghijklmnopqrstuvwxyz_0123456789");
}

static char *result_text(Sources *sources, const TraceInput *in) {
    const char *word;
    char *text = NULL;
    size_t n = nondet_type(sources, in->position, &word);
    if (!n || in->width > 64 || !strncmp(word, "float", n) || !strncmp(word, "double", n) || !strncmp(word, "pointer", n)) return NULL;
    bool is_unsigned = *word == 'u' || !strncmp(word, "bool", n) || !strncmp(word, "size_t", n);
    uint64_t bits = (uint64_t)in->bits;
    if (!is_unsigned && in->width < 64 && bits >> (in->width - 1) & 1) bits |= ~UINT64_C(0) << in->width;
    int made = is_unsigned ? asprintf(&text, "\\result == %" PRIu64 "%s", bits, bits > INT64_MAX ? "U" : "")
                           : asprintf(&text, "\\result == %" PRId64, (int64_t)bits);
    return made < 0 ? NULL : text;
}

/* ---- values of variables ---- */

/* Returns the length of a C name at the beginning of the text. */
static size_t identifier(const char *text) {
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    return isdigit((unsigned char)*text) ? 0 : n;
}

/* True for x, s.next, a[1].count: expressions of C. */
static bool is_path(const char *name) {
    size_t n = identifier(name);
    if (!n) return false;
    for (name += n; *name; name += n) {
        n = *name == '.' ? identifier(name + 1) : strspn(name + 1, "0123456789");
        if (!n || !strchr(".[", *name) || (*name == '[' && name[1 + n] != ']')) return false;
        n += *name == '[' ? 2 : 1;
    }
    return true;
}

static bool is_integer(const char *value) {
    size_t n = strlen(value + (*value == '-'));
    return n && n < 10 && strspn(value + (*value == '-'), "0123456789") == n;
}

/* True if the name is the variable's, or begins with it and continues with a member or an index. */
static bool is_of(const char *name, const char *variable, size_t length) {
    return !strncmp(name, variable, length) && (!name[length] || name[length] == '.' || name[length] == '[');
}

/* True if the declaration is in another file or above the position. */
static bool is_declared(Position declared, Position p) {
    return !declared.file || !p.file || strcmp(declared.file, p.file) || declared.line < p.line;
}

/* True if the name always denotes one global variable or a part of it, since no other variable has the name. */
static bool is_plain_global(const Program *p, const char *name, Position at) {
    unsigned globals = 0, others = 0;
    size_t n = identifier(name);
    vec_each(const Variable *, v, p->globals)
        if (!v->temporary && !strcmp(v->name, name)) *(is_declared(v->position, at) ? &globals : &others) += 1;
    vec_each(const Object *, o, p->objects) {
        bool global = o->kind == OBJECT_GLOBAL && is_declared(o->position, at);
        if (is_of(o->name, name, n)) *(global ? &globals : &others) += 1;
    }
    for (size_t t = 0; t < vec_len(p->templates); t++)
        vec_each(const Variable *, v, p->templates[t]->locals) others += !v->temporary && is_of(v->name, name, n);
    return globals == 1 && !others;
}

static bool is_written_before(const TraceLine *m, size_t event) {
    for (size_t i = 0; i < event; i++)
        if (m->events[i].kind != ACCESS_READ) return true;
    return false;
}

/* Returns the values that the line reads before it writes, as a condition (malloced). */
static char *values_text(const Program *p, const TraceLine *m) {
    Buf out = {0};
    for (size_t i = 0; i < vec_len(m->events) && !is_written_before(m, i); i++) {
        const TraceLineEvent *e = &m->events[i];
        const char *value = e->kind == ACCESS_READ ? e->value : e->kind == ACCESS_WRITE ? e->before : NULL;
        if (!e->shared || e->does || e->uninitialised || !e->name || !value || !is_path(e->name) || !is_integer(value) ||
            !is_plain_global(p, e->name, m->position))
            continue;
        buf_printf(&out, "%s%s == %s", out.length ? " && " : "", e->name, value);
    }
    if (!out.length) buf_text(&out, "1");
    return out.text;
}

/* ---- where statements begin ---- */

/* Returns the last character before the line, without comments and directives; 0 at the beginning of the file. */
static char before_line(Sources *sources, Position p) {
    while (--p.line) {
        const char *line = source_trimmed(sources, p);
        if (!line) return 0;
        const char *comment = strstr(line, "//");
        size_t n = comment ? (size_t)(comment - line) : strlen(line);
        while (n && line[n - 1] == ' ') n--;
        if (n && *line != '#') return line[n - 1];
    }
    return 0;
}

static bool begins_statement(Sources *sources, Position p) {
    const char *line = source_trimmed(sources, p);
    char before = before_line(sources, p);
    if (!line || !*line || strchr("{})#,.&|?:+-/=<>", *line)) return false;
    return before && strchr(";{}", before);
}

/* ---- all ---- */

static void add(Waypoint **list, WaypointKind kind, unsigned thread, Position p, const char *function, char *constraint) {
    if (p.file)
        vec_push(*list, ((Waypoint){.kind = kind, .thread = thread - 1, .position = p, .function = function, .constraint = constraint}));
    else free(constraint);
}

static bool switches(const Counterexample *s, size_t i) {
    return i && i < vec_len(s->moments) && s->moments[i].thread != s->moments[i - 1].thread;
}

enum { FEW_MOMENTS = 200 }; /* up to this number of lines, the values of all lines become waypoints */

/* True if the line is at a context switch, or if a thread continues there after an interrupted statement. */
static bool is_needed(const Counterexample *s, size_t i) {
    return switches(s, i) || switches(s, i + 1) || (i && s->moments[i - 1].resumes && s->moments[i - 1].thread == s->moments[i].thread);
}

static bool begins_here(const Counterexample *s, size_t i, const TraceInput *in) {
    const TraceLine *m = i < vec_len(s->moments) ? &s->moments[i] : NULL;
    return m && m->thread == in->thread && m->position.line == in->position.line && m->position.file == in->position.file;
}

/* Adds the next input. */
static void add_input(Waypoint **list, const Counterexample *s, Sources *sources, size_t *done) {
    const TraceInput *in = &s->inputs[(*done)++];
    char *text = result_text(sources, in);
    if (text) add(list, WAYPOINT_INPUT, in->thread, in->position, in->function, text);
}

/* Adds inputs that the program gets before line i ends. With `own`, adds all of them; otherwise stops at an input of the line's own statement.
   *done counts the inputs that were added. */
static void add_inputs(Waypoint **list, const Counterexample *s, Sources *sources, size_t i, bool own, size_t *done) {
    for (; *done < vec_len(s->inputs) && s->inputs[*done].moment <= i && begins_here(s, i, &s->inputs[*done]) <= own;)
        add_input(list, s, sources, done);
}

/* Adds the waypoints of a line. Inputs that come before the start of a thread are added before it. */
static void add_moment(Waypoint **list, const Program *p, const Counterexample *s, Sources *sources, size_t i, size_t *done) {
    const TraceLine *m = &s->moments[i];
    bool few = vec_len(s->moments) <= FEW_MOMENTS;
    if ((few || is_needed(s, i)) && !m->resumes && vec_len(m->events) && begins_statement(sources, m->position)) {
        char *values = values_text(p, m);
        if (strcmp(values, "1") || is_needed(s, i)) add(list, WAYPOINT_ASSUME, m->thread, m->position, m->function, values);
        else free(values);
    }
    for (size_t k = 0; k < vec_len(m->events); k++) {
        if (m->events[k].kind != ACCESS_CREATE) continue;
        while (*done < vec_len(s->inputs) && s->inputs[*done].threads < m->events[k].thread) add_input(list, s, sources, done);
        add(list, WAYPOINT_CREATE, m->thread, m->position, m->function, NULL);
    }
}

/* Returns the program's own function at the position; NULL if it is not known. */
static const char *function_of(Position p) {
    const Activation *in = p.in;
    while (in && in->library) in = in->from.in;
    return in ? in->function : NULL;
}

Waypoint *waypoints_of(const Program *p, const Counterexample *s, Sources *sources, bool race) {
    Waypoint *list = NULL;
    size_t n = vec_len(s->moments), last = race && n > 1 ? n - 2 : n ? n - 1 : 0, inputs = 0;
    for (size_t i = 0; i <= n; i++) {
        add_inputs(&list, s, sources, i, false, &inputs);
        if (i < last) add_moment(&list, p, s, sources, i, &inputs);
        add_inputs(&list, s, sources, i, true, &inputs);
    }
    if (s->first_thread) add(&list, WAYPOINT_TARGET, s->first_thread, s->first, function_of(s->first), NULL);
    for (size_t i = last; i < n; i++) {
        const TraceLine *m = &s->moments[i + 1 == n && s->endless && s->loop < n ? s->loop : i];
        bool end = i + 1 == n && s->position.file;
        bool same = !end || (m->position.file == s->position.file && m->position.line == s->position.line);
        add(&list, WAYPOINT_TARGET, end && s->thread ? s->thread : m->thread, end ? s->position : m->position,
            same ? m->function : function_of(s->position), NULL);
    }
    return list;
}

void waypoints_free(Waypoint *list) {
    for (size_t i = 0; i < vec_len(list); i++) free(list[i].constraint);
    vec_free(list);
}
