/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for violations by many random executions with sampled inputs. Each run has one of these ways of scheduling:
   - AT_RANDOM: threads switch with a probability that varies from run to run;
   - BY_PRIORITY: threads have random priorities, which fall at a few random points (PCT: Burckhardt et al., ASPLOS 2010);
   - IN_TURNS: threads take turns of fixed numbers of steps;
   - INTERRUPTED: a thread runs until it must wait, except for a few random interruptions. This way also suits very long runs and very many threads;
   - FOCUSED: threads that do not affect an error have low priorities, and the other threads run until they must wait. It serves programs in
     which few threads affect an error.
   BY_PRIORITY and INTERRUPTED find errors that need few switches at the right places with a good probability.
   In some runs, an input that is read again and again, character by character, is the text of a number. */
#include "engine/explicit/explicit.h"
#include "ir/wait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Logged {
    unsigned thread, action;
    size_t choices; /* the end of its choices in Simulation.chosen */
} Logged;

/* Counts how often an input was chosen in this run. */
typedef struct Asking {
    const Instr *instr;
    unsigned times;
} Asking;

enum { LONG = 400000 }; /* steps of the longest runs */

typedef struct Simulation {
    Context *context;
    State *state;
    Logged *log; /* vecs */
    u128 *chosen;
    size_t initial; /* choices of the initial state */
    Asking *asked;  /* a vec */
    bool reads;     /* some input was chosen several times in a run */
    char text[32];  /* the characters that this run reads; "": any characters */
    bool over;      /* the run has taken an over-approximation */
    bool creates_many;
    TraceEnd end; /* of the violation that was found */
    /* the run's way of scheduling */
    enum { AT_RANDOM, BY_PRIORITY, IN_TURNS, INTERRUPTED, FOCUSED } way;
    unsigned switch_one_in;
    unsigned turn, turns[8]; /* steps left in this turn; steps in a turn, by thread number modulo 8 */
    unsigned max_steps;
    uint32_t priority[MOST_SEARCHED + 2];
    unsigned changes[4], nchanges; /* step numbers: where a priority falls, or an interruption begins */
    unsigned interrupted;          /* the thread that continues after the interruption, or 0 */
    bool *unrelated;               /* by template: its threads do not affect an error (find_unrelated); NULL: most templates affect one */
    bool **met;                    /* by template, location: a thread that may be interrupted was there in this run */
    unsigned new_one_in;           /* the first visit of a location interrupts the thread with probability 1/new_one_in; 0: never */
    uint64_t runs, length_sum, long_sum; /* the runs, the sum of their steps, and the steps of runs of up to LONG steps */
    double until;
} Simulation;

static uint64_t dice(Simulation *h, uint64_t sides) { return random_next(&h->context->random) % sides; }

/* ---- inputs ---- */

/* Returns how often the input was chosen before, and counts it. */
static unsigned count_asking(Simulation *h, const Instr *i) {
    for (size_t k = 0; k < vec_len(h->asked); k++)
        if (h->asked[k].instr == i) return h->asked[k].times++;
    vec_push(h->asked, ((Asking){i, 1}));
    return 0;
}

/* Chooses the text that the run reads: in some runs, a decimal number and the end of the line. */
static void choose_text(Simulation *h) {
    for (size_t k = 0; k < vec_len(h->asked); k++) h->reads |= h->asked[k].times > 1;
    vec_clear(h->asked);
    h->text[0] = 0;
    if (!h->reads || dice(h, 3)) return;
    int64_t number = inputs_number(h->context->inputs, dice(h, 4) ? 32 : 64, &h->context->random);
    snprintf(h->text, sizeof h->text, "%lld\n", (long long)number);
}

/* Sets *v to the next character of the text. An input wider than a byte is 0 at the end of the file, and a character plus one otherwise
   (model/stdio.c). Returns false if the choice does not read text. */
static bool read_text(Simulation *h, const Choice *c, u128 *v) {
    if (!c->instr || c->instr->kind != INSTR_HAVOC || c->sort->kind != SORT_BV || c->sort->width < 8) return false;
    unsigned k = count_asking(h, c->instr);
    if (!h->text[0]) return false;
    *v = (u128)(unsigned char)h->text[k % strlen(h->text)] + (c->sort->width > 8);
    return true;
}

static u128 choose(void *context, const Choice *c) {
    Simulation *h = context;
    Candidates all = inputs_candidates(h->context->inputs, c);
    u128 v;
    if (all.count == 1 && all.complete) v = all.values ? all.values[0] : 0;
    else if (!read_text(h, c, &v)) v = inputs_random(h->context->inputs, c, &h->context->random);
    vec_push(h->chosen, v);
    return v;
}

typedef enum Outcome { WENT, STUCK, FOUND } Outcome;

