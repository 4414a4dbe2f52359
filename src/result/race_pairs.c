/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the accesses that may race by the facts of a proof. Accesses with the same facts are compared as one kind. */
#include "result/race_proof.h"
#include "base/map.h"
#include <stddef.h>
#include <string.h>

/* Accesses that differ only in their positions. */
typedef struct Kind {
    const RaceAccess *access; /* the first one */
    unsigned *members;        /* vecs: indices of accesses */
    unsigned *classes;        /* fixed locks that the thread holds, of classes that are not broken, ascending */
    unsigned *keys;           /* keys of guards, with the same restrictions */
    uint64_t *absent;         /* threads that do not run */
} Kind;

typedef struct Pairs {
    const RaceProof *proof;
    RaceFamily family;
    unsigned words;       /* the number of words of a set of threads */
    uint64_t **gone;      /* by thread: the threads that have ended permanently when it begins */
    uint64_t ***holding;  /* by thread, class: the threads that do not run while it holds a lock of the class; NULL: it never holds one */
    bool *broken;         /* by class: a thread may release or write a lock of the class while another thread holds it */
    Kind *kinds;          /* a vec */
    unsigned **of_region; /* by region: its kinds */
    unsigned *wild;       /* kinds of accesses whose address is not known */
    bool *early;          /* by region: some access to it is early (race_is_early) */
    RaceFound *found;
    void *context;
    uint64_t left; /* pairs that may race */
} Pairs;

static uint64_t *new_row(const Pairs *p) {
    uint64_t *row = NULL;
    vec_resize(row, p->words);
    return row;
}

static bool reaches(const RaceThread *t, unsigned from, unsigned creates) {
    bool *seen = NULL, found = false;
    unsigned *work = NULL, **out = NULL;
    vec_resize(seen, t->locations);
    vec_resize(out, t->locations);
    for (unsigned s = 0; s < vec_len(t->steps); s++) vec_push(out[t->steps[s].source], s);
    vec_push(work, from);
    seen[from] = true;
    while (vec_len(work) && !found) {
        unsigned l = vec_pop(work);
        vec_each_of(const RaceStep, s, t->steps, out[l]) {
            for (size_t e = 0; e < vec_len(s->events); e++) found |= s->events[e].op == RACE_CREATE && s->events[e].a == creates;
            if (!seen[s->target]) vec_push(work, s->target);
            seen[s->target] = true;
        }
    }
    vec_free_rows(out);
    vec_free(seen);
    vec_free(work);
    return found;
}

/* ---- threads that have ended before another thread begins ---- */

/* Returns by thread the only thread that creates it; RACE_NONE if several threads do. */
static unsigned *find_creators(const RaceProof *p) {
    unsigned *by = NULL;
    vec_resize(by, vec_len(p->threads));
    for (size_t t = 0; t < vec_len(by); t++) by[t] = RACE_NONE - 1;
    for (unsigned t = 0; t < vec_len(p->threads); t++)
        for (size_t s = 0; s < vec_len(p->threads[t].steps); s++)
            vec_each_at(const RaceEvent, x, p->threads[t].steps[s].events)
                if (x->op == RACE_CREATE) by[x->a] = by[x->a] == RACE_NONE - 1 || by[x->a] == t ? t : RACE_NONE;
    return by;
}

/* Fills `row` with the threads that have ended permanently where a thread creates another one. */
static void ended_at(const Pairs *p, const unsigned *creator, unsigned t, const RaceStep *s, unsigned event, uint64_t *row) {
    const RaceProof *proof = p->proof;
    memcpy(row, p->gone[t], p->words * sizeof *row);
    if (proof->threads[t].many) return;
    for (unsigned u = 0; u < vec_len(proof->threads); u++) {
        if (u == t || proof->threads[u].many || creator[u] != t || race_bit(row, u)) continue;
        bool created = false; /* in the rest of the step */
        for (size_t e = event; e < vec_len(s->events); e++) created |= s->events[e].op == RACE_CREATE && s->events[e].a == u;
        if (created || !race_holds(proof, &p->family, t, s, event, race_fact_absent(&proof->threads[t], u))) continue;
        race_set(row, u, !reaches(&proof->threads[t], s->target, u));
    }
}

