/* SPDX-License-Identifier: Apache-2.0 */
/* Different things of one name: those that a story tells of are noted when it is told first; if there are some, it is told again, with what tells them apart. */
#include "explain/teller.h"
#include <string.h>

static const char *base_name(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static bool same_file(const Namesake *a, const Namesake *b) {
    return a->position.file && b->position.file && !strcmp(a->position.file, b->position.file);
}

/* What is called by its address is of its thread, if it has one. False: it has a name of its own anyway. */
static bool find_namesake(const Teller *t, const Variable *v, const Object *o, uint64_t address, Namesake *out) {
    uint64_t offset;
    unsigned thread = 0;
    *out = (Namesake){.position = v ? v->position : o ? o->position : (Position){0}};
    if (v) {
        out->name = v->name;
        out->what = v;
        return v->global && !v->temporary;
    }
    if (!o || o->kind == OBJECT_HEAP || o->kind == OBJECT_FUNCTION) return false;
    out->name = o->name;
    out->what = o;
    if (o->kind != OBJECT_GLOBAL && layout_find(t->layout, address, &thread, &offset) == o) out->thread = thread;
    return o->kind == OBJECT_GLOBAL || out->thread;
}

/* A part is called by the name of the whole: s.next. */
static bool same_name(const Namesake *a, const Namesake *b) {
    size_t n = strcspn(a->name, ".[");
    return n == strcspn(b->name, ".[") && !strncmp(a->name, b->name, n);
}

/* Locals of one thread live one after the other; parts of a variable are declared where it is. */
static bool is_other(const Namesake *a, const Namesake *b) {
    if (!same_name(a, b) || a->what == b->what) return same_name(a, b) && a->thread != b->thread;
    return a->thread != b->thread || (!a->thread && (!same_file(a, b) || a->position.line != b->position.line));
}

void note_named(Teller *t, const Access *a) {
    Namesake n;
    if (!a->shared || !find_namesake(t, a->variable, a->object, a->address, &n)) return;
    for (size_t i = 0; i < vec_len(t->named); i++)
        if (t->named[i].what == n.what && t->named[i].thread == n.thread) return;
    vec_push(t->named, n);
}

bool names_differ(const Teller *t) {
    for (size_t i = 0; i < vec_len(t->named); i++)
        for (size_t k = 0; k < i; k++)
            if (is_other(&t->named[i], &t->named[k])) return true;
    return false;
}

void put_which(const Teller *t, Buf *out, const Variable *v, const Object *o, uint64_t address) {
    Namesake n;
    bool several = false, near = false;
    if (!t->again || !find_namesake(t, v, o, address, &n)) return;
    for (size_t i = 0; i < vec_len(t->named); i++) {
        if (!is_other(&n, &t->named[i])) continue;
        several = true;
        near |= !n.thread && !t->named[i].thread && same_file(&n, &t->named[i]);
    }
    if (!several) return;
    if (n.thread > 1) buf_printf(out, " (thread %u)", n.thread);
    else if (n.thread) buf_text(out, " (main)");
    else if (n.position.file && near) buf_printf(out, " (%s:%u)", base_name(n.position.file), n.position.line);
    else if (n.position.file) buf_printf(out, " (%s)", base_name(n.position.file));
}
