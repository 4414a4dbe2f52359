/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of passes. Each row is: name and what it does; what it may change; the facts it requires, ensures and
   breaks; when it is run. The head of each pass's own file says the same in words. */
#include "passes/passes.h"
#include "ir/asserts.h"
#include "passes/program/program_passes.h"
#include "passes/build/build_system.h"
#include "passes/build/wraps.h"
#include "passes/program/weak_memory.h"
#include "passes/system/system_passes.h"
#include "passes/system/tidy.h"

/* ---- when they are run ---- */

static bool was_c(const PassSettings *s) { return s->c; }
static const Question *question_of(const PassSettings *s) {
    static const Question plain = {0};
    return s->question ? s->question : &plain;
}

static bool asks(const PassSettings *s, Property p) { return question_of(s)->property == p; }
static bool asks_otherwise(const PassSettings *s) { return !asks(s, PROPERTY_UNREACH_CALL); }
static bool asks_races(const PassSettings *s) { return asks(s, PROPERTY_NO_DATA_RACE); }
static bool asks_faults(const PassSettings *s) { return asks(s, PROPERTY_NO_OVERFLOW); }
static bool asks_memory(const PassSettings *s) { return asks(s, PROPERTY_VALID_MEMSAFETY); }
static bool asks_waits(const PassSettings *s) { return asks(s, PROPERTY_NO_DEADLOCK); }
/* Where faults are asked as errors, there are many errors that plainly cannot happen. */
static bool asks_many(const PassSettings *s) { return asks_faults(s) || asks_memory(s); }
static bool unwinds(const PassSettings *s) { return question_of(s)->unwinds; }
static bool knows(const PassSettings *s) { return question_of(s)->known != NULL; }
static bool counts(const PassSettings *s) { return s->count; }
static bool has_rounds(const PassSettings *s) { return s->rounds; }
static bool in_integers(const PassSettings *s) { return arithmetic_has_integers(s->arithmetic); }
static bool in_bits(const PassSettings *s) { return !arithmetic_has_integers(s->arithmetic); }
static bool congruent(const PassSettings *s) { return arithmetic_is_congruent(s->arithmetic); }
static bool weak(const PassSettings *s) { return s->arithmetic == WEAK; }
static bool coarse(const PassSettings *s) { return !s->fine; }
static bool fine(const PassSettings *s) { return s->fine; }
static bool fenced(const PassSettings *s) { return vec_len(s->fences); }
static bool plain(const PassSettings *s) { return s->memory == MEMORY_PLAIN_SC; }
static bool as_sc(const PassSettings *s) { return s->memory == MEMORY_AS_SC || s->memory == MEMORY_PLAIN_SC; }
static bool buffered(const PassSettings *s) { return s->memory == MEMORY_BUFFERED; }
static bool monitored(const PassSettings *s) { return s->memory == MEMORY_MONITORED; }
static bool looping(const PassSettings *s) { return s->loops && !s->no_reduction; }
static bool not_looping(const PassSettings *s) { return !looping(s); }

/* ---- programs ---- */

#define RUN(name, statement)                 \
    static PassResult run_##name(Chain *p) { \
        statement;                           \
        return PASS_DONE;                    \
    }

