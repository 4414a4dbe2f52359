/* SPDX-License-Identifier: Apache-2.0 */
/* Names threads and variables for display, and finds the variables that hold mutexes or numbers of threads. */
#include "explain/display_internal.h"
#include <string.h>

/* ---- names ---- */

static bool same(const char *a, const char *b) { return !strcmp(a, b); }

/* The length without the suffix (#2) that makes symbols of one name different. */
static size_t plain_length(const char *name) { return strcspn(name, "#"); }

static bool same_thread_name(const System *s, unsigned t, unsigned u) {
    const char *a = s->threads[t].name, *b = s->threads[u].name;
    return plain_length(a) == plain_length(b) && !strncmp(a, b, plain_length(a));
}

void display_name_threads(Display *p) {
    const System *s = p->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned number = 1, all = 0;
        const char *name = s->threads[t].name;
        for (unsigned u = 0; u < vec_len(s->threads); u++) {
            if (!same_thread_name(s, t, u) || s->threads[u].other_instance == t) continue;
            all++;
            number += u < t;
        }
        int length = (int)plain_length(name);
        vec_push(p->threads,
                 all > 1 ? arena_printf(s->arena, "%.*s[%u]", length, name, number) : arena_printf(s->arena, "%.*s", length, name));
    }
}

/* Returns where the variable's own name ends in lock.__data.__readers, a part of a library's type; NULL for another name. */
static const char *reserved_part(const char *name) { return strstr(name, ".__"); }

const char *display_own_name(const System *s, unsigned v) {
    ensure(v < vec_len(s->variables));
    const char *name = s->variables[v].name, *reserved = reserved_part(name);
    return reserved ? arena_printf(s->arena, "%.*s", (int)(reserved - name), name) : name;
}

/* True if another part of the same variable ends in the same name. */
static bool part_is_shared(const System *s, unsigned v, size_t length, const char *part) {
    const char *name = s->variables[v].name;
    for (unsigned o = 0; o < vec_len(s->variables); o++) {
        const char *other = s->variables[o].name, *end = strrchr(other, '.');
        if (!strncmp(other, name, length + 1) && !same(other, name) && end && same(end, part)) return true;
    }
    return false;
}

/* A member of a library's type is known only to Heddle's model of the library. Returns "lock's state" if it is the only member. Otherwise returns
   "lock's __readers", with the whole path where the last name is ambiguous. */
static const char *variable_name(const System *s, unsigned v) {
    const char *name = s->variables[v].name, *reserved = reserved_part(name), *part = strrchr(name, '.');
    if (!reserved) return name;
    size_t length = (size_t)(reserved - name);
    bool several = false;
    for (unsigned o = 0; o < vec_len(s->variables) && !several; o++)
        several = !strncmp(s->variables[o].name, name, length + 1) && !same(s->variables[o].name, name);
    if (several && part_is_shared(s, v, length, part)) part = reserved;
    return arena_printf(s->arena, "%.*s's %s", (int)length, name, several ? part + 1 : "state");
}

/* True if another displayed variable has the name. Sets *near if one of these belongs to the same thread. */
static bool is_ambiguous(const System *s, unsigned v, bool *near) {
    bool any = *near = false;
    const SystemVariable *x = &s->variables[v];
    for (unsigned o = 0; o < vec_len(s->variables); o++) {
        const SystemVariable *y = &s->variables[o];
        if (o == v || y->hidden || !same(x->name, y->name) ||
            (x->thread != NONE && y->thread == s->threads[x->thread].other_instance && y->thread != NONE))
            continue;
        any = true;
        *near |= x->thread == y->thread;
    }
    return any;
}

/* Returns the name that a debugger would use: worker[2]::i, if several threads have an i. i@12 is the i declared in line 12, if a thread has
   several. */
static const char *shown_name(const Display *p, unsigned v) {
    const System *s = p->system;
    const SystemVariable *x = &s->variables[v];
    bool near, ambiguous = is_ambiguous(s, v, &near);
    const char *name = variable_name(s, v);
    if (!ambiguous) return name;
    if (near && x->origin && x->origin->position.line) name = arena_printf(s->arena, "%s@%u", name, x->origin->position.line);
    return x->thread == NONE ? name : arena_printf(s->arena, "%s::%s", p->threads[x->thread], name);
}

/* Marks the local variables of a second instance with a quote: i'. */
static const Expr *shown_symbol(const Display *p, unsigned v) {
    const System *s = p->system;
    const SystemVariable *x = &s->variables[v];
    const char *name = shown_name(p, v);
    if (x->thread != NONE && system_first_instance(s, x->thread) != x->thread) name = arena_printf(s->arena, "%s'", name);
    Symbol *symbol = symbol_new(p->exprs, SYM_VARIABLE, name, x->symbol->sort);
    symbol->sign = x->symbol->sign;
    return expr_symbol(p->exprs, symbol);
}

const Expr *display_text(Exprs *x, const char *text, const Sort *sort) {
    const Symbol *s = symbol_find(x, text);
    return expr_symbol(x, s && s->sort == sort ? s : symbol_new(x, SYM_VARIABLE, text, sort));
}

void display_name_variables(Display *p) {
    const System *s = p->system;
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        const SystemVariable *x = &s->variables[v];
        bool shown = !x->hidden && !p->handle[v] && p->matters[v] && strncmp(x->name, LIBRARY_PREFIX, strlen(LIBRARY_PREFIX)) != 0;
        vec_push(p->variables, shown ? shown_symbol(p, v) : NULL);
    }
}

/* ---- numbers of threads ---- */

static bool is_handle(const SystemVariable *x) {
    const char *type = x->origin ? x->origin->ctype : NULL;
    return type && (!strcmp(type, "pthread_t") || !strcmp(type, "thrd_t"));
}

/* Finds variables that hold a thread's number: those that a creation assigns, those of type pthread_t or thrd_t, and those that copy one of them. */
void display_find_handles(Display *p) {
    const System *s = p->system->fine ? p->system->fine : p->system;
    for (size_t v = 0; v < vec_len(p->handle); v++) p->handle[v] = is_handle(&p->system->variables[v]);
    for (bool again = true; again;) {
        again = false;
        for (size_t t = 0; t < vec_len(s->threads); t++)
            vec_each_at(const Transition, tr, s->threads[t].transitions)
                for (size_t u = 0; u < vec_len(tr->updates); u++) {
                    const Expr *value = tr->updates[u].value;
                    unsigned v = tr->updates[u].variable, from = value->op == OP_SYMBOL ? system_variable(s, value->symbol) : NONE;
                    bool created = tr->creates != NONE && expr_is_const(value) && value->value == tr->creates + 1;
                    if (p->handle[v] || s->variables[v].hidden || !(created || (from != NONE && p->handle[from]))) continue;
                    p->handle[v] = again = true;
                }
    }
}

void display_find_mutexes(Display *p) {
    const System *s = p->system->fine ? p->system->fine : p->system;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            unsigned v = s->threads[t].transitions[i].lock;
            if (v != NONE && s->variables[v].owner == NONE) p->mutex[v] = true;
        }
}
