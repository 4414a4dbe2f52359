/* SPDX-License-Identifier: Apache-2.0 */
/* Makes candidates for the invariants of our own witness. A proof has formulas for places of threads. The witness gets one formula for
   each line: the disjunction of those for a thread at that line. Only the conjuncts over global variables are kept, which makes a
   formula weaker, never stronger. A formula of a proof may hold only while no thread is inside a block, and so each candidate must be
   proved again. */
#include "witness/witness_invariants.h"
#include "base/messages.h"
#include "witness/value.h"
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLAIMS = 24, LONGEST = 400 };

typedef struct Draft {
    Spot spot;
    Buf text;   /* a disjunction */
    bool void_; /* a disjunct has no conjunct that C can express, so the disjunction is true */
} Draft;

/* ---- formulas ---- */

/* Returns whether the name always refers to one global variable of integer type. */
static bool is_plain(void *context, const char *name) {
    const Program *p = context;
    unsigned globals = 0, others = 0;
    for (size_t i = 0; i < vec_len(p->globals); i++)
        if (!strcmp(p->globals[i]->name, name)) {
            const Variable *v = p->globals[i];
            *(v->temporary || v->sort->kind != SORT_BV ? &others : &globals) += 1;
        }
    for (size_t i = 0; i < vec_len(p->objects); i++) others += !strcmp(p->objects[i]->name, name);
    for (size_t t = 0; t < vec_len(p->templates); t++)
        vec_each(const Variable *, v, p->templates[t]->locals) others += !v->temporary && !strcmp(v->name, name);
    return globals == 1 && !others;
}

typedef struct Names {
    const Program *program;
    bool all, any; /* all names are plain; there is a name */
} Names;

static bool ask(void *context, const char *name, Number *value) {
    Names *n = context;
    n->any = true;
    n->all &= is_plain((void *)(uintptr_t)n->program, name);
    *value = (Number){1, 32, true, true};
    return true;
}

static bool is_c(const Program *p, const char *text) {
    Names n = {p, true, false};
    unsigned odd = ODD_ILL;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c >= 128) return false;
    if (strpbrk(text, ";{}\\\"#[].?")) return false;
    value_holds(text, p->pointer_width, ask, &n, &odd);
    return !odd && n.all && n.any;
}

/* Adds the conjuncts that C can express. */
static void put_parts(Buf *out, const Program *p, const char *text) {
    int depth = 0;
    for (const char *start = text, *c = text;; c++) {
        if (*c == '(') depth++;
        if (*c == ')') depth--;
        if (!*c || (!depth && !strncmp(c, " && ", 4))) {
            char *part = strndup(start, (size_t)(c - start));
            if (!part) out_of_resources(MSG_BASE_NO_MEMORY);
            bool alternatives = strstr(part, "||") != NULL;
            if (is_c(p, part)) buf_printf(out, alternatives ? "%s(%s)" : "%s%s", out->length ? " && " : "", part);
            free(part);
            if (!*c) return;
            c += 3;
            start = c + 1;
        }
    }
}

/* ---- by line ---- */

static Draft *draft_at(Draft **list, Spot spot) {
    for (size_t i = 0; i < vec_len(*list); i++)
        if ((*list)[i].spot.line == spot.line && !strcmp((*list)[i].spot.file, spot.file)) return &(*list)[i];
    vec_push(*list, ((Draft){.spot = spot}));
    return &vec_last(*list);
}

/* True if the disjunction has the part as one of its disjuncts. */
static bool has_part(const Buf *text, const char *part) {
    const char *start = buf_string(text);
    size_t n = strlen(part);
    for (const char *found = start; (found = strstr(found, part)); found++) {
        bool begins = found == start || (found - start >= 4 && !strncmp(found - 4, " || ", 4));
        if (begins && (!found[n] || !strncmp(found + n, " || ", 4))) return true;
    }
    return false;
}

static void add_formula(Draft *d, const Program *p, const char *text) {
    Buf part = {0};
    if (strcmp(text, "true")) put_parts(&part, p, text);
    if (!part.length) d->void_ = true;
    else {
        Buf whole = {0};
        buf_printf(&whole, strstr(part.text, " && ") ? "(%s)" : "%s", part.text);
        if (!has_part(&d->text, whole.text)) buf_printf(&d->text, "%s%s", d->text.length ? " || " : "", whole.text);
        buf_free(&whole);
    }
    buf_free(&part);
}

