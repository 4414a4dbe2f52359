/* SPDX-License-Identifier: Apache-2.0 */
/* Makes verdicts, and sends them from the engine's process to the verifier: a magic word, the fields in order, the magic word again. Numbers are in
   the host's byte order; strings and lists begin with their length. A field that is cut off or out of range makes the whole verdict unreadable. */
#include "result/verdict.h"
#include "base/messages.h"
#include "result/messages.h"
#include "result/proof_text.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

Verdict *verdict_new(VerdictKind kind) {
    Verdict *v = zeroed(1, sizeof *v);
    v->kind = kind;
    return v;
}

bool verdict_valid(const Verdict *v) {
    switch (v->kind) {
    case VERDICT_UNKNOWN: return v->reason && (!v->trace || v->cause == REASON_ASSUMED);
    case VERDICT_UNSAFE: return v->trace && v->proof == PROOF_NONE;
    case VERDICT_SAFE: return !v->trace || v->vacuous;
    }
    return false;
}

static char *format_text(const char *format, va_list args) {
    char *text;
    if (vasprintf(&text, format, args) < 0) out_of_resources(MSG_BASE_NO_MEMORY);
    return text;
}

Verdict *verdict_unknown(Position position, const char *format, ...) {
    Verdict *v = verdict_new(VERDICT_UNKNOWN);
    va_list args;
    va_start(args, format);
    v->reason = format_text(format, args);
    va_end(args);
    v->position = position;
    return v;
}

Verdict *verdict_in(const char *message, const char *where) {
    size_t n = message_length(message);
    return verdict_unknown((Position){0}, "%.*s%s%s", (int)n, message, where, message + n);
}

void verdict_note(Verdict *v, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = format_text(format, args);
    va_end(args);
    vec_push(v->notes, text);
}

void verdict_warn(Verdict *v, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = format_text(format, args);
    va_end(args);
    vec_push(v->warnings, text);
}

static bool same_place(Position a, Position b) {
    return a.file && b.file && a.line == b.line && a.column == b.column && !strcmp(a.file, b.file);
}

void verdict_note_reason(Verdict *v, const Verdict *other) {
    Position at = other->position;
    Buf place = {0};
    bool said = !other->reason || same_place(v->position, at) || (v->reason && !strcmp(v->reason, other->reason));
    if (at.file) buf_printf(&place, "%s:%u:%u: ", at.file, at.line, at.column);
    for (size_t i = 0; i < vec_len(v->notes) && at.file; i++) said |= !strncmp(v->notes[i], buf_string(&place), place.length);
    if (!said) verdict_note(v, "%s%s", buf_string(&place), other->reason);
    buf_free(&place);
}

/* True for a note about undefined behaviour at which executions end. */
static bool is_about_cut(const char *note) { return !strncmp(note, MSG_RESULT_CUT, strcspn(MSG_RESULT_CUT, "%")); }

void verdict_take_cut(Verdict *v, Verdict *from) {
    char **kept = NULL;
    for (size_t i = 0; i < vec_len(v->notes); i++)
        if (!is_about_cut(v->notes[i])) vec_push(kept, v->notes[i]);
        else free(v->notes[i]);
    vec_free(v->notes);
    v->notes = kept;
    for (size_t i = 0; i < vec_len(from->notes); i++)
        if (is_about_cut(from->notes[i])) verdict_note(v, "%s", from->notes[i]);
    free(v->cut);
    v->cut = from->cut;
    v->cut_by = from->cut_by;
    v->met_undefined = v->cut != NULL;
    from->cut = NULL;
}

void verdict_free(Verdict *v) {
    if (!v) return;
    free(v->reason);
    free(v->cut);
    vec_free(v->order);
    vec_free(v->omissions);
    trace_free(v->trace);
    proof_free(v->invariant);
    free(v->sent);
    free(v->certificate);
    free(v->invariants);
    free(v->view);
    for (size_t i = 0; i < vec_len(v->notes); i++) free(v->notes[i]);
    vec_free(v->notes);
    for (size_t i = 0; i < vec_len(v->warnings); i++) free(v->warnings[i]);
    vec_free(v->warnings);
    free(v);
}

/* ---- writing ---- */

