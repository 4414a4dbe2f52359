/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the tables of passes. A row has the pass's name, summary and part of the chain that it may change. The facts follow that the pass
   requires, ensures and breaks, then its function and the condition under which it runs. The head of each pass's own file has the same
   facts in words. */
#include "passes/passes.h"
#include "ir/asserts.h"
#include "passes/program/program_passes.h"
#include "passes/build/build_system.h"
#include "passes/build/wraps.h"
#include "passes/program/weak_memory.h"
#include "passes/system/system_passes.h"
#include "passes/system/tidy.h"
#include "result/race_instrumented.h"
#include <stdlib.h>

/* ---- conditions for passes ---- */

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
/* True if faults are instrumented as errors. Then many errors are obviously unreachable. */
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

static void free_vec(void *v) { vec_free(v); }

/* Gives a vec to the check of the omission. */
static void give_claim(Chain *p, void *vec) {
    p->claim = vec;
    p->free_claim = free_vec;
}

_Static_assert(FOR_ENDS == 1 << PROPERTY_TERMINATION && FOR_ALL == (1 << NPROPERTIES) - 1, "a bit for each property");
RUN(focus, focus(p->program, 1u << question_of(&p->settings)->property))
RUN(nothing, (void)p)
RUN(inline, inline_procedures(p->program, p->settings.recursion, INLINE_MOST))
RUN(promote, give_claim(p, promote_memory(p->program, question_forbids_misuse(question_of(&p->settings)))))
RUN(jump_threading, jump_threading(p->program))
RUN(clean, program_clean(p->program))
RUN(count_threads, count_threads(p->program))
RUN(unspecified_values, p->has_unspecified = unspecified_values(p->program))
RUN(clean_unspecified, if (p->has_unspecified) program_clean(p->program))
RUN(asserts, program_end_at_assertions(p->program))
RUN(unwind, unwind(p->program, question_of(&p->settings)->unwind))
RUN(count_steps, count_steps(p->program))
RUN(drop_subsumed, drop_subsumed(p->program))
RUN(specialise, p->claim = specialise(p->program, p->translation, p->settings.count); p->free_claim = specialised_free)
RUN(bound_thread_creation, bound_thread_creation(p->program, p->translation, p->settings.rounds))
RUN(instantiate_threads, instantiate_threads(p->program, p->translation))
RUN(second_instance, second_instance(p->program, p->translation))
RUN(final_values, if (asks_many(&p->settings) || p->settings.final_values) final_values(p->program))
RUN(mutex_kinds, mutex_kinds(p->program, p->translation))
RUN(lock_results, lock_results(p->program))
RUN(signs, mark_signs(p->program))
RUN(sums, mark_congruent_sums(p->program))
RUN(words, mutex_words(p->program))

/* Lets each assertion of a known violation end the process. */
static PassResult run_known(Chain *p) {
    vec_each(Template *, x, p->program->templates)
        for (size_t l = 0; l < vec_len(x->locations); l++)
            if (x->locations[l].kind == LOCATION_ERROR && known_error(question_of(&p->settings)->known, x->locations[l].position))
                x->locations[l].kind = LOCATION_HALT;
    return PASS_DONE;
}

static PassResult run_partition(Chain *p) { return partition(p->program, p->translation, &p->why, &p->where) ? PASS_DONE : PASS_REFUSED; }

static PassResult set_instrumented(Chain *p, Instrumented asked) {
    p->instrumented = asked;
    if (!p->instrumented.refused) {
        vec_push(p->ways_back, instrumented_way_back(&p->instrumented));
        return PASS_DONE;
    }
    buf_text(&p->why, p->instrumented.refused);
    p->where = p->instrumented.where;
    return PASS_REFUSED;
}

static void free_race_claim(void *claim) {
    vec_free(((RaceClaim *)claim)->added);
    free(claim);
}

static void give_race_claim(Chain *p) {
    RaceClaim *claim = zeroed(1, sizeof *claim);
    claim->proof = p->instrumented.race_proof;
    vec_each_at(const AddedAction, a, p->instrumented.added) vec_push(claim->added, ((RaceAdded){a->template_, a->action, a->original}));
    p->claim = claim;
    p->free_claim = free_race_claim;
}

static PassResult run_instrument_races(Chain *p) {
    bool exclude = !question_of(&p->settings)->no_static_race_check;
    PassResult result = set_instrumented(p, instrument_races(p->program, question_of(&p->settings), exclude));
    give_race_claim(p);
    return result;
}
static PassResult run_instrument_faults(Chain *p) { return set_instrumented(p, instrument_faults(p->program, question_of(&p->settings))); }
static PassResult run_instrument_memory(Chain *p) { return set_instrumented(p, instrument_memory(p->program, question_of(&p->settings))); }
static PassResult run_instrument_waits(Chain *p) { return set_instrumented(p, instrument_waits(p->program)); }

