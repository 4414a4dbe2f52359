/* SPDX-License-Identifier: Apache-2.0 */
#include "app/dump.h"
#include "app/messages.h"
#include "ir/weak.h"
#include "passes/route.h"
#include "process/messages.h"
#include "result/property.h"
#include "system/text.h"
#include <string.h>

static const PassTable *const tables[] = {&passes_loading, &passes_weak, &passes_property, &passes_building, &passes_reducing};
enum { TABLES = sizeof tables / sizeof *tables };

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
    buf_printf(error, MSG_APP_PASS_UNKNOWN, pass);
    return false;
}

/* ---- the output of a pass ---- */

typedef struct Wanted {
    const char *pass;
    Buf *out;
    bool seen;
} Wanted;

static void look(void *context, const Pass *x, const Chain *p) {
    Wanted *w = context;
    if (strcmp(x->name, w->pass)) return;
    w->seen = true;
    if (x->over == OVER_PROGRAM) program_print(w->out, p->program);
    else if (p->movers) blocks_print(w->out, p->system, p->movers, p->blocks);
    else system_print(w->out, p->system);
}

static bool refused(const char *pass, const Chain *p, Buf *error) {
    if (p->where.file) buf_printf(error, "%s:%u:%u: ", p->where.file, p->where.line, p->where.column);
    buf_line(error, "the pass %s is not reached: %s", pass, buf_string(&p->why));
    return false;
}

static bool not_run(const char *pass, Buf *error) {
    buf_text(error, "heddle: ");
    buf_line(error, MSG_APP_PASS_NOT_RUN, pass, find(pass)->when);
    return false;
}

/* ---- the chain up to the pass ---- */

static MemoryForm form_of(const char *pass, const Program *p) {
    if (!strcmp(pass, "fence")) return MEMORY_AS_IS;
    if (!strcmp(pass, "store-buffers")) return memory_is_buffered(p->memory) ? MEMORY_BUFFERED : MEMORY_AS_IS;
    if (!strcmp(pass, "robustness-monitor")) return p->memory == MEMORY_TSO ? MEMORY_MONITORED : MEMORY_AS_IS;
    if (!strcmp(pass, "plain-atomics")) return p->memory == MEMORY_C11 ? MEMORY_PLAIN_SC : MEMORY_AS_IS;
    return p->memory == MEMORY_SC ? MEMORY_AS_IS : MEMORY_AS_SC;
}

/* Returns a fence behind the first store that may be delayed, as a vec, since no execution shows which store needs one. */
static FencePlace *first_late(const Program *p) {
    FencePlace *fences = NULL;
    StoreDelays *d = delays_new(p, NULL, NULL);
    for (unsigned t = 0; t < vec_len(d->of) && !fences; t++)
        for (unsigned a = 0; a < vec_len(d->of[t]) && !fences; a++)
            if (d->of[t][a].may_be_delayed) vec_push(fences, ((FencePlace){t, a}));
    delays_free(d);
    return fences;
}

/* Runs the tables in their order, up to the pass. Returns the chain whose pass refused, or NULL. */
static Chain *run_to(const char *pass, Chain *first, Chain *second, PassSettings settings) {
    static const PassTable *const chain[] = {&passes_weak, &passes_property, &passes_building, &passes_reducing};
    Chain *p = first;
    for (unsigned t = 0; t < sizeof chain / sizeof *chain; t++) {
        bool last = pass_named(chain[t], pass) != NULL;
        if (chain[t] == &passes_building) {
            *second = chain_new(first->program, settings);
            second->after = first->after;
            second->context = first->context;
            p = second;
        }
        if (!passes_run(p, chain[t], last ? pass : NULL)) return p;
        if (last) return NULL;
    }
    return NULL;
}