static const uint32_t magic = 0x68645631;
enum { LONGEST_TEXT = 1 << 28 }; /* bytes; certificates and proofs are long */
static const uint64_t longest_list = UINT64_C(1) << 28;

static bool put(FILE *f, const void *bytes, size_t size) { return fwrite(bytes, 1, size, f) == size; }
static bool put_number(FILE *f, uint64_t n) { return put(f, &n, sizeof n); }

static bool put_text(FILE *f, const char *text) { /* length + 1; 0 is NULL */
    if (!text) return put_number(f, 0);
    size_t n = strlen(text);
    if (n >= LONGEST_TEXT) n = LONGEST_TEXT - 1;
    return put_number(f, n + 1) && put(f, text, n);
}

static bool put_choices(FILE *f, const u128 *choices) {
    size_t n = vec_len(choices);
    return put_number(f, n) && (n == 0 || put(f, choices, n * sizeof *choices));
}

static bool put_trace(FILE *f, const Trace *t) {
    if (!put_number(f, t != NULL) || !t) return t == NULL;
    if (!put_number(f, t->end) || !put_number(f, t->loop) || !put_choices(f, t->initial) || !put_number(f, vec_len(t->steps))) return false;
    vec_each_at(const TraceStep, s, t->steps)
        if (!put_number(f, s->thread) || !put_number(f, s->action) || !put_choices(f, s->choices)) return false;
    return true;
}

static bool put_lines(FILE *f, char *const *lines) {
    bool good = put_number(f, vec_len(lines));
    for (size_t i = 0; i < vec_len(lines) && good; i++) good = put_text(f, lines[i]);
    return good;
}

static bool put_words(FILE *f, const uint64_t *words) {
    size_t n = vec_len(words);
    return put_number(f, n) && (n == 0 || put(f, words, n * sizeof *words));
}

static bool put_omissions(FILE *f, const Omission *list) {
    size_t n = vec_len(list);
    return put_number(f, n) && (n == 0 || put(f, list, n * sizeof *list));
}

static bool put_proof(FILE *f, const Proof *proof) {
    Buf text = {0};
    if (proof) proof_print(&text, proof);
    bool good = put_text(f, text.text);
    buf_free(&text);
    return good;
}

bool verdict_write(const Verdict *v, FILE *f) {
    ensure(verdict_valid(v) && (!v->trace || trace_valid(v->trace)));
    bool good = put(f, &magic, sizeof magic) && put_number(f, v->kind) && put_number(f, v->cause) && put_number(f, v->race) &&
                put_text(f, v->reason) && put_text(f, v->position.file) && put_number(f, v->position.line) &&
                put_number(f, v->position.column) && put_number(f, v->proof) && put_number(f, v->vacuous) && put_text(f, v->cut) &&
                put_number(f, v->cut_by) && put_number(f, v->states) && put_proof(f, v->invariant) && put_number(f, v->obligations) &&
                put_text(f, v->certificate) && put_text(f, v->invariants) && put_text(f, v->view) && put_trace(f, v->trace) &&
                put_lines(f, v->notes) && put_lines(f, v->warnings) && put_words(f, v->order) && put_omissions(f, v->omissions);
    return good && put(f, &magic, sizeof magic) && fflush(f) == 0;
}

/* ---- reading ---- */

static bool get(FILE *f, void *bytes, size_t size) { return fread(bytes, 1, size, f) == size; }

static bool get_number(FILE *f, uint64_t *n, uint64_t most) { return get(f, n, sizeof *n) && *n <= most; }

static bool get_unsigned(FILE *f, unsigned *n) {
    uint64_t v;
    if (!get_number(f, &v, UINT32_MAX)) return false;
    *n = (unsigned)v;
    return true;
}

static bool get_text(FILE *f, char **text) {
    uint64_t n;
    *text = NULL;
    if (!get_number(f, &n, LONGEST_TEXT)) return false;
    if (n == 0) return true;
    *text = zeroed(1, n);
    return get(f, *text, n - 1);
}

static bool get_choices(FILE *f, u128 **choices) {
    uint64_t n;
    if (!get_number(f, &n, longest_list)) return false;
    for (uint64_t i = 0; i < n; i++) { /* each in turn, so that a wrong length does not allocate memory */
        u128 c;
        if (!get(f, &c, sizeof c)) return false;
        vec_push(*choices, c);
    }
    return true;
}

