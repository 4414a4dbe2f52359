/* SPDX-License-Identifier: Apache-2.0 */
/* Decides the facts of facts.def that a program or system shows. Each function visits every action or transition once, so that the driver
   can afford it after every pass. */
#include "passes/facts.h"
#include "ir/asserts.h"

/* ---- programs ---- */

static bool is_flat(const Chain *p) { return !vec_len(p->program->procedures); }
static bool no_errors(const Chain *p) { return !program_has(p->program, LOCATION_ERROR); }

typedef bool (*ActionTest)(const Action *);

static bool all_actions(const Chain *p, ActionTest is_good) {
    vec_each(const Template *, template_, p->program->templates)
        for (size_t a = 0; a < vec_len(template_->actions); a++)
            if (!is_good(&template_->actions[a])) return false;
    return true;
}

static bool is_not_covered(const Action *a) { return !a->subsumed || expr_is_false(a->guard); }
static bool nothing_covered(const Chain *p) { return all_actions(p, is_not_covered); }

static bool is_strong(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (instr_is_weak(&a->instrs[i])) return false;
    return true;
}
static bool nothing_weak(const Chain *p) { return all_actions(p, is_strong); }

static bool has_no_access(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++) switch (a->instrs[i].kind) {
        case INSTR_ASSIGN:
        case INSTR_HAVOC:
        case INSTR_ASSUME:
        case INSTR_CREATE:
        case INSTR_JOIN:
        case INSTR_FENCE: break;
        case INSTR_LOCK:
        case INSTR_TRYLOCK:
        case INSTR_UNLOCK:
            if (!a->instrs[i].cell) return false;
            break;
        default: return false;
        }
    return true;
}
static bool no_memory(const Chain *p) { return all_actions(p, has_no_access); }

static bool locks_without_result(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if ((a->instrs[i].kind == INSTR_LOCK || a->instrs[i].kind == INSTR_UNLOCK) && a->instrs[i].target) return false;
    return true;
}
static bool no_lock_results(const Chain *p) { return all_actions(p, locks_without_result); }

static bool locks_unsigned(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].cell && a->instrs[i].cell->is_signed) return false;
    return true;
}
static bool words_unsigned(const Chain *p) { return all_actions(p, locks_unsigned); }

static bool each_is_single(const Chain *p) {
    for (size_t t = 0; t < vec_len(p->program->templates); t++)
        if (p->program->templates[t]->count > 1) return false;
    return true;
}

static bool many_have_second_instances(const Chain *p) {
    size_t n = vec_len(p->program->templates);
    for (size_t t = 0; t < n; t++) {
        if (p->program->templates[t]->count) continue;
        t++; /* the second instance follows */
        if (t == n || p->program->templates[t]->count) return false;
    }
    return true;
}

/* ---- systems ---- */

static bool has_system(const Chain *p) { return p->system && p->smt; }
static bool has_movers(const Chain *p) { return p->movers != NULL; }
static bool has_blocks(const Chain *p) { return p->blocks != NULL; }

static bool each_action_is_one(const Chain *p) {
    for (size_t t = 0; t < vec_len(p->system->threads); t++)
        for (size_t i = 0; i < vec_len(p->system->threads[t].transitions); i++)
            if (vec_len(p->system->threads[t].transitions[i].actions) != 1) return false;
    return true;
}

/* ---- the table ---- */

static const struct {
    const char *text;
    bool (*holds)(const Chain *);
} facts[] = {
#define FACT(name, text, holds) {text, holds},
#include "passes/facts.def"
#undef FACT
};

const char *fact_text(FactBit f) { return facts[f].text; }
bool fact_holds(FactBit f, const Chain *p) { return !facts[f].holds || facts[f].holds(p); }
