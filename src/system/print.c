/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the .sys text of a system (doc/system.md). The text leaves out the defaults of the parser. A transition has the position of its
   source and the action of its own number, and all locals of a thread are live. */
#include "expr/named.h"
#include "ir/text.h"
#include "system/text.h"
#include <string.h>

/* ---- small parts ---- */

/* Prints a name. `goto` ends a list of assignments, so a variable of that name is quoted. */
static void name(Buf *out, const char *text) {
    if (strcmp(text, "goto")) name_print(out, text);
    else buf_text(out, "|goto|");
}

static void variable(Buf *out, const System *s, unsigned v) { name(out, s->variables[v].symbol->name); }

static void sign(Buf *out, const Symbol *s) { buf_text(out, s->sign > 0 ? " signed" : s->sign < 0 ? " unsigned" : ""); }

/* ---- variables ---- */

static void print_variable(Buf *out, const System *s, const SystemVariable *v) {
    buf_text(out, v->thread == NONE ? "global " : "local ");
    name(out, v->symbol->name);
    buf_text(out, " : ");
    sort_print(out, v->symbol->sort);
    if (v->init) buf_text(out, " = "), expr_print(out, v->init);
    if (v->thread != NONE) buf_text(out, " in "), name(out, s->threads[v->thread].name);
    sign(out, v->symbol);
    if (v->origin) {
        buf_printf(out, " as%s%s ", v->origin->is_signed ? " signed" : "", v->origin->congruent ? " congruent" : "");
        sort_print(out, v->origin->sort);
    }
    if (v->hidden) buf_text(out, " hidden");
    if (v->owner != NONE) buf_text(out, " holder "), variable(out, s, v->owner);
    if (strcmp(v->name, v->symbol->name)) buf_text(out, " name "), text_print_string(out, v->name);
    buf_text(out, ";\n");
}

/* ---- expressions of a transition: large ones that occur more than once get names ---- */

enum { SMALL_TREE = 400 };

/* Returns names for shared parts of the transition's expressions; NULL if the expressions are small. */
static Names *names_of(const System *s, const Transition *tr) {
    uint64_t tree = tr->guard->tree;
    for (size_t u = 0; u < vec_len(tr->updates); u++) tree += tr->updates[u].value->tree;
    if (tree < SMALL_TREE) return NULL;
    Names *n = names_new();
    for (size_t v = 0; v < vec_len(s->variables); v++) names_avoid(n, s->variables[v].symbol->name);
    for (size_t k = 0; k < vec_len(tr->inputs); k++) names_avoid(n, tr->inputs[k]->name);
    names_count(n, tr->guard);
    for (size_t u = 0; u < vec_len(tr->updates); u++) names_count(n, tr->updates[u].value);
    return n;
}

static void print_names(Buf *out, Names *n, const Transition *tr) {
    static const char *before = "\n      ";
    bool some = n && names_print_definitions(n, out, tr->guard, before);
    for (size_t u = 0; n && u < vec_len(tr->updates); u++) some |= names_print_definitions(n, out, tr->updates[u].value, before);
    if (some) buf_text(out, before);
}

/* ---- transitions ---- */

static void print_inputs(Buf *out, const Transition *tr) {
    for (size_t i = 0; i < vec_len(tr->inputs); i++) {
        buf_text(out, i ? ", " : "any ");
        name(out, tr->inputs[i]->name);
        buf_text(out, " : ");
        sort_print(out, tr->inputs[i]->sort);
        sign(out, tr->inputs[i]);
    }
    if (vec_len(tr->inputs)) buf_char(out, ' ');
}

static void print_actions(Buf *out, const Transition *tr) {
    if (vec_len(tr->actions) == 1 && tr->actions[0] == tr->index) return;
    buf_text(out, "actions (");
    for (size_t i = 0; i < vec_len(tr->actions); i++) {
        unsigned a = tr->actions[i];
        const char *word = a == ACTIONS_EITHER ? "either"
                           : a == ACTIONS_OR   ? "or"
                           : a == ACTIONS_LOOP ? "loop"
                           : a == ACTIONS_END  ? "end"
                                               : NULL;
        if (i) buf_char(out, ' ');
        if (word) buf_text(out, word);
        else buf_printf(out, "%u", a);
    }
    buf_text(out, ") ");
}

static void print_notes(Buf *out, const System *s, const Transition *tr) {
    if (tr->creates != NONE) buf_text(out, "creates "), name(out, s->threads[tr->creates].name), buf_char(out, ' ');
    if (tr->joins != NONE) buf_text(out, "joins "), name(out, s->threads[tr->joins].name), buf_char(out, ' ');
    else if (tr->waits) buf_text(out, "waits ");
    if (tr->lock != NONE) buf_text(out, "locks "), variable(out, s, tr->lock), buf_char(out, ' ');
    if (tr->unlock != NONE) buf_text(out, "unlocks "), variable(out, s, tr->unlock), buf_char(out, ' ');
}