static bool narrow_gone(Pairs *p, const unsigned *creator, unsigned t, uint64_t *row) {
    const RaceThread *thread = &p->proof->threads[t];
    bool changed = false;
    for (size_t s = 0; s < vec_len(thread->steps); s++)
        for (unsigned e = 0; e < vec_len(thread->steps[s].events); e++) {
            const RaceEvent *x = &thread->steps[s].events[e];
            if (x->op != RACE_CREATE) continue;
            ended_at(p, creator, t, &thread->steps[s], e, row);
            for (unsigned w = 0; w < p->words; w++) {
                changed |= (p->gone[x->a][w] & ~row[w]) != 0;
                p->gone[x->a][w] &= row[w];
            }
        }
    return changed;
}

static void find_gone(Pairs *p) {
    unsigned *creator = find_creators(p->proof);
    uint64_t *row = new_row(p);
    for (size_t t = 0; t < vec_len(p->proof->threads); t++) {
        uint64_t *all = new_row(p);
        if (t) memset(all, 0xff, p->words * sizeof *all);
        vec_push(p->gone, all);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned t = 0; t < vec_len(p->proof->threads); t++) changed |= narrow_gone(p, creator, t, row);
    }
    vec_free(row);
    vec_free(creator);
}

/* ---- locks that exclude other threads ---- */

static void absent_at(const Pairs *p, unsigned t, const uint64_t *facts, uint64_t *row) {
    const RaceThread *thread = &p->proof->threads[t];
    memset(row, 0, p->words * sizeof *row);
    for (unsigned u = 0; u < vec_len(p->proof->threads); u++)
        race_set(row, u, race_bit(facts, race_fact_absent(thread, u)) || race_bit(p->gone[t], u));
}

static void find_holding(Pairs *p) {
    uint64_t *row = new_row(p);
    for (unsigned t = 0; t < vec_len(p->proof->threads); t++) {
        const RaceThread *thread = &p->proof->threads[t];
        uint64_t **by_class = NULL;
        vec_resize(by_class, vec_len(p->proof->classes));
        for (unsigned l = 0; l < thread->locations && vec_len(thread->locks); l++) {
            const uint64_t *facts = race_row(p->proof, t, l);
            bool ready = false;
            for (unsigned k = 0; k < vec_len(thread->locks); k++) {
                if (!race_bit(facts, race_fact_lock(k))) continue;
                uint64_t **held = &by_class[thread->locks[k].class_];
                if (!ready) absent_at(p, t, facts, row);
                ready = true;
                if (!*held) {
                    *held = new_row(p);
                    memset(*held, 0xff, p->words * sizeof **held);
                }
                for (unsigned w = 0; w < p->words; w++) (*held)[w] &= row[w];
            }
        }
        vec_push(p->holding, by_class);
    }
    vec_free(row);
}

/* A thread may write words of these classes without holding their locks. The class is broken if another thread may hold such a lock at the same
   time. */
static void touch(Pairs *p, unsigned t, const RaceStep *s, unsigned event) {
    const RaceProof *proof = p->proof;
    const unsigned *set = proof->sets[s->events[event].b];
    for (size_t i = 0; i < vec_len(set); i++)
        for (unsigned u = 0; u < vec_len(proof->threads) && !p->broken[set[i]]; u++) {
            if ((u == t && !proof->threads[t].many) || !p->holding[u][set[i]]) continue;
            bool apart = race_bit(p->holding[u][set[i]], t) || race_bit(p->gone[t], u) ||
                         race_holds(proof, &p->family, t, s, event, race_fact_absent(&proof->threads[t], u));
            p->broken[set[i]] |= !apart;
        }
}

static void find_broken(Pairs *p) {
    vec_resize(p->broken, vec_len(p->proof->classes));
    for (unsigned t = 0; t < vec_len(p->proof->threads); t++)
        vec_each_at(const RaceStep, step, p->proof->threads[t].steps)
            for (unsigned e = 0; e < vec_len(step->events); e++) {
                const RaceEvent *x = &step->events[e];
                bool held =
                    x->op == RACE_RELEASE && x->a != RACE_NONE && race_holds(p->proof, &p->family, t, step, e, race_fact_lock(x->a));
                bool smashes = x->op == RACE_SMASH && !race_hides(p->proof, t, step, e, x->a);
                if (smashes || (x->op == RACE_RELEASE && !held)) touch(p, t, step, e);
            }
}

/* ---- kinds of accesses ---- */

static void add_sorted(unsigned **v, unsigned x) {
    size_t at = 0;
    while (at < vec_len(*v) && (*v)[at] < x) at++;
    if (at < vec_len(*v) && (*v)[at] == x) return;
    vec_push(*v, x);
    for (size_t i = vec_len(*v) - 1; i > at; i--) (*v)[i] = (*v)[i - 1];
    (*v)[at] = x;
}

