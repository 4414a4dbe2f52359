/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the accesses of each action, and follows chains of conflicts from the loads of an attacker (robustness_monitor.c).

   Additional conflicts are sound: fewer programs are found to be robust. So memory is distinguished by objects only, an atomic section has the
   accesses of every path through it, and each creation of a thread conflicts with each other creation. */
#include "passes/program/robustness_events.h"
#include "analysis/accesses.h"
#include <stdlib.h>

typedef struct Collect {
    Events *out;
    const StoreDelays *delays;
    PointsTo *pointsto;
} Collect;

static unsigned place_of_variable(const Variable *v) { return v->index; }
static unsigned place_of_object(const Program *p, const Object *o) { return (unsigned)vec_len(p->globals) + o->index; }

/* ---- one action ---- */

static void touch(EventAccess **list, unsigned place, bool writes, bool asks) {
    for (size_t i = 0; i < vec_len(*list); i++)
        if ((*list)[i].place == place) {
            (*list)[i].writes |= writes;
            (*list)[i].is_ordered |= asks;
            return;
        }
    vec_push(*list, ((EventAccess){place, writes, asks}));
}

static void touch_access(Collect *c, EventAccess **list, const Access *a) {
    c->out->refused |= a->wild;
    if (a->variable) touch(list, place_of_variable(a->variable), a->writes, true);
    for (size_t i = 0; !a->variable && i < vec_len(a->targets->list); i++)
        touch(list, place_of_object(c->out->program, a->targets->list[i].object), a->writes, true);
}

static void touch_instr(Collect *c, EventAccess **list, const Instr *i) {
    const Events *e = c->out;
    switch (i->kind) {
    case INSTR_ALLOC: touch(list, place_of_object(e->program, i->object), true, true); /* fall through */
    case INSTR_FREE:
    case INSTR_SIZE: touch(list, e->heap, true, true); break;
    case INSTR_ALIVE:
    case INSTR_DEAD:
        if (e->shared[i->object->index]) touch(list, place_of_object(e->program, i->object), true, true);
        break;
    case INSTR_CREATE: touch(list, e->created, true, true); break; /* threads are numbered in order */
    case INSTR_JOIN: touch(list, e->ended, false, true); break;
    case INSTR_WRITTEN:
    case INSTR_INVALID:
    case INSTR_LOST: c->out->refused = true; break;
    default: break;
    }
}

/* Adds the accesses of a thread's end, which also ends the life of the objects on its stack. */
static void touch_end(const Events *e, const Template *t, EventAccess **list) {
    touch(list, e->ended, true, false);
    for (size_t i = 0; i < vec_len(e->program->objects); i++) {
        const Object *o = e->program->objects[i];
        bool own = o->kind == OBJECT_THREAD || (o->kind == OBJECT_LOCAL && o->template_ == t->index);
        if (own && e->shared[i]) touch(list, place_of_object(e->program, o), true, true);
    }
}

static void touch_action(Collect *c, const Template *t, const Action *a, EventAccess **list) {
    Access *accesses = action_accesses(a, c->pointsto, c->out->shared);
    for (size_t i = 0; i < vec_len(accesses); i++) touch_access(c, list, &accesses[i]);
    for (size_t i = 0; i < vec_len(a->instrs); i++) touch_instr(c, list, &a->instrs[i]);
    if (t->locations[a->target].kind == LOCATION_END) touch_end(c->out, t, list);
    vec_free(accesses);
}