/* Takes an enabled action of the thread. The actions are tried in order, beginning with a random one. */
static Outcome step(Simulation *h, unsigned thread) {
    Context *c = h->context;
    const Site *site = reduction_site(c->reduction, h->state, thread);
    const Template *t = c->program->templates[state_template(h->state, thread)];
    Chooser chooser = {choose, h};
    unsigned first = site->nout > 1 ? (unsigned)dice(h, site->nout) : 0;
    for (unsigned i = 0; i < site->nout; i++) {
        const Action *a = &t->actions[site->out[(first + i) % site->nout]];
        size_t before = vec_len(h->chosen);
        if (c->thread_limit && context_beyond_limit(c, h->state, a)) continue;
        StepResult r = machine_step(c->machine, h->state, thread, a->index, &chooser, NULL);
        bool fault = context_violates(c, a, &r);
        if (r.status != STEP_DONE && !fault) {
            vec_resize(h->chosen, before);
            continue;
        }
        Logged l = {thread, a->index, vec_len(h->chosen)};
        vec_push(h->log, l);
        if (action_is_over(c->program, a)) h->over = true;
        if (fault) {
            h->end = TRACE_FAULT;
            return FOUND;
        }
        notice_step(c, t, a);
        const Location *to = &t->locations[a->target];
        const Object *object;
        h->end = to->kind == LOCATION_HALT ? TRACE_LEAK : TRACE_ERROR;
        bool sure = !to->text || question_has_parts(c->task->question, PART_MEMCLEANUP);
        if (to->kind == LOCATION_HALT) return sure && state_leak(c->machine, h->state, &object) ? FOUND : WENT;
        return to->kind == LOCATION_ERROR && !c->only_faults ? FOUND : WENT;
    }
    return STUCK;
}

/* ---- the thread that moves next ---- */

static uint32_t priority_of(Simulation *h, unsigned t) {
    if (!h->priority[t] && h->way == FOCUSED && t == 1) h->priority[t] = 2u << 20; /* main creates the other threads */
    else if (!h->priority[t] && h->way == FOCUSED && h->unrelated[state_template(h->state, t)]) h->priority[t] = 1 + (uint32_t)dice(h, 999);
    if (!h->priority[t]) h->priority[t] = 1000 + (uint32_t)dice(h, 1u << 20);
    return h->priority[t];
}

static bool changes_at(const Simulation *h, unsigned step_number) {
    for (unsigned i = 0; i < h->nchanges; i++)
        if (h->changes[i] == step_number) return true;
    return false;
}

static unsigned by_priority(Simulation *h, unsigned current, unsigned step_number) {
    if (changes_at(h, step_number)) h->priority[current] = 1 + (uint32_t)dice(h, 999);
    unsigned best = 1;
    for (unsigned t = 2; t <= state_threads(h->state); t++)
        if (priority_of(h, t) > priority_of(h, best)) best = t;
    return best;
}

/* Returns the thread whose turn it is. A thread takes as many steps as its turn has. Threads with turns of 0 wait until all other threads are
   stuck. */
static unsigned in_turns(Simulation *h, unsigned current) {
    if (h->turn) {
        h->turn--;
        return current;
    }
    unsigned n = state_threads(h->state);
    for (unsigned i = 0; i < n; i++) {
        unsigned next = (current + i) % n + 1;
        if (!h->turns[next % 8] || !reduction_site(h->context->reduction, h->state, next)->nout) continue;
        h->turn = h->turns[next % 8] - 1;
        return next;
    }
    return current;
}

/* Returns true if no thread was at the thread's location before in this run. */
static bool is_at_new_place(Simulation *h, unsigned thread) {
    bool *met = &h->met[state_template(h->state, thread)][state_location(h->state, thread)], is_new = !*met;
    *met = true;
    return is_new;
}

/* Returns the current thread, or, at an interruption, another thread, which then runs for a random number of steps. */
static unsigned with_interruptions(Simulation *h, unsigned current, unsigned step_number) {
    if (h->interrupted) {
        if (h->turn--) return current;
        current = h->interrupted;
        h->interrupted = 0;
    }
    bool is_new = is_at_new_place(h, current) && h->new_one_in && !dice(h, h->new_one_in);
    if (!is_new && !changes_at(h, step_number)) return current;
    h->interrupted = current;
    h->turn = (unsigned)dice(h, 1u << dice(h, 8));
    return 1 + (unsigned)dice(h, state_threads(h->state));
}

