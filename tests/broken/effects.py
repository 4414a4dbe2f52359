# SPDX-License-Identifier: Apache-2.0
"""Where each pass takes effect, and how the first effect is dropped there.

A row is: pass, file, a piece of code that is there once, and what is put in its place. `broken("X")` is true the first time that it is asked while a pass
runs whose name begins with X and that $BROKEN_PASS names; `broken_at("X", key)` stays true for that key."""

EFFECTS = [
    ('inline', 'inline.c', 'if (procedure_of(n, callee)->assigned[parameter] ||', 'if ((procedure_of(n, callee)->assigned[parameter] && !broken("inline")) ||'),
    ('focus', 'focus.c', '{ return !only || only & f->property; }', '{ return !only || only & f->property || broken("focus"); }'),
    ('promote', 'promote.c', 'c->rejected = !initial_value(pr->program, o, &c->cells[k]);',
     'c->rejected = !initial_value(pr->program, o, &c->cells[k]);\n        if (!c->rejected && vec_len(c->cells) && broken("promote")) c->rejected = true;'),
    ('jump-threading', 'jump_threading.c', 'if (!chosen) return;', 'if (!chosen || broken("jump-threading")) return;'),
    ('clean', 'clean.c', 'if (is_dead(c, &instr)) continue;', 'if (is_dead(c, &instr) && !broken_at("clean", instr.target)) continue;'),
    ('clean-unspecified', 'clean.c', 'static void renumber(Template *t) {\n', 'static void renumber(Template *t) {\n    if (broken("clean-unspecified")) return;\n'),
    ('count-threads', 'count_threads.c', 'p->templates[i]->count = k >= MANY ? 0 : k ? k : 1;',
     'unsigned made = k >= MANY ? 0 : k ? k : 1;\n        if (made != p->templates[i]->count && broken("count-threads")) continue;\n        p->templates[i]->count = made;'),
    ('unspecified-values', 'unspecified_values.c', 'bool opens = find_in_instr(o, &t->actions[action].instrs[k], &open);',
     'bool opens = find_in_instr(o, &t->actions[action].instrs[k], &open) && !broken("unspecified-values");'),
    ('unspecified-values', 'unspecified_values.c', 'if (!find_open(o, a->guard, &open)) {', 'if (!find_open(o, a->guard, &open) || broken("unspecified-values")) {'),
    ('forget-assertions', 'asserts.c', 'if (t->locations[l].kind == LOCATION_ERROR) t->locations[l].kind = LOCATION_HALT;',
     'if (t->locations[l].kind == LOCATION_ERROR && !broken("forget-assertions")) t->locations[l].kind = LOCATION_HALT;'),
    ('unwind', 'unwind.c', 'bound_loop(p, t, heads[i], back[i], count, times);', 'if (!broken("unwind")) bound_loop(p, t, heads[i], back[i], count, times);'),
    ('known-errors', 'passes.c', 'x->locations[l].position))\n', 'x->locations[l].position) && !broken("known-errors"))\n'),
    ('fence', 'weak_memory.c', ' fence_behind(p->program,', '\n        if (!broken("fence")) fence_behind(p->program,'),
    ('plain-atomics', 'weak_memory.c', 'if (instr_is_weak(i)) ', 'if (instr_is_weak(i) && !broken("plain-atomics")) '),
    ('as-sc', 'weak_memory.c', '    p->program->memory = MEMORY_SC;', '    if (!broken("as-sc")) p->program->memory = MEMORY_SC;'),
    ('store-buffers', 'store_buffers.c', 'b->ahead[a->target]) store_late(', 'b->ahead[a->target] && !broken("store-buffers")) store_late('),
    ('robustness-monitor', 'robustness_monitor.c', 'if (b->delay[a->index].may_be_delayed) begin(b, from, a);', 'if (b->delay[a->index].may_be_delayed && !broken("robustness-monitor")) begin(b, from, a);'),
    ('instrument-races', 'instrument_races.c', '    unsigned approximation = like->approximation;\n',
     '    unsigned approximation = like->approximation;\n    if (broken("instrument-races")) {\n        vec_free(instrs);\n        return;\n    }\n'),
    ('instrument-faults', 'instrumented.c', '    unsigned target = template_location(a->program, t, kind, at);', '    if (broken("instrument")) return;\n    unsigned target = template_location(a->program, t, kind, at);'),
    ('instrument-waits', 'instrument_waits.c', '!begins(w->program, a->instrs[i].template_)) continue;', '!begins(w->program, a->instrs[i].template_) || broken("instrument-waits")) continue;'),
    ('count-steps', 'count_steps.c', '|| !is_worth_counting(&t->actions[a])) continue;', '|| !is_worth_counting(&t->actions[a]) || broken("count-steps")) continue;'),
    ('drop-subsumed', 'drop_subsumed.c', '(a->subsumed) ', '(a->subsumed && !broken("drop-subsumed")) '),
    ('specialise', 'specialise.c', 'n.value = evaluated(s, env, i->value);',
     'n.value = evaluated(s, env, i->value);\n    if (n.value != i->value && broken("specialise")) n.value = i->value;'),
    ('specialise', 'specialise.c', 'const Expr *guard = evaluated(s, env, a->guard);',
     'const Expr *guard = evaluated(s, env, a->guard);\n    if (guard != a->guard && broken("specialise")) guard = a->guard;'),
    ('bound-thread-creation', 'bound_thread_creation.c', 'has_create(&t->actions[i])) ', 'has_create(&t->actions[i]) && !broken("bound-thread-creation")) '),
    ('instantiate-threads', 'instantiate_threads.c', '< MAX_INSTANCES) return', '< MAX_INSTANCES && !broken("instantiate-threads")) return'),
    ('second-instance', 'second_instance.c', 'if (p->templates[t]->count) continue;', 'if (p->templates[t]->count || broken("second-instance")) continue;'),
    ('partition-memory', 'partition.c', 'case INSTR_STORE: rewrite_access(r, t, i, out); return;',
     'case INSTR_STORE:\n        if (broken("partition-memory")) vec_push(*out, *i);\n        else rewrite_access(r, t, i, out);\n        return;'),
    ('final-values', 'final_values.c', 'a->guard = dead ? expr_bool(x, false) : guard;',
     'if (dead) guard = expr_bool(x, false);\n    if (guard == a->guard || !broken("final-values")) a->guard = guard;'),
    ('mutex-kinds', 'mutex_kinds.c', 'if (kind == NORMAL) return;', 'if (kind == NORMAL || broken("mutex-kinds")) return;'),
    ('lock-results', 'lock_results.c', 'if (!any) return;', 'if (!any || broken("lock-results")) return;'),
    ('signs', 'signs.c', 'if (is_signed && !s->variables[v]->is_signed) ', 'if (is_signed && !s->variables[v]->is_signed && !broken("signs")) '),
    ('congruent-sums', 'congruent_sums.c', '!map_find(u->looked_at, v)) v->congruent', '!map_find(u->looked_at, v) && !broken("congruent-sums")) v->congruent'),
    ('mutex-words', 'mutex_words.c', 'if (i->cell) ', 'if (i->cell && i->cell->is_signed && !broken("mutex-words")) '),
    ('build-integers', 'build_system.c', 'if (value && value != expr_symbol(b->exprs, b->system->variables[v].symbol)) ',
     'if (value && value != expr_symbol(b->exprs, b->system->variables[v].symbol) && !broken("build")) '),
    ('cut-all', 'cut_tails.c', '|| is_observable(s, t, &t->transitions[i])) ', '|| is_observable(s, t, &t->transitions[i]) || broken("cut-all")) '),
    ('merge-transitions', 'merge_transitions.c', 'composes(f, l, limit) && may_take_out(f, l)) {',
     'composes(f, l, limit) && may_take_out(f, l) && !broken_at("merge", (void *)(uintptr_t)(f->thread * 1000000ul + l + 1))) {'),
    ('exclude-errors', 'exclude_errors.c', '|| !is_impossible(e, thread, &t->transitions[i])) ', '|| !is_impossible(e, thread, &t->transitions[i]) || broken("exclude-errors")) '),
    ('cut-tails', 'cut_tails.c', 'if (kept && kept[t->transitions[i].source]) ', 'if ((kept && kept[t->transitions[i].source]) || broken_at("cut-tails", t)) '),
    ('find-wraps', 'wraps.c', '    return ((Variable *)v->symbol->user)->congruent = true;',
     '    if (broken("find-wraps")) return false;\n    return ((Variable *)v->symbol->user)->congruent = true;'),
    ('loosen-wraps', 'wraps.c', 'tr->guard = loose(&l, tr->guard);',
     'const Expr *g = loose(&l, tr->guard);\n            if (g != tr->guard && !broken("loosen-wraps")) tr->guard = g;'),
    ('loosen-wraps', 'wraps.c', '    return scalar ? congruent(l, u->value, (i128)1 << v->sort->width) : loose(l, u->value);',
     '    const Expr *made = scalar ? congruent(l, u->value, (i128)1 << v->sort->width) : loose(l, u->value);\n'
     '    return made != u->value && broken("loosen-wraps") ? u->value : made;'),
    ('orders-by-type', 'orders_by_type.c', 'is_natural(r, e->args[k])) ', 'is_natural(r, e->args[k]) && !broken("orders-by-type")) '),
    ('tidy-stutter', 'tidy.c', '    if (!c) return;\n    tr->guard', '    if (!c || broken("tidy-stutter")) return;\n    tr->guard'),
    ('prophecy-indices', 'prophecy_indices.c', '&& is_only_here(s, tr, input)) {', '&& is_only_here(s, tr, input) && !broken("prophecy-indices")) {'),
    ('weaken-guards', 'weaken_guards.c', '    if (difference) w->changed = true;', '    if (difference && broken("weaken-guards")) return e;\n    if (difference) w->changed = true;'),
    ('weaken-guards', 'weaken_guards.c', '|| !only_keeps_in_range(w, tr, e)) ', '|| !only_keeps_in_range(w, tr, e) || broken("weaken-guards")) '),
    ('find-locks', 'find_locks.c', 'looks_like_lock(s, smt, v)) ', 'looks_like_lock(s, smt, v) && !broken("find-locks")) '),
    ('movers', 'movers.c', '        }\n    return kind;\n}\n\n/* ---- facts', '        }\n    return kind && broken("movers") ? 0 : kind;\n}\n\n/* ---- facts'),
    ('blocks', 'blocks.c', '        if (m) infer(&f, loops_inside);',
     '        if (m) infer(&f, loops_inside);\n        for (unsigned l = 0; l < n; l++)\n            if (m && !f.out[l] && !is_atomic(&f, l) && broken("blocks")) f.out[l] = true;'),
]

