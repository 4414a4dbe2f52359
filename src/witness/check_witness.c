/* SPDX-License-Identifier: Apache-2.0 */
/* Checks witnesses. A violation is confirmed by an execution that follows the witness (follow.c) and is replayed. A proof is confirmed
   by a proof of our own, about the program with the witness's invariants as assertions. The engines may use these assertions in their
   proofs. */
#include "witness/check_witness.h"
#include "base/file.h"
#include "base/sha256.h"
#include "explain/explain_trace.h"
#include "front/load_program.h"
#include "passes/loaded.h"
#include "process/progress.h"
#include "check/accept.h"
#include "result/property.h"
#include "passes/program/instrumented.h"
#include "witness/follow.h"
#include "witness/instrument.h"
#include "witness/messages.h"
#include "witness/points.h"
#include "witness/value.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- the choice of a witness ---- */

static unsigned properties_of(const Witness *w, Buf *error) {
    unsigned set = 0;
    properties_of_text(w->specification, MSG_WITNESS_SPECIFICATION, &set, error);
    return set;
}

bool check_witness_properties(const Witnesses *all, bool asked, unsigned *set, Buf *error) {
    unsigned claimed = 0;
    for (size_t i = 0; i < vec_len(all->list) && !error->length; i++) {
        claimed |= properties_of(&all->list[i], error);
        /* invariants become assertions, and so unreach-call is the property to verify */
        if (vec_len(all->list[i].invariants)) claimed |= 1u << PROPERTY_UNREACH_CALL;
    }
    if (error->length) return false;
    *set = asked ? *set & claimed : claimed;
    if (!(*set & ((1u << PARTS_SHIFT) - 1))) *set = 0;
    if (!*set) buf_text(error, MSG_WITNESS_PROPERTY);
    return *set != 0;
}

static const Witness *witness_for(const Witnesses *all, const Question *q) {
    const Witness *other = NULL;
    Buf error = {0};
    vec_each_at(const Witness, w, all->list) {
        unsigned set = properties_of(w, &error);
        buf_clear(&error);
        if (set >> q->property & 1) other = w;
        else if (q->property == PROPERTY_UNREACH_CALL && vec_len(w->invariants) && !other) other = w;
    }
    buf_free(&error);
    return other;
}

/* ---- checks before any engine runs ---- */

static void check_hash(const Witness *w, const char *path, Buf *why) {
    Buf text = {0}, hash = {0}, error = {0};
    bool named = false, same = false;
    if (file_read(path, FILE_LLVM, &text, &error)) sha256_text(&hash, buf_string(&text), text.length);
    for (size_t i = 0; i < vec_len(w->files); i++) {
        named |= !strcmp(base_name(w->files[i].name), base_name(path));
        same |= !strcasecmp(w->files[i].hash, buf_string(&hash));
    }
    if (vec_len(w->files) && !same) buf_printf(why, named ? MSG_WITNESS_OTHER_VERSION : MSG_WITNESS_OTHER_FILE, path);
    buf_free(&text);
    buf_free(&hash);
    buf_free(&error);
}

typedef struct Names {
    const Program *program;
    const FrontOptions *options;
    bool unknown;
} Names;

/* Returns whether the word occurs in the text of a file. The program may leave out variables that are never read. */
static bool is_written(const FrontOptions *o, const char *word) {
    size_t n = strlen(word);
    bool found = false;
    for (size_t i = 0; i < o->nfiles && !found; i++) {
        Buf text = {0}, error = {0};
        if (file_read(o->files[i], FILE_LLVM, &text, &error))
            for (const char *s = buf_string(&text); (s = strstr(s, word)) && !found; s++) {
                bool before = s > text.text && (isalnum((unsigned char)s[-1]) || s[-1] == '_');
                found = !before && !isalnum((unsigned char)s[n]) && s[n] != '_';
            }
        buf_free(&text);
        buf_free(&error);
    }
    return found;
}

static bool look_up(void *context, const char *name, Number *value) {
    Names *n = context;
    Buf word = {0};
    (void)value;
    buf_bytes(&word, name, strcspn(name, ".["));
    if (*name != '\\' && !points_named(n->program, name) && !is_written(n->options, buf_string(&word))) n->unknown = true;
    buf_free(&word);
    return false;
}

/* Returns whether a statement is written in the line. The program may leave out a statement that does not matter. */
static bool has_statement(const FrontOptions *o, const Spot *spot) {
    bool found = false;
    for (size_t i = 0; i < o->nfiles && !found; i++) {
        Buf text = {0}, error = {0};
        bool here = !spot->file || !strcmp(base_name(spot->file), base_name(o->files[i]));
        found = here && file_read(o->files[i], FILE_TEXT, &text, &error) && clean_has_statement(buf_string(&text), spot->line);
        buf_free(&text);
        buf_free(&error);
    }
    return found;
}