/* ---- systems ---- */

static PassResult run_build(Chain *p) {
    ensure(p->program->memory == MEMORY_SC && translation_valid(p->translation, p->program));
    p->system = build_system(p->program, p->settings.arithmetic, &p->why);
    if (!p->system) return PASS_REFUSED;
    p->smt = smt_new(p->system->exprs);
    return PASS_DONE;
}

/* Marks the variables that wrap around. Only the system shows them, so it is made anew after each round that finds further ones. Variables
   to which they are copied wrap around as well, so there may be several rounds. */
static PassResult run_find_wraps(Chain *p) {
    enum { MOST = 4 };
    if (p->rebuilds == MOST || !wraps_find(p->system, p->program)) return PASS_DONE;
    p->rebuilds++;
    return PASS_AGAIN;
}

RUN(merge_transitions, p->system = merge_transitions(p->system, p->smt))
RUN(merge_sections, p->system = merge_sections(p->system, p->smt))
RUN(loosen_wraps, if (p->rebuilds) wraps_loosen(p->system, p->smt))
RUN(orders_by_type, orders_by_type(p->system))
RUN(cut_all, if (asks_many(&p->settings) || p->settings.cut) cut_all(p->system))
RUN(exclude_errors, if (asks_many(&p->settings)) exclude_errors(p->system, p->smt))
RUN(cut_tails, if (asks_many(&p->settings)) cut_tails(p->system))
RUN(tidy_stutter, tidy_stutter(p->system))
RUN(prophecy_indices, prophecy_indices(p->system))
RUN(weaken_guards, p->has_spurious_errors = weaken_guards(p->system, p->smt))
RUN(find_locks, find_locks(p->system, p->smt))

/* ---- reduction ---- */

static PassResult run_movers(Chain *p) {
    bool *relevant = system_relevant(p->system);
    p->movers = movers_new(p->system, p->smt, relevant);
    vec_free(relevant);
    if (p->settings.no_reduction) movers_clear(p->movers);
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
    {"front-end", "the program of the front end, or of its text, before any pass", OVER_PROGRAM,
     0, 0, 0, run_nothing, ALWAYS},
    {"inline", "replaces calls by copies of the procedures", OVER_PROGRAM,
     0, F(FLAT), 0, run_inline, ALWAYS},
    {"focus", "keeps the instructions that affect the property", OVER_PROGRAM,
     F(FLAT), 0, 0, run_focus, ALWAYS},
    {"promote", "turns memory that is only accessed at constant addresses into variables", OVER_PROGRAM,
     0, 0, 0, run_promote, WHEN(was_c, "for C")},
    {"jump-threading", "bypasses branches that the preceding step decides", OVER_PROGRAM,
     0, 0, 0, run_jump_threading, WHEN(was_c, "for C")},
    {"clean", "removes dead assignments, needless locations and unused locals", OVER_PROGRAM,
     0, 0, 0, run_clean, WHEN(was_c, "for C")},
    {"count-threads", "bounds the number of threads of each template", OVER_PROGRAM,
     0, F(COUNTED), 0, run_count_threads, WHEN(was_c, "for C")},
    {"unspecified-values", "lets unspecified values be any value", OVER_PROGRAM,
     F(COUNTED), 0, 0, run_unspecified_values, WHEN(was_c, "for C")},
    {"clean-unspecified", "runs clean again if unspecified-values changed the program", OVER_PROGRAM,
     0, 0, 0, run_clean_unspecified, WHEN(was_c, "for C")},
    {"forget-assertions", "lets a violated assertion end the process; splits the actions before that end off as steps", OVER_PROGRAM,
     0, F(FORGOTTEN), 0, run_asserts, WHEN(asks_otherwise, "with another --property than unreach-call")},
    {"unwind", "unwinds loops a number of times", OVER_PROGRAM,
     0, 0, 0, run_unwind, WHEN(unwinds, "with --unwind N")},
    {"known-errors", "lets assertions that are known to fail end the process", OVER_PROGRAM,
     0, 0, 0, run_known, WHEN(knows, "with --all-violations, after the first violation; with --dump-after, after that of the first assertion")},
};