static void add_place(Draft **list, Arena *arena, const Program *p, const json_t *place) {
    const json_t *at = json_object_get(place, "at"), *holds = json_object_get(place, "holds");
    for (size_t t = 0; t < json_array_size(at); t++) {
        const json_t *where = json_array_get(at, t);
        const char *file = json_string_value(json_array_get(where, 1)), *what = json_string_value(json_array_get(where, 3));
        unsigned line = (unsigned)json_integer_value(json_array_get(where, 2));
        if (!file || !line || !what || strcmp(what, "at")) continue;
        Draft *d = draft_at(list, (Spot){.file = arena_strdup(arena, file), .line = line});
        for (size_t i = 0; i < json_array_size(holds); i++) add_formula(d, p, json_string_value(json_array_get(holds, i)));
    }
}

void invariants_of_view(Witness *w, Arena *arena, const Program *p, const char *view) {
    json_t *o = json_loads(view, 0, NULL);
    const json_t *places = json_object_get(o, "places");
    Draft *drafts = NULL;
    bool whole = !json_object_get(o, "more"); /* the view has all places */
    for (size_t i = 0; i < json_array_size(places) && whole; i++) add_place(&drafts, arena, p, json_array_get(places, i));
    vec_each_at(Draft, d, drafts) {
        if (!d->void_ && d->text.length && d->text.length < LONGEST && vec_len(w->invariants) < MOST_CLAIMS)
            vec_push(w->invariants, ((Invariant){.spot = d->spot, .text = arena_strdup(arena, d->text.text)}));
        buf_free(&d->text);
    }
    vec_free(drafts);
    json_decref(o);
}

/* ---- ghosts ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Returns the mutex of a call such as "pthread_mutex_lock(&m);" at the beginning of the line, or NULL. */
static const char *call_of(Arena *arena, const char *line, const char *function) {
    line += strspn(line, " \t");
    size_t n = strlen(function), length = 0;
    if (strncmp(line, function, n) || strncmp(line + n, "(&", 2)) return NULL;
    line += n + 2;
    while (is_word(line[length])) length++;
    if (!length || strncmp(line + length, ");", 2)) return NULL;
    return arena_strndup(arena, line, length);
}

static bool has_ghost(const Witness *w, const char *name) {
    for (size_t i = 0; i < vec_len(w->ghosts); i++)
        if (!strcmp(w->ghosts[i].name, name)) return true;
    return false;
}

void invariants_ghosts(Witness *w, Arena *arena, const char *file, const char *text) {
    static const char *const functions[] = {"pthread_mutex_unlock", "pthread_mutex_lock"};
    unsigned line = 1;
    for (const char *s = text; *s; line++) {
        for (unsigned taken = 0; taken < 2; taken++) {
            const char *mutex = call_of(arena, s, functions[taken]);
            if (!mutex) continue;
            const char *name = arena_printf(arena, "%s_locked", mutex);
            if (strstr(text, name)) continue;
            if (!has_ghost(w, name)) vec_push(w->ghosts, ((Ghost){.name = name, .type = "int", .initial = "0"}));
            GhostUpdate u = {.spot = {.file = arena_strdup(arena, file), .line = line}, .variable = name, .text = taken ? "1" : "0"};
            vec_push(w->updates, u);
        }
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
}

bool invariants_weaken(const Witness *w, Arena *arena, Invariant *v) {
    Buf text = {0};
    if (!vec_len(w->ghosts) || strstr(v->text, "_locked || ")) return false;
    for (size_t i = 0; i < vec_len(w->ghosts); i++) buf_printf(&text, "%s || ", w->ghosts[i].name);
    buf_printf(&text, strstr(v->text, "||") ? "(%s)" : "%s", v->text);
    v->text = arena_strdup(arena, text.text);
    buf_free(&text);
    return true;
}

static bool is_used(const Witness *w, const char *name) {
    for (size_t i = 0; i < vec_len(w->invariants); i++)
        if (strstr(w->invariants[i].text, name)) return true;
    return false;
}

void invariants_tidy(Witness *w) {
    size_t ghosts = 0, updates = 0;
    for (size_t i = 0; i < vec_len(w->ghosts); i++)
        if (is_used(w, w->ghosts[i].name)) w->ghosts[ghosts++] = w->ghosts[i];
    for (size_t i = 0; i < vec_len(w->updates); i++)
        if (is_used(w, w->updates[i].variable)) w->updates[updates++] = w->updates[i];
    vec_resize(w->ghosts, ghosts);
    vec_resize(w->updates, updates);
}