static void check_place(const Program *p, const FrontOptions *o, const ClaimedWaypoint *w, Buf *why, bool *limited) {
    Spot line = w->spot;
    line.function = NULL;
    line.first = line.last = 0;
    if (points_exist(p, &w->spot)) return;
    *limited = w->kind != CLAIMED_TARGET && !points_exist(p, &line) && has_statement(o, &w->spot);
    Buf place = {0};
    if (w->spot.first) buf_printf(&place, MSG_WITNESS_AT_COLUMN, w->spot.column);
    if (w->spot.function) buf_printf(&place, MSG_WITNESS_IN_FUNCTION, w->spot.function);
    buf_printf(why, *limited ? MSG_WITNESS_NO_RELEVANT_CODE : MSG_WITNESS_NO_CODE, w->spot.line, buf_string(&place));
    buf_free(&place);
}

/* Returns whether the text has a word of ACSL other than \result. */
static bool is_acsl(const char *text) {
    while ((text = strchr(text, '\\')) && !strncmp(text, "\\result", strlen("\\result"))) text++;
    return text != NULL;
}

static void check_way(const Program *p, const FrontOptions *o, const ClaimedWaypoint *w, Buf *why, bool *limited) {
    Names names = {p, o, false};
    unsigned odd = 0;
    check_place(p, o, w, why, limited);
    if (why->length || !w->constraint || w->kind == CLAIMED_BRANCH) return;
    value_holds(w->constraint, p->pointer_width, look_up, &names, &odd);
    *limited = is_acsl(w->constraint) || (odd == ODD_CALLS && !names.unknown);
    if (odd) buf_printf(why, MSG_WITNESS_CONSTRAINT_KIND, w->spot.line, w->constraint);
    else if (names.unknown) buf_printf(why, MSG_WITNESS_CONSTRAINT_NAME, w->spot.line, w->constraint);
}

/* Finds the columns of the statement that the column of a target or an assumption lies in. */
static void find_column(const Program *p, const FrontOptions *o, ClaimedWaypoint *w, Buf *why) {
    for (size_t i = 0; i < o->nfiles; i++) {
        Buf text = {0}, error = {0};
        bool here = !w->spot.file || !strcmp(base_name(w->spot.file), base_name(o->files[i]));
        if (here && file_read(o->files[i], FILE_TEXT, &text, &error) && !clean_extent(buf_string(&text), &w->spot))
            buf_printf(why, MSG_WITNESS_COLUMN, w->spot.line, w->spot.column);
        buf_free(&text);
        buf_free(&error);
        if (here) break;
    }
    if (w->kind == CLAIMED_ASSUME && !points_exist(p, &w->spot)) w->spot.first = w->spot.last = 0; /* readers disagree on columns */
}

static void find_branch(const FrontOptions *o, ClaimedWaypoint *w) {
    for (size_t i = 0; i < o->nfiles; i++) {
        Buf text = {0}, error = {0};
        bool here = !w->spot.file || !strcmp(base_name(w->spot.file), base_name(o->files[i]));
        if (here && file_read(o->files[i], FILE_TEXT, &text, &error)) clean_branch(buf_string(&text), w);
        buf_free(&text);
        buf_free(&error);
        if (here) return;
    }
}

/* Looks for a reason why the witness cannot hold. *why stays empty if there is no such reason. *limited: Heddle cannot check the witness,
   but it may be right. */
static void check_claims(const Program *p, const FrontOptions *o, const Witness *w, Buf *why, bool *limited) {
    const char *model = o->ilp32 ? "ILP32" : "LP64";
    for (size_t i = 0; i < o->nfiles && !why->length; i++) check_hash(w, o->files[i], why);
    for (size_t i = 0; i < vec_len(w->ways) && !why->length; i++)
        if (w->ways[i].kind == CLAIMED_BRANCH) find_branch(o, &w->ways[i]);
    if (!why->length && w->data_model && strcmp(w->data_model, model)) buf_printf(why, MSG_WITNESS_DATA_MODEL, w->data_model, model);
    for (size_t i = 0; i < vec_len(w->ways) && !why->length; i++)
        if ((w->ways[i].kind == CLAIMED_TARGET || w->ways[i].kind == CLAIMED_ASSUME) && w->ways[i].spot.column)
            find_column(p, o, &w->ways[i], why);
    for (size_t i = 0; i < vec_len(w->ways) && !why->length; i++) check_way(p, o, &w->ways[i], why, limited);
}

/* ---- the program ---- */