/* Adds the accesses of all paths from the location to the end of its atomic section. */
static void touch_section(Collect *c, const Template *t, unsigned at, EventAccess **list) {
    bool *seen = NULL;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, at);
    seen[at] = true;
    while (vec_len(work)) {
        const Location *l = &t->locations[vec_pop(work)];
        for (size_t i = 0; l->atomic && i < vec_len(l->out); i++) {
            const Action *a = &t->actions[l->out[i]];
            touch_action(c, t, a, list);
            if (!seen[a->target]) vec_push(work, a->target);
            seen[a->target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
}

/* Collects the accesses of each action. An action that enters an atomic section stands for the section, so actions inside are skipped.
   Actions that are taken while no other thread exists have no conflicts, and are skipped, too. */
static void collect_template(Collect *c, const Template *t) {
    EventAccess **of = NULL;
    vec_resize(of, vec_len(t->actions));
    c->out->refused |= t->locations[t->entry].atomic;
    for (size_t a = 0; a < vec_len(t->actions); a++) {
        const Action *x = &t->actions[a];
        if (c->delays->of[t->index][a].is_single_threaded || t->locations[x->source].atomic) continue;
        touch_action(c, t, x, &of[a]);
        touch_section(c, t, x->target, &of[a]);
        c->out->refused |= c->delays->of[t->index][a].may_be_delayed && c->delays->of[t->index][a].weak.kind != WEAK_STORE;
    }
    vec_push(c->out->all, of);
}

/* ---- places that order events ---- */

typedef struct Use {
    unsigned template_; /* + 1: the last template that accesses the place; 0: no template does */
    bool several, writes;
} Use;

static void count_uses(const Events *e, Use *uses) {
    for (unsigned t = 0; t < vec_len(e->all); t++)
        for (size_t a = 0; a < vec_len(e->all[t]); a++)
            for (size_t i = 0; i < vec_len(e->all[t][a]); i++) {
                Use *u = &uses[e->all[t][a][i].place];
                u->several |= e->program->templates[t]->count != 1 || (u->template_ && u->template_ != t + 1);
                u->writes |= e->all[t][a][i].writes;
                u->template_ = t + 1;
            }
}

/* Keeps the accesses of places that several threads access and some thread writes: no other place orders events. The places `created` and
   `ended` are always kept, since a thread begins and ends without an instruction. */
static void choose_touches(Events *e) {
    Use *uses = NULL;
    vec_resize(uses, e->places);
    count_uses(e, uses);
    for (unsigned t = 0; t < vec_len(e->all); t++) {
        EventAccess **of = NULL;
        vec_resize(of, vec_len(e->all[t]));
        for (size_t a = 0; a < vec_len(e->all[t]); a++)
            vec_each_at(const EventAccess, x, e->all[t][a]) {
                bool matters = uses[x->place].several && uses[x->place].writes;
                if (matters || x->place == e->created || x->place == e->ended) vec_push(of[a], *x);
            }
        vec_push(e->ordering, of);
    }
    vec_free(uses);
}

/* ---- where a chain may lead ---- */

/* Marks the locations where a store of the thread may be delayed. */
static void find_delaying(Events *e, const Template *t, const StoreDelay *of) {
    bool *at = NULL;
    unsigned *work = NULL;
    vec_resize(at, vec_len(t->locations));
    for (size_t a = 0; a < vec_len(t->actions); a++)
        if (of[a].may_be_delayed) vec_push(work, t->actions[a].target);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        if (at[l]) continue;
        at[l] = true;
        for (size_t i = 0; i < vec_len(t->locations[l].out); i++)
            if (of[t->locations[l].out[i]].weak.kind != WEAK_DRAIN) vec_push(work, t->actions[t->locations[l].out[i]].target);
    }
    vec_free(work);
    vec_push(e->delaying, at);
}

/* Marks the places that the attacker's last load may read: a chain begins with them. */
static void begin_chains(Events *e, const Template *t, const StoreDelay *of) {
    for (size_t a = 0; a < vec_len(t->actions); a++)
        if (e->delaying[t->index][t->actions[a].source] && of[a].weak.kind == WEAK_LOAD && of[a].is_observable)
            for (size_t i = 0; i < vec_len(e->ordering[t->index][a]); i++) e->touched[e->ordering[t->index][a][i].place] = true;
}

bool event_may_join_chain(const Events *e, const EventAccess *t) {
    return t->is_ordered && (t->writes ? e->touched : e->written)[t->place];
}

static bool may_join(const Events *e, unsigned t) {
    for (size_t a = 0; a < vec_len(e->ordering[t]); a++)
        for (size_t i = 0; i < vec_len(e->ordering[t][a]); i++)
            if (event_may_join_chain(e, &e->ordering[t][a][i])) return true;
    return t && e->written[e->created];
}

/* Marks all places of the template: once a thread is part of the chain, so are all of its later events. */
static void mark_all(Events *e, unsigned t) {
    for (size_t a = 0; a < vec_len(e->ordering[t]); a++)
        for (size_t i = 0; i < vec_len(e->ordering[t][a]); i++) {
            e->touched[e->ordering[t][a][i].place] = true;
            e->written[e->ordering[t][a][i].place] |= e->ordering[t][a][i].writes;
        }
}

static void follow_chains(Events *e) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned t = 0; t < vec_len(e->ordering); t++) {
            if (e->in_chain[t] || !may_join(e, t)) continue;
            changed = e->in_chain[t] = true;
            mark_all(e, t);
        }
    }
}

/* ---- all ---- */

Events *events_new(const Program *p, const StoreDelays *d) {
    Events *e = zeroed(1, sizeof *e);
    Collect c = {e, d, pointsto_new(p)};
    unsigned real = (unsigned)(vec_len(p->globals) + vec_len(p->objects));
    e->program = p;
    e->heap = real;
    e->created = real + 1;
    e->ended = real + 2;
    e->places = real + 3;
    e->shared = program_shared_objects(p);
    vec_resize(e->touched, e->places);
    vec_resize(e->written, e->places);
    vec_resize(e->in_chain, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates); t++) collect_template(&c, p->templates[t]);
    choose_touches(e);
    for (size_t t = 0; t < vec_len(p->templates); t++) find_delaying(e, p->templates[t], d->of[t]);
    for (size_t t = 0; t < vec_len(p->templates); t++) begin_chains(e, p->templates[t], d->of[t]);
    follow_chains(e);
    pointsto_free(c.pointsto);
    return e;
}

void events_free(Events *e) {
    for (size_t t = 0; t < vec_len(e->ordering); t++) {
        for (size_t a = 0; a < vec_len(e->ordering[t]); a++) {
            vec_free(e->all[t][a]);
            vec_free(e->ordering[t][a]);
        }
        vec_free(e->all[t]);
        vec_free(e->ordering[t]);
        vec_free(e->delaying[t]);
    }
    vec_free(e->all);
    vec_free(e->ordering);
    vec_free(e->delaying);
    vec_free(e->shared);
    vec_free(e->touched);
    vec_free(e->written);
    vec_free(e->in_chain);
    free(e);
}
