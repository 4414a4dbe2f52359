/* SPDX-License-Identifier: Apache-2.0 */
#include "app/dump.h"
#include "passes/passes.h"
#include "system/text.h"
#include <string.h>

static const PassTable *const tables[] = {&passes_loading, &passes_weak, &passes_asking, &passes_building, &passes_reducing};
enum { TABLES = sizeof tables / sizeof *tables };

bool dump_is_list(const char *pass) { return pass && (!strcmp(pass, "list") || !strcmp(pass, "help")); }

void dump_list(Buf *out) {
    for (unsigned t = 0; t < TABLES; t++) {
        buf_printf(out, "%s%s:\n", t ? "\n" : "", tables[t]->title);
        for (unsigned i = 0; i < tables[t]->n; i++) {
            const Pass *x = &tables[t]->list[i];
            buf_printf(out, "  %-18s  %s", x->name, x->summary);
            if (x->when) buf_printf(out, " (%s)", x->when);
            buf_char(out, '\n');
        }
    }
}

static const Pass *find(const char *name) {
    const Pass *x = NULL;
    for (unsigned t = 0; t < TABLES && !x; t++) x = pass_named(tables[t], name);
    return x;
}

bool dump_knows(const char *pass, Buf *error) {
    if (find(pass)) return true;
    buf_printf(error, "there is no pass '%s'; --dump-after list names them", pass);
    return false;
}

/* ---- what a pass made ---- */

typedef struct Wanted {
    const char *pass;
    Buf *out;
    bool seen;
} Wanted;

static void look(void *context, const Pass *x, const Prepared *p) {
    Wanted *w = context;
    if (strcmp(x->name, w->pass)) return;
    w->seen = true;
    if (x->over == OVER_PROGRAM) program_print(w->out, p->program);
    else if (p->movers) blocks_print(w->out, p->system, p->movers, p->blocks);
    else system_print(w->out, p->system);
}

static bool refused(const char *pass, const Prepared *p, Buf *error) {
    if (p->where.file) buf_printf(error, "%s:%u:%u: ", p->where.file, p->where.line, p->where.column);
    buf_printf(error, "the pass %s is not reached: %s\n", pass, buf_string(&p->why));
    return false;
}

static bool not_run(const char *pass, Buf *error) {
    buf_printf(error, "heddle: the pass %s is only run %s\n", pass, find(pass)->when);
    return false;
}

/* Stores that may be late, in one way. */
static bool dump_weak(const char *pass, const Program *p, Wanted *w, Buf *error) {
    Prepared made = prepared_copy(p, (PassSettings){.memory = p->memory, .attack = !strcmp(pass, "attack")});
    made.after = look;
    made.context = w;
    bool refused_it = !passes_run(&made, &passes_weak, NULL);
    if (refused_it) refused(pass, &made, error);
    else if (!w->seen) not_run(pass, error);
    prepared_release(&made);
    return w->seen;
}

/* Up to the pass, through the tables before it. What refused on the way, or NULL. */
static Prepared *run_to(const char *pass, Prepared *asked, Prepared *made, PassSettings settings) {
    bool early = pass_named(&passes_asking, pass) != NULL, late = pass_named(&passes_reducing, pass) != NULL;
    if (!passes_run(asked, &passes_asking, early ? pass : NULL)) return asked;
    if (early) return NULL;
    *made = prepared_copy(asked->program, settings);
    made->after = asked->after;
    made->context = asked->context;
    if (!passes_run(made, &passes_building, late ? NULL : pass)) return made;
    if (late) passes_run(made, &passes_reducing, pass);
    return NULL;
}

bool dump_after(const char *pass, const Engine *engine, const EngineTask *task, Property asks, Buf *out, Buf *error) {
    Wanted w = {.pass = pass, .out = out};
    if (pass_named(&passes_loading, pass)) { /* and run, when the program was loaded */
        program_print(out, task->program);
        return true;
    }
    if (pass_named(&passes_weak, pass)) return dump_weak(pass, task->program, &w, error);
    PassSettings settings = engine->settings(task);
    if (!strcmp(pass, "few-rounds")) settings.rounds = 1; /* of several attempts, only the first is without them */
    if (!strcmp(pass, "count-steps")) settings.count = true;
    Prepared asked = prepared_copy(task->program, (PassSettings){.question = asks ? task->question : NULL}), made = {.after = NULL};
    asked.after = look;
    asked.context = &w;
    const Prepared *stuck = run_to(pass, &asked, &made, settings);
    if (stuck && !w.seen) refused(pass, stuck, error);
    else if (!w.seen) not_run(pass, error);
    prepared_release(&made);
    prepared_release(&asked);
    return w.seen;
}