/* Returns the name of a file in memory that other processes can open as long as this process lives. */
static char *keep_text(const Buf *text) {
    char *path = NULL;
    int fd = memfd_create("instrumented", MFD_CLOEXEC);
    if (fd >= 0 && file_put(fd, buf_string(text), text->length) && asprintf(&path, "/proc/%d/fd/%d", (int)getpid(), fd) < 0) path = NULL;
    return path;
}

static bool instrument_file(const Witness *w, const char *file, bool first, char **flag, Inserted **inserted, Buf *why, bool *limited) {
    Buf text = {0}, out = {0}, error = {0};
    bool good = file_read(file, FILE_TEXT, &text, &error) && instrument(&out, file, buf_string(&text), w, first, inserted, why, limited);
    char *path = good ? keep_text(&out) : NULL;
    good = path && asprintf(flag, "%s;%s", file, path) >= 0;
    free(path);
    buf_free(&text);
    buf_free(&out);
    buf_free(&error);
    return good;
}

/* Makes undefined behaviour in inserted text an error, and restores the columns of the original text. */
static void settle_inserted(Program *p, const Inserted *inserted) {
    InstrumentedPlaces places = {inserted_has, inserted, UNDEFINED_MARK};
    instrument_undefined(p, &places);
    inserted_forget(p, inserted);
}

/* Returns whether the file of the spot belongs to the program. Nothing can be inserted in other files, such as headers. */
static bool is_of_program(const FrontOptions *o, const Spot *spot, Buf *why) {
    bool found = !spot->file;
    for (size_t i = 0; i < o->nfiles && !found; i++) found = !strcmp(base_name(spot->file), base_name(o->files[i]));
    if (!found && !why->length) buf_printf(why, MSG_WITNESS_FOREIGN_FILE, spot->file);
    return found;
}

/* Makes the flags that give clang the instrumented text of each file. *owned gets the malloced ones. Returns false and sets *why on
   failure. */
static bool remap_files(const FrontOptions *o, const Witness *w, const char ***flags, char ***owned, Inserted **inserted, Buf *why,
                        bool *limited) {
    bool good = true;
    for (size_t i = 0; i < vec_len(w->invariants); i++) good &= is_of_program(o, &w->invariants[i].spot, why);
    for (size_t i = 0; i < vec_len(w->updates); i++) good &= is_of_program(o, &w->updates[i].spot, why);
    for (unsigned i = 0; i < o->nfiles && good; i++) {
        char *flag = NULL;
        good = instrument_file(w, o->files[i], !i, &flag, inserted, why, limited);
        if (!good) break;
        vec_push(*owned, flag);
        vec_push(*flags, "-Xclang");
        vec_push(*flags, "-remap-file");
        vec_push(*flags, "-Xclang");
        vec_push(*flags, flag);
    }
    for (unsigned i = 0; i < o->nflags; i++) vec_push(*flags, o->clang_flags[i]);
    return good;
}

bool instrument_program(const FrontOptions *o, const Question *q, const Witness *w, WithInvariants *with, Buf *why) {
    const char **flags = NULL;
    char **owned = NULL;
    Inserted *inserted = NULL;
    Buf error = {0};
    *with = (WithInvariants){.program = NULL};
    if (remap_files(o, w, &flags, &owned, &inserted, why, &with->limited)) {
        FrontOptions remapped = *o;
        remapped.clang_flags = flags;
        remapped.nflags = (unsigned)vec_len(flags);
        if (load_program(&remapped, &with->loaded, &error)) with->program = loaded_program(&with->loaded, q, NULL);
        else buf_printf(why, MSG_WITNESS_CLANG, (int)strcspn(buf_string(&error), "\n"), buf_string(&error));
    }
    if (with->program && !inserted_is_expressions(with->program, inserted)) {
        buf_text(why, MSG_WITNESS_NOT_READ_ONLY);
        with_invariants_free(with);
    }
    if (with->program) ghosts_join(with->program, inserted);
    if (with->program) settle_inserted(with->program, inserted);
    for (size_t i = 0; i < vec_len(owned); i++) free(owned[i]);
    vec_free(inserted);
    vec_free(owned);
    vec_free(flags);
    buf_free(&error);
    return with->program != NULL;
}

void with_invariants_free(WithInvariants *with) {
    if (with->program) program_free(with->program);
    loaded_free(&with->loaded);
    *with = (WithInvariants){.program = NULL};
}

/* ---- the verdict ---- */

static Verdict *refuse(WitnessStatus *standing, const char *why) {
    *standing = WITNESS_REFUSED;
    return verdict_unknown((Position){0}, "%s", why);
}