static const Pass weak_memory[] = {
    {"fence", "adds a seq_cst fence behind stores that an execution delays", OVER_PROGRAM,
     0, 0, 0, run_fence, WHEN(fenced, "when searching for fences that exclude an execution under weak memory")},
    {"plain-atomics", "turns atomic accesses weaker than seq_cst into plain accesses", OVER_PROGRAM,
     0, F(STRONG), 0, run_plain_atomics, WHEN(plain, "with --memory-model c11, when proving race freedom")},
    {"as-sc", "removes the delays of stores", OVER_PROGRAM,
     0, 0, 0, run_as_sc, WHEN(as_sc, "with --memory-model tso, pso or c11")},
    {"store-buffers", "turns store buffers into locals, for two stores at first", OVER_PROGRAM,
     0, 0, 0, run_store_buffers, WHEN(buffered, "with --memory-model tso or pso")},
    {"robustness-monitor", "adds an error where another thread observes that a store is delayed", OVER_PROGRAM,
     0, 0, 0, run_robustness_monitor, WHEN(monitored, "with --memory-model tso")},
};

static const Pass instrumenting[] = {
    {"instrument-races", "adds an error where two threads are about to race", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_races, WHEN(asks_races, "with --property no-data-race")},
    {"instrument-faults", "adds an error where arithmetic is undefined", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_faults,
     WHEN(asks_faults, "with --property no-overflow and another engine than explicit")},
    {"instrument-memory", "adds an error where memory is accessed wrongly, or lost", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_memory,
     WHEN(asks_memory, "with --property valid-memsafety and another engine than explicit")},
    {"instrument-waits", "adds an error where threads wait forever", OVER_PROGRAM,
     F(FORGOTTEN), 0, F(FORGOTTEN), run_instrument_waits,
     WHEN(asks_waits, "with --property no-deadlock and another engine than explicit and order")},
};

static const Pass building[] = {
    {"count-steps", "adds counters of steps that no thread takes twice", OVER_PROGRAM,
     F(COUNTED), 0, F(UNROLLED), run_count_steps, WHEN(counts, "when the engine redcomp tries again; always for --dump-after")},
    {"drop-subsumed", "removes actions that an over-approximating action subsumes", OVER_PROGRAM,
     0, F(NOT_SUBSUMED), 0, run_drop_subsumed, ALWAYS},
    {"specialise", "propagates constants; unrolls loops that create or join threads", OVER_PROGRAM,
     0, F(UNROLLED), 0, run_specialise, ALWAYS},
    {"bound-thread-creation", "bounds the rounds of loops that create threads", OVER_PROGRAM,
     F(UNROLLED), 0, F(WHOLE), run_bound_thread_creation, WHEN(has_rounds, "when impact only searches for errors; with one round for --dump-after")},
    {"promote-again", "runs promote again, since more addresses are constant now", OVER_PROGRAM,
     0, 0, 0, run_promote, ALWAYS},
    {"instantiate-threads", "makes a template for each thread", OVER_PROGRAM,
     F(COUNTED) | F(UNROLLED), F(SINGLE), F(SECOND_INSTANCES), run_instantiate_threads, ALWAYS},
    {"second-instance", "makes a second copy of each template marked many", OVER_PROGRAM,
     F(SINGLE), F(SECOND_INSTANCES), 0, run_second_instance, ALWAYS},
    {"partition-memory", "turns memory into variables", OVER_PROGRAM,
     F(SINGLE) | F(SECOND_INSTANCES), F(NO_MEMORY), 0, run_partition, ALWAYS},
    {"final-values", "for faults as errors, and for threader: replaces variables that no longer change by their values", OVER_PROGRAM,
     F(SINGLE) | F(NO_MEMORY), 0, F(SIGNS) | F(SUMS), run_final_values, ALWAYS},
    {"mutex-kinds", "turns recursive and error-checking mutexes into normal ones, with branches", OVER_PROGRAM,
     F(SINGLE) | F(NO_MEMORY), 0, 0, run_mutex_kinds, ALWAYS},
    {"lock-results", "replaces results of LOCK and UNLOCK by 0", OVER_PROGRAM,
     0, F(LOCKS_SUCCEED), 0, run_lock_results, ALWAYS},
    {"specialise-again", "runs specialise again, since memory and locks are assignments now", OVER_PROGRAM,
     F(NO_MEMORY) | F(LOCKS_SUCCEED), F(UNROLLED), F(SIGNS) | F(SUMS), run_specialise, ALWAYS},
    {"signs", "infers the signs of variables without a declared type from their uses", OVER_PROGRAM,
     F(NO_MEMORY), F(SIGNS), F(SUMS) | F(WORDS), run_signs, WHEN(in_integers, "without --arith bv")},
    {"congruent-sums", "marks sums that are only added to and compared for equality: they need not be brought into range", OVER_PROGRAM,
     F(NO_MEMORY) | F(SIGNS), F(SUMS), 0, run_sums, WHEN(in_integers, "without --arith bv")},
    {"mutex-words", "makes the words of mutexes unsigned", OVER_PROGRAM,
     F(NO_MEMORY), F(WORDS), 0, run_words, ALWAYS},
    {"build-integers", "makes the system, in integers", OVER_SYSTEM,
     F(NO_MEMORY) | F(SECOND_INSTANCES) | F(LOCKS_SUCCEED) | F(WORDS) | F(SIGNS) | F(SUMS), F(SYSTEM) | F(FINE) | F(LIVE), REDUCED,
     run_build, WHEN(in_integers, "without --arith bv")},
    {"build-bits", "makes the system, in bit-vectors", OVER_SYSTEM,
     F(NO_MEMORY) | F(SECOND_INSTANCES) | F(LOCKS_SUCCEED) | F(WORDS), F(SYSTEM) | F(FINE) | F(LIVE), REDUCED,
     run_build, WHEN(in_bits, "with --arith bv")},
    {"cut-all", "for faults as errors: removes steps that lead nowhere, and all steps if no error remains", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_cut_all, ALWAYS},
    {"merge-transitions", "composes transitions into few large ones", OVER_SYSTEM,
     F(SYSTEM) | F(FINE) | F(LIVE), F(LIVE), F(FINE) | REDUCED, run_merge_transitions, WHEN(coarse, "with --reduction yes")},
    {"merge-sections", "composes each atomic section into one transition", OVER_SYSTEM,
     F(SYSTEM) | F(FINE) | F(LIVE), 0, F(FINE) | REDUCED, run_merge_sections, WHEN(fine, "with --reduction no")},
    {"exclude-errors", "for faults as errors: removes errors that simple invariants exclude", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_exclude_errors, ALWAYS},
    {"cut-tails", "for faults as errors: removes steps after which no error is reachable", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_cut_tails, ALWAYS},
    {"find-wraps", "finds variables that wrap around, and makes the system anew if there are further ones", OVER_BLOCKS,
     F(SYSTEM), F(WRAPS), 0, run_find_wraps, congruent, "with --engine weave", "build-integers"},
    {"loosen-wraps", "leaves numbers out of range where only congruence counts", OVER_SYSTEM,
     F(SYSTEM) | F(WRAPS), 0, REDUCED, run_loosen_wraps, WHEN(congruent, "with --engine weave")},
    {"orders-by-type", "writes x != 0 as 0 < x for numbers that are never negative", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_orders_by_type, WHEN(congruent, "with --engine weave")},
    {"tidy-stutter", "removes steps that change nothing", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_tidy_stutter, WHEN(congruent, "with --engine weave")},
    {"prophecy-indices", "chooses inputs that are array indices at the start", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_prophecy_indices, WHEN(congruent, "with --engine weave")},
    {"weaken-guards", "removes conditions that only keep arithmetic defined", OVER_SYSTEM,
     F(SYSTEM), 0, REDUCED, run_weaken_guards, WHEN(weak, "with --engine weave")},
};