_Static_assert(FOR_ENDS == 1 << PROPERTY_TERMINATION && FOR_ALL == (1 << NPROPERTIES) - 1, "a bit for each property");
RUN(focus, focus(p->program, 1u << question_of(&p->settings)->property))
RUN(nothing, (void)p)
RUN(promote, program_promote(p->program, question_forbids_misuse(question_of(&p->settings))))
RUN(jump_threading, jump_threading(p->program))
RUN(clean, program_clean(p->program))
RUN(count_threads, count_threads(p->program))
RUN(unspecified_values, p->opened = unspecified_values(p->program))
RUN(clean_unspecified, if (p->opened) program_clean(p->program))
RUN(asserts, asserts_forget(p->program))
RUN(unwind, unwind(p->program, question_of(&p->settings)->unwind))
RUN(count_steps, count_steps(p->program))
RUN(drop_subsumed, drop_subsumed(p->program))
RUN(specialise, specialise(p->program, p->translation, p->settings.count))
RUN(bound_thread_creation, bound_thread_creation(p->program, p->translation, p->settings.rounds))
RUN(instantiate_threads, instantiate_threads(p->program, p->translation))
RUN(second_instance, second_instance(p->program, p->translation))
RUN(final_values, if (asks_many(&p->settings) || p->settings.final_values) final_values(p->program))
RUN(mutex_kinds, mutex_kinds(p->program, p->translation))
RUN(lock_results, lock_results(p->program))
RUN(signs, infer_signs(p->program))
RUN(sums, mark_wide(p->program))
RUN(words, mutex_words(p->program))

/* An assertion that is known to fail ends the process. */
static PassResult run_known(Chain *p) {
    vec_each(Template *, x, p->program->templates)
        for (size_t l = 0; l < vec_len(x->locations); l++)
            if (x->locations[l].kind == LOCATION_ERROR && known_error(question_of(&p->settings)->known, x->locations[l].position))
                x->locations[l].kind = LOCATION_HALT;
    return PASS_DONE;
}

static PassResult run_partition(Chain *p) { return partition(p->program, p->translation, &p->why, &p->where) ? PASS_DONE : PASS_REFUSED; }

static PassResult ask(Chain *p, Instrumented asked) {
    p->asked = asked;
    if (!p->asked.refused) {
        vec_push(p->back, instrumented_way_back(&p->asked));
        return PASS_DONE;
    }
    buf_text(&p->why, p->asked.refused);
    p->where = p->asked.where;
    return PASS_REFUSED;
}

static PassResult run_instrument_races(Chain *p) {
    return ask(p, instrument_races(p->program, question_of(&p->settings), !question_of(&p->settings)->no_static_race_check));
}
static PassResult run_instrument_faults(Chain *p) { return ask(p, instrument_faults(p->program, question_of(&p->settings))); }
static PassResult run_instrument_memory(Chain *p) { return ask(p, instrument_memory(p->program, question_of(&p->settings))); }
static PassResult run_instrument_waits(Chain *p) { return ask(p, instrument_waits(p->program)); }

/* ---- systems ---- */

static PassResult run_build(Chain *p) {
    ensure(p->program->memory == MEMORY_SC && translation_valid(p->translation, p->program));
    p->system = build_system(p->program, p->settings.arithmetic, &p->why);
    if (!p->system) return PASS_REFUSED;
    p->smt = smt_new(p->system->exprs);
    return PASS_DONE;
}

/* Which variables wrap around is known when the system is there: then it is made anew. What they are copied to wraps
   around as well. */
static PassResult run_find_wraps(Chain *p) {
    enum { MOST = 4 };
    if (p->again == MOST || !wraps_find(p->system, p->program)) return PASS_DONE;
    p->again++;
    return PASS_AGAIN;
}

RUN(merge_transitions, p->system = merge_transitions(p->system, p->smt))
RUN(merge_sections, p->system = merge_sections(p->system, p->smt))
RUN(loosen_wraps, if (p->again) wraps_loosen(p->system, p->smt))
RUN(orders_by_type, orders_by_type(p->system))
RUN(cut_all, if (asks_many(&p->settings) || p->settings.cut) cut_all(p->system))
RUN(exclude_errors, if (asks_many(&p->settings)) exclude_errors(p->system, p->smt))
RUN(cut_tails, if (asks_many(&p->settings)) cut_tails(p->system))
RUN(tidy_stutter, tidy_stutter(p->system))
RUN(prophecy_indices, prophecy_indices(p->system))
RUN(weaken_guards, p->weaker = weaken_guards(p->system, p->smt))
RUN(find_locks, find_locks(p->system, p->smt))

/* ---- reduction ---- */