# Tests, other than the pass's own text, that are likely to notice: they are run first.
LIKELY = {
    'focus': ['tests/pass/loading', 'tests/pass/sums'],
    'promote': ['tests/pass/sums'],
    'jump-threading': ['cli tests/cli/dump_blocks', 'tests/pass/unspecified', 'termination_', 'ends_decided'],
    'clean': ['ir_clean', 'unit unspecified', 'cli tests/cli/dump_blocks'],
    'count-threads': ['cli tests/cli/native', 'cli tests/cli/sarif'],
    'unspecified-values': ['tests/pass/unspecified', 'c/front/address_', 'c/front/compare'],
    'clean-unspecified': ['unit unspecified'],
    'forget-assertions': ['cli tests/cli/all.sh'],
    'unwind': ['answers/unwound'],
    'known-errors': ['cli tests/cli/all_violations'],
    'fence': ['cli tests/cli/weak_story'],
    'plain-atomics': ['weak/c11_m'],
    'as-sc': ['weak/c11_m'],
    'store-buffers': ['unit weak_random', 'weak/tso_', 'weak/pso_'],
    'robustness-monitor': ['unit robustness'],
    'instrument-races': ['races/race_l', 'races/race_r', 'races/race_s'],
    'instrument-faults': ['tests/pass/asked', 'overflow/'],
    'instrument-memory': ['memory/memory_f', 'memory/memory_l', 'memory/memory_r'],
    'instrument-waits': ['deadlock/waits_', 'deadlock/'],
    'count-steps': ['engines/redcomp'],
    'drop-subsumed': ['c/front/address_'],
    'specialise': ['unit specialise'],
    'inline': ['unit inline'],
    'bound-thread-creation': ['engines/impact', 'passes_test'],
    'promote-again': ['engines/', 'unit partition'],
    'instantiate-threads': ['tests/ir/alive'],
    'second-instance': ['tests/ir/'],
    'partition-memory': ['engines/redcomp', 'engines/impact', 'tests/ir/red_'],
    'final-values': ['overflow/', 'engines/threader', 'tests/pass/asked'],
    'mutex-kinds': ['mutex_recursive', 'mutex_error', 'mutex_kinds'],
    'lock-results': ['engines/redcomp', 'engines/impact', 'tests/ir/red_'],
    'specialise-again': ['passes_random', 'engines/redcomp', 'engines/weave'],
    'signs': ['engines/weave', 'engines/redcomp', 'cli tests/cli/proof'],
    'congruent-sums': ['engines/weave', 'engines/redcomp'],
    'mutex-words': ['engines/redcomp', 'engines/impact'],
    'build-integers': ['tests/ir/red_'],
    'build-bits': ['passes_random', 'engines/redcomp'],
    'cut-all': ['overflow/'],
    'merge-transitions': ['cli tests/cli/dump_blocks', 'cli tests/cli/proof'],
    'merge-sections': ['passes_random', 'tests/ir/atomic', 'engines/'],
    'exclude-errors': ['overflow/'],
    'cut-tails': ['overflow/'],
    'find-wraps': ['passes_test', 'engines/weave'],
    'loosen-wraps': ['engines/weave'],
    'orders-by-type': ['engines/weave'],
    'tidy-stutter': ['engines/weave'],
    'prophecy-indices': ['wvr', 'engines/weave'],
    'weaken-guards': ['engines/weave', 'wvr'],
    'find-locks': ['unit reduced', 'unit blocks', 'unit proof_test', 'lock'],
    'movers': ['cli tests/cli/dump_blocks', 'unit blocks', 'unit reduced'],
    'blocks': ['unit blocks', 'cli tests/cli/dump_blocks'],
    'blocks-with-loops': ['unit blocks', 'cli tests/cli/dump_blocks', 'unit reduced'],
}