static Verdict *check_violation(const Program *p, const Question *q, const Witness *w, TimeSlot time, WitnessStatus *standing) {
    Trace *trace = NULL;
    Buf why = {0};
    Verdict *v;
    progress_phase("following the witness");
    if (p->memory != MEMORY_SC) return verdict_unknown((Position){0}, MSG_WITNESS_WEAK_MEMORY);
    FollowEnd end = follow(p, q, w, time.deadline - 1, &trace, &why);
    if (end == FOLLOW_FOUND) {
        v = verdict_new(VERDICT_UNSAFE);
        v->trace = trace;
        v = accept_verdict(p, q, v, NULL, 0);
        if (v->kind == VERDICT_UNSAFE) *standing = WITNESS_CONFIRMED;
    } else if (end == FOLLOW_NONE) v = refuse(standing, buf_string(&why));
    else v = verdict_unknown((Position){0}, "%s", buf_string(&why));
    buf_free(&why);
    return v;
}

/* Returns whether the trace violates an inserted assertion. */
static bool is_ours(const Program *p, const Question *q, const Verdict *v) {
    if (!v->trace || v->trace->end != TRACE_ERROR || !vec_len(v->trace->steps)) return false;
    Counterexample *counterexample = explain_trace(p, q, v->trace);
    bool ours = counterexample->error && (strstr(counterexample->error, INVARIANT_MARK) || strstr(counterexample->error, UNDEFINED_MARK));
    counterexample_free(counterexample);
    return ours;
}

/* Returns whether the specification of the witness has the property. */
static bool is_claimed(const Question *q, const Witness *w) {
    Buf error = {0};
    unsigned set = properties_of(w, &error);
    buf_free(&error);
    return set >> q->property & 1;
}

static bool has_obligations(const Question *q, const Witness *w) {
    return q->property == PROPERTY_UNREACH_CALL && !w->violation && vec_len(w->invariants);
}

/* Checks the invariants of a proof of another property. Returns NULL if they hold, and otherwise the verdict about the witness. */
static Verdict *check_invariants(const Config *c, const FrontOptions *o, const Question *question, const Witness *w, TimeSlot time,
                                 WitnessStatus *standing) {
    Question q = *question;
    Buf why = {0};
    WithInvariants with;
    Verdict *v = NULL;
    q.property = PROPERTY_UNREACH_CALL;
    if (instrument_program(o, &q, w, &with, &why)) {
        Verdict *own = answer(c, &with.loaded, with.program, &q, time);
        if (own->kind == VERDICT_UNSAFE && is_ours(with.program, &q, own)) v = refuse(standing, MSG_WITNESS_INVARIANT_WRONG);
        else if (own->kind != VERDICT_SAFE) v = verdict_unknown((Position){0}, MSG_WITNESS_INVARIANT_OPEN);
        verdict_free(own);
        with_invariants_free(&with);
    } else v = with.limited ? verdict_unknown((Position){0}, "%s", buf_string(&why)) : refuse(standing, buf_string(&why));
    buf_free(&why);
    return v;
}

Verdict *check_witness(const Config *c, const FrontOptions *o, const Witnesses *all, const Loaded *in, const Program *p, const Question *q,
                       TimeSlot time, WithInvariants *with, const Program **checked, WitnessStatus *standing) {
    const Witness *w = witness_for(all, q);
    Buf why = {0};
    Verdict *v = NULL;
    *checked = p;
    *standing = WITNESS_OPEN;
    if (!w) return verdict_unknown((Position){0}, MSG_WITNESS_OTHER_PROPERTY);
    if (has_obligations(q, w) && instrument_program(o, q, w, with, &why)) in = &with->loaded, *checked = p = with->program;
    bool limited = with->limited;
    if (!why.length) check_claims(p, o, w, &why, &limited);
    if (!why.length && w->limited) {
        limited = true;
        buf_text(&why, MSG_WITNESS_GRAPHML_INVARIANTS);
    }
    if (why.length && limited) v = verdict_unknown((Position){0}, "%s", buf_string(&why));
    else if (why.length) v = refuse(standing, buf_string(&why));
    buf_free(&why);
    if (v) return v;
    if (w->violation) return check_violation(p, q, w, time, standing);
    bool more = vec_len(w->invariants) && q->property != PROPERTY_UNREACH_CALL;
    if (more && (v = check_invariants(c, o, q, w, slot_share(time, 0.5, INFINITY), standing))) return v;
    v = answer(c, in, p, q, time);
    if (v->kind == VERDICT_SAFE) *standing = WITNESS_CONFIRMED;
    else if (v->kind == VERDICT_UNSAFE && (is_claimed(q, w) || is_ours(p, q, v))) *standing = WITNESS_REFUSED;
    return v;
}