static unsigned pick(Simulation *h, unsigned current, unsigned step_number) {
    const Site *site = reduction_site(h->context->reduction, h->state, current);
    if (site->atomic || site->invisible) return current;
    if (h->way == BY_PRIORITY) return by_priority(h, current, step_number);
    if (h->way == IN_TURNS) return in_turns(h, current);
    if (h->way == INTERRUPTED) return with_interruptions(h, current, step_number);
    if (h->way == FOCUSED && dice(h, 2000)) return current; /* rarely it switches: the thread may spin */
    if (dice(h, h->switch_one_in)) return current;
    return 1 + (unsigned)dice(h, state_threads(h->state));
}

/* Takes a step of the thread with the highest priority that can move, other than *current. */
static Outcome step_next_best(Simulation *h, unsigned *current) {
    uint32_t below = UINT32_MAX;
    for (;;) {
        unsigned best = 0;
        for (unsigned t = 1; t <= state_threads(h->state); t++)
            if (t != *current && priority_of(h, t) < below && (!best || priority_of(h, t) > priority_of(h, best))) best = t;
        if (!best) return STUCK;
        Outcome o = step(h, best);
        if (o != STUCK) *current = best;
        if (o != STUCK) return o;
        below = priority_of(h, best);
    }
}

/* Takes a step of another thread that can move, since *current is stuck. The threads are tried in order, from the next or a random one on. */
static Outcome step_other(Simulation *h, unsigned *current) {
    if (h->way == FOCUSED) return step_next_best(h, current);
    unsigned n = state_threads(h->state), first = h->way == IN_TURNS ? *current : (unsigned)dice(h, n);
    for (unsigned i = 0; i < n; i++) {
        unsigned t = 1 + (first + i) % n;
        if (t == *current) continue;
        Outcome o = step(h, t);
        if (o == STUCK) continue;
        *current = t;
        h->turn = h->turns[t % 8] ? h->turns[t % 8] - 1 : 0;
        return o;
    }
    return STUCK;
}

static void forget_places(Simulation *h) {
    const Program *p = h->context->program;
    if (!h->met) vec_resize(h->met, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        vec_clear(h->met[t]);
        vec_resize(h->met[t], vec_len(p->templates[t]->locations));
    }
}

/* Chooses random points of interruption. Early points are more probable: an error often needs an interruption soon after the start. */
static void choose_interruptions(Simulation *h) {
    h->nchanges = 1 + (unsigned)dice(h, 4);
    h->new_one_in = (unsigned)dice(h, 8);
    forget_places(h);
    for (unsigned i = 0; i < h->nchanges; i++) h->changes[i] = (unsigned)dice(h, 4u << dice(h, 16));
}

/* Returns true if the next run should be long. Where many threads are created, long runs get most of the steps: an error may need all threads. */
static bool is_time_for_long(Simulation *h) { return h->creates_many ? h->runs && h->long_sum <= h->length_sum / 8 * 7 : !dice(h, 256); }

static void choose_way(Simulation *h) {
    static const unsigned odds[] = {2, 3, 5, 10, 30, 100};
    static const unsigned lengths[] = {300, 1000, 3000, 20000, 300};
    h->max_steps = lengths[dice(h, 5)];
    unsigned way = (unsigned)dice(h, 11);
    h->way = way == 0 ? IN_TURNS : way < 4 ? BY_PRIORITY : way < 8 ? AT_RANDOM : INTERRUPTED;
    h->switch_one_in = odds[dice(h, 6)];
    h->turn = (unsigned)dice(h, 12); /* the first turn belongs to main, which creates the other threads */
    unsigned same = (unsigned)dice(h, 2), turn = 1 + (unsigned)dice(h, 6);
    for (unsigned i = 0; i < 8; i++) h->turns[i] = !dice(h, 4) ? 0 : same ? turn : 1 + (unsigned)dice(h, 6);
    uint64_t usual = h->runs ? h->length_sum / h->runs + 2 : 50;
    h->nchanges = (unsigned)dice(h, 4);
    for (unsigned i = 0; i < h->nchanges; i++) h->changes[i] = (unsigned)dice(h, usual);
    for (unsigned i = 0; i < MOST_SEARCHED + 2; i++) h->priority[i] = 0;
    h->interrupted = 0;
    if (is_time_for_long(h)) h->way = INTERRUPTED, h->max_steps = LONG;
    if (h->unrelated && (!h->runs || dice(h, 4))) h->way = FOCUSED, h->max_steps = 20000 * (1 + (unsigned)dice(h, 5));
    if (h->way == INTERRUPTED) choose_interruptions(h);
}

/* ---- the threads that affect an error ---- */

static void note_read(void *context, const Symbol *s) {
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && v->global) ((bool *)context)[v->index] = true;
}

static void note_reads(void *context, const Expr *e) { expr_symbols(e, note_read, context); }

/* Finds the templates that do not affect an error: none of their actions leads to an error location, or assigns a global variable that such an action
   reads. Returns a vec by template. Returns NULL if more than half of the templates affect an error, or fewer than two. */