/* Returns the violation of the first assertion as a known one, as a vec, since no execution shows which one is violated. */
static KnownViolation *first_assertion(const Program *p) {
    KnownViolation *known = NULL;
    for (unsigned t = 0; t < vec_len(p->templates) && !known; t++)
        for (unsigned l = 0; l < vec_len(p->templates[t]->locations) && !known; l++)
            if (p->templates[t]->locations[l].kind == LOCATION_ERROR)
                vec_push(known, (KnownViolation){.error = p->templates[t]->locations[l].position});
    return known;
}

static bool dump_loading(const char *pass, const Loaded *in, const Question *q, Buf *out, Buf *error) {
    const Pass *x = pass_named(&passes_loading, pass);
    Known known = {.list = !strcmp(pass, "known-errors") ? first_assertion(in->program) : NULL};
    Question asked = *q;
    if (known.list) asked.known = &known;
    PassSettings settings = {.c = in->c, .question = &asked};
    bool runs = pass_applies(x, &settings);
    Program *p = runs ? loaded_program(in, &asked, pass) : NULL;
    if (p) program_print(out, p), program_free(p);
    known_free(&known);
    return runs || not_run(pass, error);
}

bool dump_after(const char *pass, const Config *c, const Loaded *in, const Question *q, Buf *out, Buf *error) {
    const Engine *engine = c->engine ? c->engine : &engine_redcomp;
    pass = find(pass)->name; /* the pass may be named as in earlier versions */
    if (pass_named(&passes_loading, pass)) return dump_loading(pass, in, q, out, error);
    if (!engine->supports(q->property)) {
        buf_text(error, "heddle: ");
        buf_line(error, MSG_PROCESS_ENGINE_PROPERTY, c->engine_name, property_name(q->property));
        return false;
    }
    Wanted w = {.pass = pass, .out = out};
    Program *p = loaded_program(in, q, NULL);
    EngineTask task = {.program = p, .question = q, .options = c->engines};
    PassSettings settings = engine->settings ? engine->settings(&task) : (PassSettings){.question = NULL};
    if (!strcmp(pass, "bound-thread-creation")) settings.rounds = 1; /* only the first of several attempts does not run it */
    if (!strcmp(pass, "count-steps")) settings.count = true;
    const Question *asked = engine_needs_errors(engine, q->property) ? q : NULL;
    FencePlace *fences = !strcmp(pass, "fence") && memory_is_buffered(p->memory) ? first_late(p) : NULL;
    Chain first = chain_new(p, (PassSettings){.question = asked, .memory = form_of(pass, p), .fences = fences}), second = {.after = NULL};
    first.after = look;
    first.context = &w;
    const Chain *stuck = run_to(pass, &first, &second, settings);
    if (stuck && !w.seen) refused(pass, stuck, error);
    else if (!w.seen) not_run(pass, error);
    chain_free(&second);
    chain_free(&first);
    vec_free(fences);
    program_free(p);
    return w.seen;
}

/* Under C11, most properties need a lemma of race freedom. Then the dump is the program for all properties, which keeps all accesses
   that can race. The procedures of a program are shown as well, since the program has its meaning by them. */
void dump_ir(const Loaded *in, const Question *q, Buf *out) {
    bool weak = in->program->memory == MEMORY_C11 && q->property != PROPERTY_UNREACH_CALL && q->property != PROPERTY_NO_DATA_RACE;
    bool whole = weak || vec_len(in->program->procedures);
    Program *p = whole ? NULL : loaded_program(in, q, NULL);
    program_print(out, p ? p : in->program);
    if (p) program_free(p);
}

void dump_view(const Config *c, const Loaded *in, const Question *q, EngineView view, Buf *out) {
    Program *p = loaded_program(in, q, NULL);
    Route route = route_new(p, q, (PassSettings){.memory = form_of("", p)});
    Chain *chain = route_chain(&route, engine_needs_errors(&engine_redcomp, q->property));
    Verdict *v = chain ? NULL : route_refusal(&route);
    EngineTask task = {.program = chain ? chain->program : p, .question = q, .options = c->engines};
    if (v) buf_printf(out, "%s\n", v->reason);
    else engine_redcomp.show(&task, view, out);
    verdict_free(v);
    route_free(&route);
    program_free(p);
}