static const Pass reducing[] = {
    {"find-locks", "marks variables used as locks, and adds their holders", OVER_SYSTEM,
     F(SYSTEM), F(LOCKS), F(MOVERS) | F(BLOCKS), run_find_locks, ALWAYS},
    {"movers", "finds for each transition the transitions of other threads that it commutes with", OVER_BLOCKS,
     F(LOCKS), F(MOVERS), F(BLOCKS), run_movers, ALWAYS},
    {"blocks", "finds the locations where no other thread needs to run", OVER_BLOCKS,
     F(MOVERS), F(BLOCKS), 0, run_blocks,
     WHEN(not_looping, "with --rule reachenv, or another engine than redcomp")},
    {"blocks-with-loops", "finds blocks that may loop before their commit", OVER_BLOCKS,
     F(MOVERS), F(BLOCKS), 0, run_blocks_with_loops, WHEN(looping, "with --engine redcomp")},
};
/* clang-format on */

#define TABLE(title, list, given) {title, list, sizeof(list) / sizeof *(list), given}
const char last_common_pass[] = "partition-memory";
const PassTable passes_loading = TABLE("From C to the loaded program", loading, F(WHOLE));
const PassTable passes_weak = TABLE("From weak memory to sequential consistency, by some of these", weak_memory, F(WHOLE) | F(COUNTED));
const PassTable passes_property = TABLE("From a property to errors", instrumenting, F(WHOLE) | F(COUNTED) | F(FORGOTTEN));
const PassTable passes_building = TABLE("From a program to a system", building, F(WHOLE) | F(COUNTED));
const PassTable passes_reducing = TABLE("Locks, movers and blocks", reducing, 0);
