/* SPDX-License-Identifier: Apache-2.0 */
/* Compares each atomic write with each atomic read of another thread. The analysis does not count fences. */
#include "analysis/too_weak.h"
#include "analysis/accesses.h"

typedef struct Atomic {
    Access access;
    const Template *template_;
    const Instr *instr;
    bool orders; /* a write that releases, or a read that acquires */
} Atomic;

typedef struct Search {
    PointsTo *pointsto;
    const bool *shared;
    Atomic *list; /* a vec */
} Search;

static void add_instr(Search *s, const Template *t, const Instr *i) {
    Access *list = instr_accesses(i, s->pointsto, s->shared);
    vec_each_at(const Access, a, list) {
        bool orders = a->writes ? order_releases(i->order) : order_acquires(i->order);
        vec_push(s->list, ((Atomic){*a, t, i, orders}));
    }
    vec_free(list);
}

static bool may_pass(const Atomic *write, const Atomic *read) {
    bool same = write->template_ == read->template_ && write->template_->count == 1;
    return write->access.writes && !read->access.writes && !same && accesses_conflict(&write->access, &read->access);
}

Position too_weak(const Program *p) {
    Position found = {0};
    if (!program_first_weak_access(p).file) return found;
    bool *shared = program_shared_objects(p);
    Search s = {pointsto_new(p), shared, NULL};
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            vec_each_at(const Instr, i, p->templates[t]->actions[a].instrs)
                if (i->atomic) add_instr(&s, p->templates[t], i);
    vec_each_at(const Atomic, write, s.list)
        vec_each_at(const Atomic, read, s.list) {
            if (found.file || (write->orders && read->orders) || !may_pass(write, read)) continue;
            found = read->orders ? write->instr->position : read->instr->position;
        }
    vec_free(s.list);
    vec_free(shared);
    pointsto_free(s.pointsto);
    return found;
}