static void print_updates(Buf *out, const System *s, const Transition *tr, Names *names) {
    size_t n = vec_len(tr->updates);
    const char *before = n > 1 ? "\n      " : " ";
    if (n) buf_text(out, "do");
    for (size_t i = 0; i < n; i++) {
        buf_text(out, before);
        variable(out, s, tr->updates[i].variable);
        buf_text(out, " := ");
        names_print(names, out, tr->updates[i].value);
        buf_char(out, ';');
    }
    if (n) buf_text(out, n > 1 ? "\n    " : " ");
}

static void print_transition(Buf *out, const System *s, const SystemLocation *l, const Transition *tr, unsigned expected) {
    Names *names = names_of(s, tr);
    buf_text(out, "    ");
    if (tr->index != expected) buf_printf(out, "transition %u ", tr->index);
    print_inputs(out, tr);
    print_names(out, names, tr);
    if (!expr_is_true(tr->guard)) {
        buf_text(out, "when ");
        names_print(names, out, tr->guard);
        buf_char(out, ' ');
    }
    text_print_position(out, tr->position, l->position, "", " ");
    print_notes(out, s, tr);
    print_actions(out, tr);
    print_updates(out, s, tr, names);
    buf_printf(out, "goto l%u;\n", tr->target);
    names_free(names);
}

/* ---- locations, threads ---- */

static size_t count_locals(const System *s, unsigned thread) {
    size_t n = 0;
    for (size_t v = 0; v < vec_len(s->variables); v++) n += s->variables[v].thread == thread;
    return n;
}

static void print_live(Buf *out, const System *s, unsigned thread, const SystemLocation *l) {
    if (vec_len(l->live) == count_locals(s, thread)) return;
    buf_text(out, " live (");
    for (size_t i = 0; i < vec_len(l->live); i++) {
        if (i) buf_char(out, ' ');
        variable(out, s, l->live[i]);
    }
    buf_char(out, ')');
}

static void print_location(Buf *out, const System *s, unsigned thread, unsigned index, unsigned *expected) {
    const SystemLocation *l = &s->threads[thread].locations[index];
    buf_printf(out, "  l%u", index);
    if (l->atomic) buf_text(out, " atomic");
    if (l->loop_head) buf_text(out, " loop");
    if (l->kind != LOCATION_PLAIN) buf_printf(out, " %s", location_words[l->kind]);
    if (l->text) buf_char(out, ' '), text_print_string(out, l->text);
    print_live(out, s, thread, l);
    text_print_position(out, l->position, (Position){0}, " ", "");
    if (!vec_len(l->out)) {
        buf_text(out, ";\n");
        return;
    }
    buf_text(out, " {\n");
    for (size_t i = 0; i < vec_len(l->out); i++) print_transition(out, s, l, &s->threads[thread].transitions[l->out[i]], (*expected)++);
    buf_text(out, "  }\n");
}

static void print_thread(Buf *out, const System *s, unsigned index) {
    const SystemThread *t = &s->threads[index];
    unsigned expected = 0;
    buf_text(out, "\nthread ");
    name(out, t->name);
    if (t->many) buf_text(out, " many");
    if (t->other_instance != NONE) buf_text(out, " twin "), name(out, s->threads[t->other_instance].name);
    if (t->self != NONE) buf_text(out, " self "), variable(out, s, t->self);
    if (t->status != NONE) buf_text(out, " status "), variable(out, s, t->status);
    if (t->template_ != index) buf_printf(out, " template %u", t->template_);
    buf_printf(out, " entry l%u {\n", t->entry);
    for (unsigned l = 0; l < vec_len(t->locations); l++) print_location(out, s, index, l, &expected);
    buf_text(out, "}\n");
}

static void print_fill(Buf *out, const System *s, const SystemFill *f) {
    buf_text(out, "\nfill ");
    variable(out, s, f->array);
    buf_text(out, " at ");
    variable(out, s, f->index);
    buf_text(out, " with ");
    name(out, f->input->name);
    buf_text(out, " : ");
    sort_print(out, f->input->sort);
    sign(out, f->input);
    buf_text(out, ";\n");
}

void system_print(Buf *out, const System *s) {
    buf_printf(out, "system %s;\n", s->integers ? "integers" : "bitvectors");
    for (size_t v = 0; v < vec_len(s->variables); v++) print_variable(out, s, &s->variables[v]);
    for (unsigned t = 0; t < vec_len(s->threads); t++) print_thread(out, s, t);
    for (size_t i = 0; i < vec_len(s->fills); i++) print_fill(out, s, &s->fills[i]);
}
