/* SPDX-License-Identifier: Apache-2.0 */
#include "result/lock_order.h"
#include <stdlib.h>

LockOrder *lock_order_new(const Program *p) {
    LockOrder *o = zeroed(1, sizeof *o);
    vec_resize(o->places, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        o->places[t] = NULL;
        vec_resize(o->places[t], vec_len(p->templates[t]->locations));
        for (size_t l = 0; l < vec_len(o->places[t]); l++) o->places[t][l] = (OrderPlace){0};
    }
    return o;
}

void lock_order_free(LockOrder *o) {
    if (!o) return;
    for (size_t t = 0; t < vec_len(o->places); t++) {
        for (size_t l = 0; l < vec_len(o->places[t]); l++) {
            vec_free(o->places[t][l].may);
            vec_free(o->places[t][l].must);
            vec_free(o->places[t][l].tries);
        }
        vec_free(o->places[t]);
    }
    vec_free(o->places);
    vec_free(o->locks);
    vec_free(o->ranks);
    vec_free(o->classes);
    free(o);
}

/* ---- between processes: locks and ranks, classes, places; each list after its length ---- */

static void send_place(uint64_t **to, const OrderPlace *p, size_t words) {
    vec_push(*to, (uint64_t)p->reached);
    if (!p->reached) return;
    for (size_t i = 0; i < words; i++) vec_push(*to, p->may[i]);
    for (size_t i = 0; i < words; i++) vec_push(*to, p->must[i]);
    vec_push(*to, (uint64_t)vec_len(p->tries));
    for (size_t i = 0; i < vec_len(p->tries); i++) vec_push(*to, (uint64_t)p->tries[i].lock << 32 | p->tries[i].local);
}

uint64_t *lock_order_send(const LockOrder *o) {
    uint64_t *to = NULL;
    vec_push(to, (uint64_t)vec_len(o->locks));
    for (size_t i = 0; i < vec_len(o->locks); i++) vec_push(to, (uint64_t)o->locks[i] << 32 | o->ranks[i]);
    vec_push(to, (uint64_t)vec_len(o->classes));
    for (size_t i = 0; i < vec_len(o->classes); i++) vec_push(to, (uint64_t)o->classes[i].gate << 32 | o->classes[i].alone);
    for (size_t t = 0; t < vec_len(o->places); t++)
        for (size_t l = 0; l < vec_len(o->places[t]); l++) send_place(&to, &o->places[t][l], locks_words(o));
    return to;
}

typedef struct Reader {
    const uint64_t *sent;
    size_t at;
    bool ok;
} Reader;

static uint64_t next(Reader *r) {
    r->ok = r->ok && r->at < vec_len(r->sent);
    return r->ok ? r->sent[r->at++] : 0;
}

/* Returns the length of a list, which is at most the number of words that follow. */
static uint64_t next_length(Reader *r) {
    uint64_t n = next(r);
    r->ok = r->ok && n <= vec_len(r->sent) - r->at;
    return r->ok ? n : 0;
}

static void receive_place(Reader *r, OrderPlace *p, size_t words) {
    p->reached = next(r) == 1;
    if (!p->reached) return;
    for (size_t i = 0; i < words; i++) vec_push(p->may, next(r));
    for (size_t i = 0; i < words; i++) vec_push(p->must, next(r));
    for (uint64_t n = next_length(r); n; n--) {
        uint64_t word = next(r);
        vec_push(p->tries, ((OrderTry){(unsigned)(word >> 32), (unsigned)word}));
    }
}

LockOrder *lock_order_receive(const Program *p, const uint64_t *sent) {
    Reader r = {.sent = sent, .ok = true};
    LockOrder *o = lock_order_new(p);
    for (uint64_t n = next_length(&r); n; n--) {
        uint64_t word = next(&r);
        vec_push(o->locks, (unsigned)(word >> 32));
        vec_push(o->ranks, (unsigned)word);
    }
    for (uint64_t n = next_length(&r); n; n--) {
        uint64_t word = next(&r);
        vec_push(o->classes, ((OrderRank){(unsigned)(word >> 32), (unsigned)word}));
    }
    for (size_t t = 0; t < vec_len(o->places); t++)
        for (size_t l = 0; l < vec_len(o->places[t]) && r.ok; l++) receive_place(&r, &o->places[t][l], locks_words(o));
    if (r.ok && r.at == vec_len(sent)) return o;
    lock_order_free(o);
    return NULL;
}