static Kind kind_of(const Pairs *p, const RaceAccess *a) {
    const RaceThread *t = &p->proof->threads[a->thread];
    const RaceStep *s = &t->steps[a->step];
    Kind k = {.access = a, .absent = new_row(p)};
    for (unsigned i = 0; i < vec_len(t->locks); i++)
        if (t->locks[i].fixed && !p->broken[t->locks[i].class_] &&
            race_holds(p->proof, &p->family, a->thread, s, a->before, race_fact_lock(i)))
            add_sorted(&k.classes, t->locks[i].class_);
    vec_each_at(const RaceGuard, g, a->guards)
        if (!p->broken[t->locks[g->lock].class_] && race_holds(p->proof, &p->family, a->thread, s, a->before, race_fact_lock(g->lock)))
            add_sorted(&k.keys, g->key);
    for (unsigned u = 0; u < vec_len(p->proof->threads); u++)
        race_set(k.absent, u,
                 race_bit(p->gone[a->thread], u) || race_holds(p->proof, &p->family, a->thread, s, a->before, race_fact_absent(t, u)));
    return k;
}

static uint64_t hash_kind(const Pairs *p, const Kind *k) {
    const RaceAccess *a = k->access;
    uint64_t h = hash_word((uint64_t)a->thread << 8 | (uint64_t)(a->life << 7 | a->mutex << 6 | a->writes << 5 | a->atomic << 4 |
                                                                 a->section << 3 | a->first << 2 | a->own << 1 | a->wild));
    h = hash_bytes(k->classes, vec_len(k->classes) * sizeof *k->classes, h);
    h = hash_bytes(k->keys, vec_len(k->keys) * sizeof *k->keys, h + 1);
    h = hash_bytes(k->absent, p->words * sizeof *k->absent, h);
    return hash_bytes(a->bytes, vec_len(a->bytes) * sizeof *a->bytes, h);
}

static bool same_list(const void *a, const void *b, size_t n, size_t m, size_t size) { return n == m && (!n || !memcmp(a, b, n * size)); }

static bool same_kind(const Pairs *p, const Kind *k, const Kind *o) {
    const RaceAccess *a = k->access, *b = o->access;
    return a->thread == b->thread && a->writes == b->writes && a->atomic == b->atomic && a->section == b->section && a->first == b->first &&
           a->own == b->own && a->wild == b->wild && a->mutex == b->mutex && a->life == b->life &&
           same_list(k->classes, o->classes, vec_len(k->classes), vec_len(o->classes), sizeof *k->classes) &&
           same_list(k->keys, o->keys, vec_len(k->keys), vec_len(o->keys), sizeof *k->keys) &&
           same_list(a->bytes, b->bytes, vec_len(a->bytes), vec_len(b->bytes), sizeof *a->bytes) &&
           !memcmp(k->absent, o->absent, p->words * sizeof *k->absent);
}

static void free_kind(Kind *k) {
    vec_free(k->members);
    vec_free(k->classes);
    vec_free(k->keys);
    vec_free(k->absent);
}

static void place_kind(Pairs *p, unsigned kind) {
    const RaceAccess *a = p->kinds[kind].access;
    if (a->wild) vec_push(p->wild, kind);
    for (size_t b = 0; b < vec_len(a->bytes); b++) {
        unsigned **list = &p->of_region[a->bytes[b].region];
        if (!vec_len(*list) || vec_last(*list) != kind) vec_push(*list, kind);
    }
}

static void note_early(Pairs *p, const RaceAccess *a) {
    for (size_t b = 0; b < vec_len(a->bytes) && !a->allocates && !a->mutex; b++) p->early[a->bytes[b].region] = true;
}

static void find_kinds(Pairs *p) {
    Map *by_hash = map_new();
    vec_resize(p->of_region, vec_len(p->proof->regions));
    vec_resize(p->early, vec_len(p->proof->regions));
    for (unsigned i = 0; i < vec_len(p->proof->accesses); i++) {
        if (race_is_early(p->proof, &p->proof->accesses[i])) {
            note_early(p, &p->proof->accesses[i]);
            continue;
        }
        Kind k = kind_of(p, &p->proof->accesses[i]);
        uint64_t h = hash_kind(p, &k), at;
        while (map_get(by_hash, h, &at) && !same_kind(p, &p->kinds[at], &k)) h = hash_word(h + 1);
        if (map_get(by_hash, h, &at)) {
            free_kind(&k);
        } else {
            at = vec_len(p->kinds);
            map_put(by_hash, h, at);
            vec_push(p->kinds, k);
            place_kind(p, (unsigned)at);
        }
        vec_push(p->kinds[at].members, i);
    }
    map_free(by_hash);
}