static bool *find_unrelated(const Program *p) {
    bool *unrelated = NULL, *read = NULL;
    size_t n = vec_len(p->templates), few = 0;
    vec_resize(unrelated, n);
    vec_resize(read, vec_len(p->globals));
    for (size_t t = 0; t < n; t++)
        vec_each_at(const Action, x, p->templates[t]->actions) {
            if (p->templates[t]->locations[x->target].kind != LOCATION_ERROR) continue;
            for (size_t i = 0; i < vec_len(x->instrs); i++) instr_expressions(&x->instrs[i], note_reads, read);
        }
    for (size_t t = 0; t < n; t++) {
        unrelated[t] = t != 0;
        for (size_t a = 0; a < vec_len(p->templates[t]->actions) && unrelated[t]; a++) {
            const Action *x = &p->templates[t]->actions[a];
            unrelated[t] = p->templates[t]->locations[x->target].kind != LOCATION_ERROR;
            for (size_t i = 0; i < vec_len(x->instrs); i++)
                if (x->instrs[i].target && x->instrs[i].target->global && read[x->instrs[i].target->index]) unrelated[t] = false;
        }
        few += !unrelated[t];
    }
    vec_free(read);
    if (few < 2 || few > n / 2) vec_free(unrelated);
    return unrelated;
}

static Trace *trace_of(const Simulation *h) {
    Trace *t = trace_new();
    size_t next = 0;
    t->end = h->end;
    for (; next < h->initial; next++) vec_push(t->initial, h->chosen[next]);
    for (size_t i = 0; i < vec_len(h->log); i++) {
        u128 *choices = NULL;
        for (; next < h->log[i].choices; next++) vec_push(choices, h->chosen[next]);
        trace_add(t, h->log[i].thread, h->log[i].action, choices);
    }
    return t;
}

/* Returns true if the violation that the run met is one of the program. Its trace is then in the context. */
static bool is_error(Simulation *h) {
    if (h->over && !h->context->only_faults) return context_wants_doubtful(h->context) && context_add_doubtful(h->context, trace_of(h));
    h->context->trace = trace_of(h);
    return true;
}

static bool waits_for_ever(Simulation *h) {
    if (!h->context->deadlocks || !context_is_deadlocked(h->context, h->state, 0)) return false;
    h->end = TRACE_DEADLOCK;
    return true;
}

static bool run(Simulation *h) {
    unsigned current = 1;
    for (unsigned i = 0; i < h->max_steps; i++) {
        if (i % 512 == 511 && context_seconds(h->context) > h->until) break;
        current = pick(h, current, i);
        Outcome o = step(h, current);
        /* a thread of high priority that spins must lose its priority, or no other thread would move */
        if (h->way == BY_PRIORITY && o == WENT && dice(h, 200) == 0) h->priority[current] = 0;
        if (o == STUCK) {
            o = step_other(h, &current);
            if (o == STUCK && waits_for_ever(h)) o = FOUND;
            if (o == STUCK) break;
        }
        if (o == FOUND) {
            if (is_error(h)) return true;
            break;
        }
    }
    h->length_sum += vec_len(h->log);
    if (h->max_steps == LONG) h->long_sum += vec_len(h->log);
    h->runs++;
    return false;
}

static void begin(Simulation *h) {
    Chooser chooser = {choose, h};
    if (h->state) state_free(h->context->machine, h->state);
    vec_clear(h->log);
    vec_clear(h->chosen);
    h->over = false;
    choose_text(h);
    h->state = state_initial(h->context->machine, &chooser);
    h->initial = vec_len(h->chosen);
    choose_way(h);
}

bool simulation_run(Context *c, double until) {
    unsigned limit = c->thread_limit;
    Simulation h = {.context = c, .until = until, .creates_many = limit != 0};
    const Instr *beyond = c->beyond_limit;
    bool found = false;
    if (vec_len(c->program->templates) > 8) h.unrelated = find_unrelated(c->program);
    while (!found && context_seconds(c) < until && !(c->task->searches_assertion && c->task->stats->judged)) {
        begin(&h);
        c->thread_limit = h.way == INTERRUPTED ? 0 : limit && dice(&h, 3) ? 2 + (unsigned)dice(&h, 6) : MOST_SEARCHED;
        found = run(&h);
        c->task->stats->runs++;
        if (h.runs % 64 == 0) context_progress(c, "%llu random runs", (unsigned long long)c->task->stats->runs);
    }
    c->thread_limit = limit;
    c->beyond_limit = beyond;
    if (h.state) state_free(c->machine, h.state);
    vec_free_rows(h.met);
    vec_free(h.unrelated);
    vec_free(h.asked);
    vec_free(h.log);
    vec_free(h.chosen);
    return found;
}