static bool get_trace(FILE *f, Trace **trace) {
    uint64_t present, n;
    if (!get_number(f, &present, 1)) return false;
    if (!present) return true;
    Trace *t = *trace = trace_new();
    uint64_t end;
    if (!get_number(f, &end, TRACE_UNORDERED)) return false;
    t->end = (TraceEnd)end;
    if (!get_number(f, &end, longest_list)) return false;
    t->loop = (size_t)end;
    if (!get_choices(f, &t->initial) || !get_number(f, &n, longest_list)) return false;
    for (uint64_t i = 0; i < n; i++) {
        vec_push(t->steps, (TraceStep){0});
        TraceStep *s = &vec_last(t->steps);
        if (!get_unsigned(f, &s->thread) || !get_unsigned(f, &s->action) || !get_choices(f, &s->choices)) return false;
    }
    return trace_valid(t);
}

static bool get_position(FILE *f, Exprs *exprs, Position *p) {
    char *file;
    bool good = get_text(f, &file) && get_unsigned(f, &p->line) && get_unsigned(f, &p->column);
    if (good && file) p->file = exprs_intern(exprs, file);
    free(file);
    return good;
}

static bool get_lines(FILE *f, char ***lines) {
    uint64_t n;
    if (!get_number(f, &n, longest_list)) return false;
    for (uint64_t i = 0; i < n; i++) {
        char *text;
        bool good = get_text(f, &text);
        if (text) vec_push(*lines, text);
        if (!good) return false;
    }
    return true;
}

static bool get_words(FILE *f, uint64_t **words) {
    uint64_t n, word;
    if (!get_number(f, &n, longest_list)) return false;
    for (; n; n--) {
        if (!get(f, &word, sizeof word)) return false;
        vec_push(*words, word);
    }
    return true;
}

static bool get_omissions(FILE *f, Omission **list) {
    uint64_t n;
    if (!get_number(f, &n, longest_list)) return false;
    for (; n; n--) {
        Omission o;
        if (!get(f, &o, sizeof o) || o.kind >= OMISSION_KINDS) return false;
        o.place[sizeof o.place - 1] = o.why[sizeof o.why - 1] = 0;
        vec_push(*list, o);
    }
    return true;
}

static bool get_verdict(FILE *f, Exprs *exprs, Verdict *v) {
    uint64_t kind, cause, race, proof, vacuous, cut_by;
    uint32_t word;
    if (!get(f, &word, sizeof word) || word != magic || !get_number(f, &kind, VERDICT_UNSAFE)) return false;
    v->kind = (VerdictKind)kind;
    if (!get_number(f, &cause, REASON_ASSUMED)) return false;
    v->cause = (UnknownReason)cause;
    if (!get_number(f, &race, 1)) return false;
    v->race = race;
    if (!get_text(f, &v->reason) || !get_position(f, exprs, &v->position)) return false;
    if (!get_number(f, &proof, PROOF_RACE_FREE) || !get_number(f, &vacuous, 1) || !get_text(f, &v->cut) ||
        !get_number(f, &cut_by, UINT32_MAX) || !get_number(f, &v->states, UINT64_MAX))
        return false;
    v->proof = (ProofKind)proof;
    v->vacuous = vacuous;
    v->cut_by = (Faults)cut_by;
    if (!get_text(f, &v->sent) || !get_number(f, &v->obligations, UINT64_MAX)) return false;
    if (!get_text(f, &v->certificate) || !get_text(f, &v->invariants) || !get_text(f, &v->view)) return false;
    if (!get_trace(f, &v->trace) || !get_lines(f, &v->notes) || !get_lines(f, &v->warnings) || !get_words(f, &v->order)) return false;
    if (!get_omissions(f, &v->omissions)) return false;
    return get(f, &word, sizeof word) && word == magic && (v->kind != VERDICT_UNSAFE || v->trace);
}

Verdict *verdict_read(FILE *f, Exprs *exprs) {
    Verdict *v = verdict_new(VERDICT_UNKNOWN);
    if (get_verdict(f, exprs, v)) return v;
    verdict_free(v);
    return NULL;
}