/* ---- pairs ---- */

static uint64_t gcd(uint64_t a, uint64_t b) { return b ? gcd(b, a % b) : a; }

bool race_bytes_meet(const RaceBytes *a, const RaceBytes *b) {
    uint64_t modulus = gcd(a->modulus, b->modulus), distance = b->residue - a->residue;
    if (!modulus) {
        if ((int64_t)distance >= 0) return !a->size || distance < a->size;
        return !b->size || -distance < b->size;
    }
    int64_t r = (int64_t)distance % (int64_t)modulus;
    uint64_t ahead = (uint64_t)(r < 0 ? r + (int64_t)modulus : r);
    return !a->size || !b->size || ahead < a->size || modulus - ahead < b->size;
}

static bool meet(const RaceAccess *x, const RaceAccess *y) {
    if (x->own && y->own) return false;
    if ((x->mutex && !y->life) || (y->mutex && !x->life)) return false;
    if (x->wild || y->wild) return true;
    for (size_t i = 0; i < vec_len(x->bytes); i++)
        for (size_t k = 0; k < vec_len(y->bytes); k++)
            if (x->bytes[i].region == y->bytes[k].region && race_bytes_meet(&x->bytes[i], &y->bytes[k])) return true;
    return false;
}

static bool common(const unsigned *a, const unsigned *b) {
    for (size_t i = 0, k = 0; i < vec_len(a) && k < vec_len(b);) {
        if (a[i] == b[k]) return true;
        if (a[i] < b[k]) i++;
        else k++;
    }
    return false;
}

static bool never_together(const Kind *k, const Kind *o) {
    return race_bit(k->absent, o->access->thread) || race_bit(o->absent, k->access->thread);
}

static bool may_race(const Pairs *p, const Kind *k, const Kind *o) {
    const RaceAccess *x = k->access, *y = o->access;
    if (!(x->writes || y->writes) || (x->atomic && y->atomic) || (x->section && y->section) || !(x->first || y->first)) return false;
    if (x->thread == y->thread && !p->proof->threads[x->thread].many) return false;
    return !never_together(k, o) && !common(k->classes, o->classes) && !common(k->keys, o->keys) && meet(x, y);
}

static void report(Pairs *p, const Kind *k, const Kind *o) {
    for (size_t i = 0; i < vec_len(k->members); i++)
        for (size_t j = k == o ? i : 0; j < vec_len(o->members); j++)
            p->found(p->context, &p->proof->accesses[k->members[i]], &p->proof->accesses[o->members[j]]);
    p->left++;
}

static void compare(Pairs *p, const Kind *k, const Kind *o) {
    if (may_race(p, k, o)) report(p, k, o);
}

static void find_pairs(Pairs *p) {
    vec_each(const unsigned *, list, p->of_region)
        for (size_t i = 0; i < vec_len(list); i++)
            for (size_t k = i; k < vec_len(list); k++) compare(p, &p->kinds[list[i]], &p->kinds[list[k]]);
    for (size_t i = 0; i < vec_len(p->wild); i++)
        for (size_t k = 0; k < vec_len(p->kinds); k++)
            if (!p->kinds[k].access->wild || k >= p->wild[i]) compare(p, &p->kinds[p->wild[i]], &p->kinds[k]);
}

/* ---- words ---- */

/* True if no other thread accesses the region while a thread may execute accesses of this kind. */
static bool alone(const Pairs *p, const unsigned *list, const Kind *k) {
    vec_each_of(const Kind, o, p->kinds, list) {
        bool same = o->access->thread == k->access->thread && !p->proof->threads[k->access->thread].many;
        if (!same && !never_together(k, o)) return false;
    }
    return true;
}

/* Collects the common protection of those accesses of a region that may happen in parallel. */
typedef struct Common {
    unsigned *classes; /* a vec: locks that all of these accesses hold */
    bool any, writes, atomic, section, guarded, others;
} Common;

static bool is_in(const unsigned *list, unsigned x) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i] == x) return true;
    return false;
}