static PassResult run_movers(Chain *p) {
    bool *relevant = system_relevant(p->system);
    p->movers = movers_new(p->system, p->smt, relevant);
    vec_free(relevant);
    if (p->settings.no_reduction) movers_forget(p->movers);
    return PASS_DONE;
}

RUN(blocks, p->blocks = blocks_new(p->system, p->smt, p->settings.no_reduction ? NULL : p->movers))
RUN(blocks_with_loops, p->blocks = blocks_with_loops(p->system, p->smt, p->movers))

/* ---- the tables ---- */

/* clang-format off */
#define F(name) FACT_##name
#define ALWAYS NULL, NULL, NULL
#define WHEN(applies, said) applies, said, NULL
enum { REDUCED = F(LOCKS) | F(MOVERS) | F(BLOCKS) };

static const Pass loading[] = {
    {"front-end", "the program as the front end makes it, or as its text says: no pass was run", OVER_PROGRAM,
     0, 0, 0, run_nothing, ALWAYS},
    {"focus", "what matters to the property is kept", OVER_PROGRAM,
     0, 0, 0, run_focus, ALWAYS},
    {"promote", "memory that is only accessed at constant addresses becomes variables", OVER_PROGRAM,
     0, 0, 0, run_promote, WHEN(was_c, "for C")},
    {"jump-threading", "branches that the step before decides are taken at once", OVER_PROGRAM,
     0, 0, 0, run_jump_threading, WHEN(was_c, "for C")},
    {"clean", "dead assignments, needless locations and unused locals go", OVER_PROGRAM,
     0, 0, 0, run_clean, WHEN(was_c, "for C")},
    {"count-threads", "how many threads of each template there can be", OVER_PROGRAM,
     0, F(COUNTED), 0, run_count_threads, WHEN(was_c, "for C")},
    {"unspecified-values", "values that C leaves open become any value", OVER_PROGRAM,
     F(COUNTED), 0, 0, run_unspecified_values, WHEN(was_c, "for C")},
    {"clean-unspecified", "clean, once more where that changed something", OVER_PROGRAM,
     0, 0, 0, run_clean_unspecified, WHEN(was_c, "for C")},
    {"forget-assertions", "who violates an assertion ends the process; what comes before an end is a step", OVER_PROGRAM,
     0, F(FORGOTTEN), 0, run_asserts, WHEN(asks_otherwise, "with another --property than unreach-call")},
    {"unwind", "loops are followed a number of times", OVER_PROGRAM,
     0, 0, 0, run_unwind, WHEN(unwinds, "with --unwind N")},
    {"known-errors", "assertions that are known to fail end the process", OVER_PROGRAM,
     0, 0, 0, run_known, WHEN(knows, "with --all-violations, after the first violation; with --dump-after, after that of the first assertion")},
};

static const Pass weak_memory[] = {
    {"fence", "a seq_cst fence is put behind stores that are late in an execution", OVER_PROGRAM,
     0, 0, 0, run_fence, WHEN(fenced, "to look for fences that exclude an execution under weak memory")},
    {"plain-atomics", "atomic accesses that are not seq_cst become plain ones", OVER_PROGRAM,
     0, F(STRONG), 0, run_plain_atomics, WHEN(plain, "with --memory-model c11, to ask for races")},
    {"as-sc", "no store is late any more", OVER_PROGRAM,
     0, 0, 0, run_as_sc, WHEN(as_sc, "with --memory-model tso, pso or c11")},
    {"store-buffers", "store buffers become locals, two stores deep at first", OVER_PROGRAM,
     0, 0, 0, run_buffers, WHEN(buffered, "with --memory-model tso or pso")},
    {"robustness-monitor", "where another thread observes a delayed store there is an error", OVER_PROGRAM,
     0, 0, 0, run_robustness_monitor, WHEN(monitored, "with --memory-model tso")},
};