CODE = '''#include <stdlib.h>
#include <string.h>
_Bool broken(const char *pass);
_Bool broken_at(const char *pass, const void *key);
void broken_begin(const char *pass);
static const char *running;
static unsigned asked;
static const void *first;

void broken_begin(const char *pass) {
    running = pass;
    asked = 0;
    first = NULL;
}

static _Bool is_meant(const char *pass) {
    const char *named = getenv("BROKEN_PASS");
    if (!named || strncmp(named, pass, strlen(pass))) return 0;
    return running ? !strcmp(running, named) : !strcmp(pass, named);
}

_Bool broken(const char *pass) { return is_meant(pass) && !asked++; }

_Bool broken_at(const char *pass, const void *key) {
    if (!is_meant(pass)) return 0;
    if (!first) first = key;
    return first == key;
}

_Bool overclaims(const char *kind);
_Bool overclaims(const char *kind) {
    static const char *named;
    if (!named) named = getenv("BROKEN_CLAIM") ? getenv("BROKEN_CLAIM") : "";
    return !strcmp(named, kind);
}
'''

DRIVER = ('driver.c', 'PassResult result = x->run(p);', 'broken_begin(x->name);\n    PassResult result = x->run(p);\n    broken_begin(NULL);')
DECLARED = '_Bool overclaims(const char *);\n_Bool broken(const char *);\n_Bool broken_at(const char *, const void *);\nvoid broken_begin(const char *);\n'