static void join_common(Common *c, const Kind *k) {
    unsigned *both = NULL;
    for (size_t i = 0; i < vec_len(k->classes); i++)
        if (!c->any || is_in(c->classes, k->classes[i])) vec_push(both, k->classes[i]);
    vec_free(c->classes);
    c->classes = both;
    c->writes |= k->access->writes;
    c->atomic = (!c->any || c->atomic) && k->access->atomic;
    c->section = (!c->any || c->section) && k->access->section;
    c->guarded = (!c->any || c->guarded) && vec_len(k->keys) > 0;
    c->any = true;
}

/* Returns the length of the mutex's name, without the C library's members. */
static int name_length(const char *name) {
    const char *inside = strstr(name, ".__");
    return (int)(inside ? inside - name : (ptrdiff_t)strlen(name));
}

/* Adds the reasons why conflicting accesses of a region do not race, if different pairs have different reasons. */
static void put_reasons(const Pairs *p, const unsigned *list, Buf *words) {
    static const char *const names[] = {"locks", "creation and joins", "atomic accesses", "different places in it"};
    bool by[4] = {false};
    for (size_t i = 0; i < vec_len(list); i++)
        for (size_t j = i; j < vec_len(list); j++) {
            const Kind *k = &p->kinds[list[i]], *o = &p->kinds[list[j]];
            const RaceAccess *x = k->access, *y = o->access;
            if (!(x->writes || y->writes) || (x->thread == y->thread && !p->proof->threads[x->thread].many)) continue;
            bool locks = common(k->classes, o->classes) || common(k->keys, o->keys), atomic = x->atomic && y->atomic;
            by[never_together(k, o) ? 1 : locks ? 0 : atomic || (x->section && y->section) || !(x->first || y->first) ? 2 : 3] = true;
        }
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++)
        if (by[i]) buf_printf(words, "%s%s", n++ ? ", or " : "", names[i]);
    buf_printf(words, "%s keep its accesses from racing", n > 1 ? "," : "");
}

static void put_region(const Pairs *p, unsigned region, Buf *words) {
    const unsigned *list = p->of_region[region];
    bool early = p->early[region], writes = false, accessed = false;
    Common c = {.others = early};
    vec_each_of(const Kind, k, p->kinds, list) {
        if (k->access->mutex) continue;
        accessed = true;
        writes |= k->access->writes;
        if (alone(p, list, k)) c.others = true;
        else join_common(&c, k);
    }
    const char *but = c.others ? ", except while no other thread can access it" : "";
    if (!c.any && !(early && accessed)) return;
    buf_printf(words, "  %s: ", p->proof->regions[region]);
    if (!c.any && writes) buf_text(words, "no two threads access it in parallel\n");
    else if (early && !writes) buf_text(words, "only read once other threads can access it\n");
    else if (vec_len(c.classes)) {
        const char *name = p->proof->classes[c.classes[0]];
        buf_printf(words, "every access holds %.*s%s\n", name_length(name), name, but);
    } else if (!c.writes) buf_printf(words, "only read%s\n", but);
    else if (c.atomic) buf_printf(words, "every access is atomic%s\n", but);
    else if (c.section) buf_printf(words, "every access is in an atomic section%s\n", but);
    else if (c.guarded) buf_printf(words, "every access holds the lock that belongs to it%s\n", but);
    else {
        put_reasons(p, list, words);
        buf_printf(words, "%s\n", but);
    }
    vec_free(c.classes);
}

/* ---- all ---- */

static void pairs_free(Pairs *p) {
    for (size_t t = 0; t < vec_len(p->holding); t++) {
        vec_free_rows(p->holding[t]);
        vec_free(p->gone[t]);
    }
    for (size_t k = 0; k < vec_len(p->kinds); k++) free_kind(&p->kinds[k]);
    vec_free_rows(p->of_region);
    vec_free(p->kinds);
    vec_free(p->wild);
    vec_free(p->holding);
    vec_free(p->gone);
    vec_free(p->broken);
    vec_free(p->early);
    race_family_free(&p->family);
}

void race_pairs(const RaceProof *proof, RaceFound *found, void *context, Buf *words) {
    ensure(found && race_proof_valid(proof));
    Pairs p = {.proof = proof, .family = race_family(proof), .found = found, .context = context};
    p.words = (unsigned)(vec_len(proof->threads) + 63) / 64;
    find_gone(&p);
    find_holding(&p);
    find_broken(&p);
    find_kinds(&p);
    find_pairs(&p);
    for (unsigned r = 0; words && r < vec_len(p.of_region); r++) put_region(&p, r, words);
    pairs_free(&p);
}