static const Pass asking[] = {
    {"instrument-races", "where two threads are about to race there is an error", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_races, WHEN(asks_races, "with --property no-data-race")},
    {"instrument-faults", "where arithmetic is not defined there is an error", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_faults,
     WHEN(asks_faults, "with --property no-overflow and another engine than explicit")},
    {"instrument-memory", "where memory is accessed that must not be, or lost, there is an error", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_memory,
     WHEN(asks_memory, "with --property valid-memsafety and another engine than explicit")},
    {"instrument-waits", "where threads wait for ever there is an error", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_waits,
     WHEN(asks_waits, "with --property no-deadlock and another engine than explicit and order")},
};

static const Pass building[] = {
    {"count-steps", "counters of what threads do once", OVER_PROGRAM,
     F(COUNTED), 0, F(UNROLLED), run_count_steps, WHEN(counts, "when the engine redcomp tries again; always for --dump-after")},
    {"drop-subsumed", "what over-approximations cover is left out", OVER_PROGRAM,
     0, F(COVERED), 0, run_drop_subsumed, ALWAYS},
    {"specialise", "constants are propagated; loops that create or join threads are unrolled", OVER_PROGRAM,
     0, F(UNROLLED), 0, run_specialise, ALWAYS},
    {"bound-thread-creation", "loops that create threads are gone through a few times", OVER_PROGRAM,
     F(UNROLLED), 0, F(WHOLE), run_bound_thread_creation, WHEN(has_rounds, "when the engine impact hunts; with one round for --dump-after")},
    {"promote-again", "promote, of what is at a constant address now", OVER_PROGRAM,
     0, 0, 0, run_promote, ALWAYS},
    {"instantiate-threads", "a template for each thread", OVER_PROGRAM,
     F(COUNTED) | F(UNROLLED), F(SINGLE), F(TWINS), run_instantiate_threads, ALWAYS},
    {"second-instance", "a second copy of each template marked many", OVER_PROGRAM,
     F(SINGLE), F(TWINS), 0, run_second_instance, ALWAYS},
    {"partition-memory", "memory becomes variables", OVER_PROGRAM,
     F(SINGLE) | F(TWINS), F(NO_MEMORY), 0, run_partition, ALWAYS},
    {"final-values", "where faults are asked as errors, and for the engine threader: what nobody changes any more is written in", OVER_PROGRAM,
     F(SINGLE) | F(NO_MEMORY), 0, F(SIGNS) | F(SUMS), run_final_values, ALWAYS},
    {"mutex-kinds", "recursive and error-checking mutexes become normal ones, with branches", OVER_PROGRAM,
     F(SINGLE) | F(NO_MEMORY), 0, 0, run_mutex_kinds, ALWAYS},
    {"lock-results", "results of LOCK and UNLOCK are 0", OVER_PROGRAM,
     0, F(LOCKS_SUCCEED), 0, run_lock_results, ALWAYS},
    {"specialise-again", "specialise, now that memory and locks are assignments", OVER_PROGRAM,
     F(NO_MEMORY) | F(LOCKS_SUCCEED), F(UNROLLED), F(SIGNS) | F(SUMS), run_specialise, ALWAYS},
    {"signs", "variables without declared type are signed or not as they are used", OVER_PROGRAM,
     F(NO_MEMORY), F(SIGNS), F(SUMS) | F(WORDS), run_signs, WHEN(in_integers, "without --arith bv")},
    {"congruent-sums", "sums that nobody looks at need not be brought into range", OVER_PROGRAM,
     F(NO_MEMORY) | F(SIGNS), F(SUMS), 0, run_sums, WHEN(in_integers, "without --arith bv")},
    {"mutex-words", "words of mutexes are not signed", OVER_PROGRAM,
     F(NO_MEMORY), F(WORDS), 0, run_words, ALWAYS},
    {"build-integers", "the system, in integers", OVER_SYSTEM,
     F(NO_MEMORY) | F(TWINS) | F(LOCKS_SUCCEED) | F(WORDS) | F(SIGNS) | F(SUMS), F(SYSTEM) | F(FINE) | F(LIVE), REDUCED,
     run_build, WHEN(in_integers, "without --arith bv")},
    {"build-bits", "the system, in bit-vectors", OVER_SYSTEM,
     F(NO_MEMORY) | F(TWINS) | F(LOCKS_SUCCEED) | F(WORDS), F(SYSTEM) | F(FINE) | F(LIVE), REDUCED,
     run_build, WHEN(in_bits, "with --arith bv")},
    {"cut-all", "where faults are asked as errors: steps that lead nowhere go, and all if no error is left", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_cut_all, ALWAYS},
    {"merge-transitions", "few, large transitions", OVER_SYSTEM,
     F(SYSTEM) | F(FINE) | F(LIVE), F(LIVE), F(FINE) | REDUCED, run_merge_transitions, WHEN(coarse, "with --reduction yes")},
    {"merge-sections", "atomic sections are one transition", OVER_SYSTEM,
     F(SYSTEM) | F(FINE) | F(LIVE), 0, F(FINE) | REDUCED, run_merge_sections, WHEN(fine, "with --reduction no")},
    {"exclude-errors", "where faults are asked as errors: those go that simple invariants exclude", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_exclude_errors, ALWAYS},
    {"cut-tails", "where faults are asked as errors: what comes when no error can come any more goes", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_cut_tails, ALWAYS},
    {"find-wraps", "which variables wrap around: where there are new ones, the system is made anew", OVER_BLOCKS,
     F(SYSTEM), F(WRAPS), 0, run_find_wraps, congruent, "with --engine weave", "build-integers"},
    {"loosen-wraps", "numbers of which only congruence counts are not brought into range", OVER_SYSTEM,
     F(SYSTEM) | F(WRAPS), 0, REDUCED, run_loosen_wraps, WHEN(congruent, "with --engine weave")},
    {"orders-by-type", "of numbers that are never less than 0, x != 0 is 0 < x", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_orders_by_type, WHEN(congruent, "with --engine weave")},
    {"tidy-stutter", "steps that change nothing are none", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_tidy_stutter, WHEN(congruent, "with --engine weave")},
    {"prophecy-indices", "indices that are chosen once are chosen at the start", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_prophecy_indices, WHEN(congruent, "with --engine weave")},
    {"weaken-guards", "guards that only keep arithmetic defined go", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_weaken_guards, WHEN(weak, "with --engine weave")},
};

static const Pass reducing[] = {
    {"find-locks", "variables used as locks, with their holders", OVER_SYSTEM,
     F(SYSTEM), F(LOCKS), F(MOVERS) | F(BLOCKS), run_find_locks, ALWAYS},
    {"movers", "with which transitions of other threads each commutes", OVER_BLOCKS,
     F(LOCKS), F(MOVERS), F(BLOCKS), run_movers, ALWAYS},
    {"blocks", "where other threads need not run", OVER_BLOCKS,
     F(MOVERS), F(BLOCKS), 0, run_blocks,
     WHEN(not_looping, "with --rule redsafety or reachenv, or another engine than redcomp")},
    {"blocks-with-loops", "blocks that may loop before their commit", OVER_BLOCKS,
     F(MOVERS), F(BLOCKS), 0, run_blocks_with_loops, WHEN(looping, "with --engine redcomp")},
};
/* clang-format on */

#define TABLE(title, list, given) \
    { title, list, sizeof(list) / sizeof *(list), given }
const char last_common_pass[] = "partition-memory";
const PassTable passes_loading = TABLE("From C to the program as loaded", loading, F(WHOLE));
const PassTable passes_weak = TABLE("From weak memory to sequential consistency, in one of these ways", weak_memory, F(WHOLE) | F(COUNTED));
const PassTable passes_property = TABLE("From a property to errors", asking, F(WHOLE) | F(COUNTED) | F(FORGOTTEN));
const PassTable passes_building = TABLE("From a program to a system", building, F(WHOLE) | F(COUNTED));
const PassTable passes_reducing = TABLE("Locks, movers and blocks", reducing, 0);
