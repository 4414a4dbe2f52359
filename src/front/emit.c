/* SPDX-License-Identifier: Apache-2.0 */
/* Adds code at the cursor.

   An action collects thread-local work and at most one access that is visible to other threads. The next such access ends it at a fresh
   location. In an atomic section accesses may share an action, and the locations between actions are atomic.

   A visible access happens before the thread continues. So behind one, these start another action as well: the end of the process, of
   the thread, and of an object's life, since other threads may look before it. Behind a write, so does thread-local work that may fault:
   a fault undoes its whole action, but not what other threads have seen.

   Invariant: an action that is open at an atomic location belongs to the section. So the end of a section closes an action that has
   accessed nothing yet, lest later accesses join the section. */
#include "front/lower.h"
#include "front/messages.h"
#include "ir/choice.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- locations and actions ---- */

unsigned emit_location(Lower *l, LocationKind kind) {
    unsigned index = template_location(l->program, l->template_, kind, l->position);
    Location *at = &l->template_->locations[index];
    at->function = l->frame ? l->frame->function : NULL;
    at->atomic = kind == LOCATION_PLAIN && l->cursor.depth > 0;
    return index;
}

/* Moves a dead cursor to an unreachable location: code behind a stop may still be added before the caller checks the cursor. */
static void to_limbo(Lower *l) {
    Cursor *c = &l->cursor;
    if (!c->dead || c->action != NONE) return;
    if (l->limbo == NONE) l->limbo = template_location(l->program, l->template_, LOCATION_PLAIN, (Position){0});
    c->location = l->limbo;
}

static PropertySet mark(const Lower *l) {
    PropertySet set = l->asked & (PropertySet)~l->cursor.gone;
    return set == FOR_ALL ? 0 : set;
}

static unsigned open_action(Lower *l, unsigned source, const Expr *guard) {
    Action *a = template_action(l->program, l->template_, source, source, guard, l->position);
    a->properties = mark(l);
    return a->index;
}

static bool open_changes(Lower *l);
static bool open_chooses(const Lower *l);

/* Returns the properties for which the step began at an atomic location. */
static PropertySet began_atomic(const Lower *l) {
    const Cursor *c = &l->cursor;
    return (c->atomic & c->began) | (l->template_->locations[c->location].atomic ? (PropertySet)~c->began : 0);
}

void emit_within(Lower *l, unsigned location, PropertySet set) {
    Cursor *c = &l->cursor;
    to_limbo(l);
    if (c->action == NONE) c->action = open_action(l, c->location, NULL);
    Action *a = &l->template_->actions[c->action];
    if (open_changes(l)) c->changed = FOR_ALL;
    if (open_chooses(l)) c->chosen = FOR_ALL;
    if (a->approximation != NO_APPROXIMATION) c->noted = FOR_ALL;
    *c = (Cursor){.location = location,
                  .action = NONE,
                  .depth = c->depth,
                  .dead = c->dead,
                  .gone = c->gone,
                  .done = c->done & set,
                  .section = c->section & set,
                  .began = set,
                  .atomic = began_atomic(l) & set,
                  .changed = c->changed & set,
                  .noted = c->noted & set,
                  .chosen = c->chosen & set};
    a->target = location;
    l->template_->locations[location].within |= set;
}

static void close_at(Lower *l, unsigned location) { emit_within(l, location, 0); }

void end_step_for(Lower *l, PropertySet set) {
    set &= l->cursor.action == NONE ? l->asked & l->cursor.began : l->asked;
    if (set) emit_within(l, emit_location(l, LOCATION_PLAIN), l->asked & (PropertySet)~set);
}

unsigned end_step(Lower *l) {
    to_limbo(l);
    end_step_for(l, FOR_ALL);
    return l->cursor.location;
}

void emit_goto(Lower *l, unsigned location) {
    if (l->cursor.dead) return;
    close_at(l, location);
    l->cursor.dead = true;
}

/* Returns a cursor behind a guarded action from the cursor's location. */
static Cursor guarded(Lower *l, const Expr *guard) {
    Cursor here = l->cursor;
    bool questions = has_question(l, guard);
    for (PropertySet set = 1; questions && set < FOR_ALL; set = (PropertySet)(set << 1))
        if (expr_is_false(answer_questions(l, set, guard))) l->cursor.gone |= set;
    l->cursor.dead = expr_is_false(guard) || !(l->asked & ~l->cursor.gone);
    if (!l->cursor.dead) l->cursor.action = open_action(l, here.location, answer_questions_here(l, guard));
    Cursor c = l->cursor;
    l->cursor = here;
    return c;
}

Cursor emit_guarded(Lower *l, unsigned location, const Expr *guard, unsigned depth) {
    Cursor here = l->cursor;
    l->cursor = (Cursor){.location = location, .action = NONE, .depth = depth, .gone = here.gone};
    Cursor c = guarded(l, guard);
    l->cursor = here;
    return c;
}

/* Returns the properties for which the condition is not constant. */
static PropertySet open_for(Lower *l, const Expr *condition) {
    PropertySet open = 0;
    if (!has_question(l, condition)) return FOR_ALL;
    for (PropertySet set = 1; set < FOR_ALL; set = (PropertySet)(set << 1)) {
        const Expr *e = answer_questions(l, set, condition);
        if (!expr_is_true(e) && !expr_is_false(e)) open |= set;
    }
    return open;
}

void emit_branch(Lower *l, const Expr *condition, Cursor *yes, Cursor *no) {
    Cursor dead = {.action = NONE, .depth = l->cursor.depth, .dead = true};
    *yes = *no = dead;
    if (l->cursor.dead) return;
    condition = answer_questions_here(l, condition);
    if (expr_is_true(condition)) *yes = l->cursor;
    else if (expr_is_false(condition)) *no = l->cursor;
    else {
        end_step_for(l, open_for(l, condition));
        if (l->cursor.action != NONE) emit_within(l, emit_location(l, LOCATION_PLAIN), l->asked);
        *yes = guarded(l, condition);
        *no = guarded(l, expr_not(l->pool, condition));
    }
}

/* ---- instructions ---- */

Instr *emit(Lower *l, InstrKind kind) {
    Cursor *c = &l->cursor;
    to_limbo(l);
    if (c->action == NONE) c->action = open_action(l, c->location, NULL);
    Instr *i = action_instr(&l->template_->actions[c->action], kind, l->position);
    l->position.sequence++;
    return i;
}

static bool calls_function(LLVMValueRef function, const char *name) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && !strcmp(LLVMGetValueName(LLVMGetCalledValue(i)), name)) return true;
    return false;
}

/* True in a library function that works on synchronisation objects in atomic sections of its own. */
static bool synchronises(Lower *l) {
    FunctionInfo *info = l->frame ? l->frame->info : NULL;
    if (!info || !info->model) return false;
    if (!info->sections) info->sections = calls_function(info->function, "__heddle_atomic_begin") ? 1 : 2;
    return info->sections == 1;
}

Instr *emit_visible(Lower *l, InstrKind kind) {
    if (kind != INSTR_LOAD && kind != INSTR_SIZE && kind != INSTR_JOIN && kind != INSTR_FENCE && l->cursor.depth == 0) settle_faults(l);
    return emit_read(l, kind);
}

Instr *emit_read(Lower *l, InstrKind kind) {
    Cursor *c = &l->cursor;
    end_step_for(l, c->done | (c->depth > 0 ? 0 : c->section));
    PropertySet touched = (c->done | c->section) & l->asked;
    if (touched && touched != l->asked && c->action != NONE) emit_within(l, emit_location(l, LOCATION_PLAIN), l->asked);
    to_limbo(l);
    if (c->action == NONE) c->action = open_action(l, c->location, NULL);
    Action *a = &l->template_->actions[c->action];
    if (touched != l->asked) a->position = l->position; /* the position of an action is that of its access */
    if (c->depth > 0) c->section |= l->asked;
    else c->done |= l->asked;
    Instr *i = action_instr(a, kind, l->position);
    l->position.sequence++;
    bool library = c->depth > 0 && synchronises(l);
    i->atomic = (kind == INSTR_LOAD || kind == INSTR_STORE || kind == INSTR_ASSIGN) && library;
    a = &l->template_->actions[c->action];
    a->section |= c->depth > 0 && !library;
    return i;
}

/* True if the instruction changes what other threads can see. */
static bool changes_shared(Lower *l, const Instr *i) {
    if (i->target && i->target->global) return true;
    switch (i->kind) {
    case INSTR_ASSIGN:
    case INSTR_HAVOC:
    case INSTR_ASSUME:
    case INSTR_LOAD:
    case INSTR_SIZE:
    case INSTR_JOIN:
    case INSTR_FENCE:
    case INSTR_ALIVE:
    case INSTR_DEAD: return false; /* a thread that looks at a dead object has no defined behaviour */
    case INSTR_STORE:
    case INSTR_COPY:
    case INSTR_FILL: return !address_private(l, i->address);
    default: return true;
    }
}

static bool open_changes(Lower *l) {
    const Action *a = l->cursor.action == NONE ? NULL : &l->template_->actions[l->cursor.action];
    bool changes = false;
    for (size_t i = 0; a && i < vec_len(a->instrs) && !changes; i++) changes = changes_shared(l, &a->instrs[i]);
    return changes;
}

/* Ends the step before code that may fault, if the step has changed what other threads can see: a fault must not undo that. Within a
   section they have seen nothing yet. */
static void part_from_writes(Lower *l) {
    if (l->cursor.depth == 0) end_step_for(l, open_changes(l) ? FOR_ALL : l->cursor.changed);
}

Instr *emit_private(Lower *l, InstrKind kind) {
    part_from_writes(l);
    return emit(l, kind);
}

void emit_assign(Lower *l, Variable *v, const Expr *value) {
    if (expr_may_fault(value)) part_from_writes(l);
    Instr *i = emit(l, INSTR_ASSIGN);
    i->target = v;
    i->value = value;
}

/* Other threads may look at the object between the last access and the end of its life, or its next life, so that is another step.
   Between the end of a life and the next access, a look is undefined. Where that is asked (FOR_MEMORY), the end is a step of its own. */
void emit_life(Lower *l, InstrKind kind, Object *o) {
    bool shared = !map_find(l->front->privates, o);
    if (shared) end_step_for(l, l->cursor.done);
    emit(l, kind)->object = o;
    if (shared && kind == INSTR_DEAD && l->cursor.depth == 0) l->cursor.done |= l->asked & FOR_MEMORY;
}

/* ---- choices before waits ---- */

static const Action *open_part(const Lower *l) { return l->cursor.action == NONE ? NULL : &l->template_->actions[l->cursor.action]; }

static bool open_chooses(const Lower *l) { return open_part(l) && action_chooses(open_part(l)); }

static bool open_choice_affects(const Lower *l, const Expr *e) {
    Affected f = {0};
    bool affects = open_part(l) && (affected_follow(&f, open_part(l)) || affected_mentions(&f, e));
    affected_free(&f);
    return affects;
}

/* Ends the step before a wait that the expression decides, if a choice of the step may affect the expression. */
static void before_wait(Lower *l, const Expr *what) {
    if (l->cursor.depth > 0) return;
    end_step_for(l, FOR_WAITS & (open_choice_affects(l, what) ? FOR_ALL : expr_closed(l->front, what) ? 0 : l->cursor.chosen));
}

/* Records that the last instruction waits, if it is in an atomic section. */
static void note_wait(Lower *l) {
    const Action *a = open_part(l);
    if (l->cursor.depth > 0 && a) vec_push(l->waits, ((SectionWait){a->index, (unsigned)vec_len(a->instrs) - 1}));
}

Instr *emit_wait(Lower *l, InstrKind kind, const Expr *address) {
    before_wait(l, address);
    Instr *i = emit_visible(l, kind);
    i->address = address;
    note_wait(l);
    return i;
}

void emit_assume(Lower *l, const Expr *condition, bool waits, const Expr *of) {
    if (expr_is_true(condition)) return;
    if (expr_may_fault(condition)) part_from_writes(l);
    if (waits) before_wait(l, condition);
    for (Fork f = fork_by(l, waits ? FOR_WAITS : 0); fork_next(l, &f);) {
        Instr *i = emit(l, INSTR_ASSUME);
        i->value = condition;
        i->waits = waits && asks(l, FOR_WAITS);
        i->address = i->waits ? of : NULL;
        if (waits) note_wait(l);
    }
}

Variable *emit_temporary(Lower *l, const Sort *sort) {
    Variable *v = template_local(l->program, l->template_, "tmp", sort);
    v->temporary = true;
    v->position = l->position;
    return v;
}

const Expr *emit_any(Lower *l, const Sort *sort) {
    Variable *v = emit_temporary(l, sort);
    emit(l, INSTR_HAVOC)->target = v;
    return variable_expr(l->program, v);
}

const Expr *emit_hold(Lower *l, const Expr *e) {
    Variable *v = emit_temporary(l, e->sort);
    emit_assign(l, v, e);
    return variable_expr(l->program, v);
}

/* ---- ends ---- */

void emit_halt(Lower *l) {
    unsigned *at = l->returned ? &l->halt : &l->quit;
    if (*at == NONE) {
        *at = template_location(l->program, l->template_, LOCATION_HALT, (Position){0});
        if (!l->returned) l->template_->locations[*at].text = "exit";
    }
    end_step_for(l, l->cursor.done);
    emit_goto(l, *at);
}

void emit_endless(Lower *l) {
    unsigned at = emit_location(l, LOCATION_PLAIN);
    emit_goto(l, at);
    template_action(l->program, l->template_, at, at, NULL, l->position);
    l->template_->locations[at].loop_head = true;
}

void emit_error(Lower *l, const char *text) {
    unsigned at = emit_location(l, LOCATION_ERROR);
    l->template_->locations[at].text = exprs_intern(l->pool, text);
    emit_goto(l, at);
}

/* The thread's thread-local objects die with it, and other threads may still look at them before. A later pass joins these steps if
   there is no such object. */
void emit_end(Lower *l, const Expr *result) {
    end_step_for(l, l->cursor.done);
    if (l->template_->result && result) emit_assign(l, l->template_->result, as_sort(l->front, result, l->template_->result->sort));
    if (l->end == NONE) l->end = template_location(l->program, l->template_, LOCATION_END, (Position){0});
    emit_goto(l, l->end);
}

/* Records an approximation once for each place, however often the function there is inlined. */
static unsigned approximation(Lower *l, ApproximationKind kind, const char *text) {
    text = exprs_intern(l->pool, text);
    uint64_t key[] = {kind, map_key(text), map_key(l->position.file), l->position.line, l->position.column}, known;
    uint64_t hash = hash_bytes(key, sizeof key, 0);
    if (map_get(l->front->approximations, hash, &known)) {
        Approximation *a = &l->program->approximations[known];
        a->properties = mark(l) && a->properties ? a->properties | mark(l) : 0;
        if (a->properties == FOR_ALL) a->properties = 0;
        return (unsigned)known;
    }
    unsigned index = program_approximation(l->program, kind, l->position, text);
    l->program->approximations[index].properties = mark(l);
    map_put(l->front->approximations, hash, index);
    return index;
}

static unsigned stop_at(Lower *l, ApproximationKind kind, const char *text) {
    unsigned at = emit_location(l, LOCATION_STOP), index = approximation(l, kind, text);
    l->template_->locations[at].approximation = index;
    emit_goto(l, at);
    return index;
}

void emit_stop(Lower *l, ApproximationKind kind, const char *format, ...) {
    char text[400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (!l->cursor.dead) stop_at(l, kind, text);
}

void emit_stop_unless(Lower *l, const Expr *condition, const char *text) {
    Cursor yes, no;
    emit_branch(l, condition, &yes, &no);
    l->cursor = no;
    emit_stop(l, APPROX_UNSUPPORTED, "%s", text);
    l->cursor = yes;
}

/* Records an over-approximation in the action. An action records only one, so a second one starts another action. */
static unsigned over_here(Lower *l, const char *text) {
    Cursor *c = &l->cursor;
    to_limbo(l);
    bool noted = c->action != NONE && l->template_->actions[c->action].approximation != NO_APPROXIMATION;
    end_step_for(l, noted ? FOR_ALL : c->noted);
    if (c->action == NONE) c->action = open_action(l, c->location, NULL);
    return l->template_->actions[c->action].approximation = approximation(l, APPROX_OVER, text);
}

void emit_over(Lower *l, const char *format, ...) {
    char text[400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    over_here(l, text);
}

/* ---- functions without a body ---- */

static Approximation *about(Lower *l, unsigned index, const char *function) {
    Approximation *a = &l->program->approximations[index];
    a->function = exprs_intern(l->pool, function);
    return a;
}

/* Adds a path that stops, since the function may do more, and a path on which it has no effect, which may be untrue. */
void emit_omission(Lower *l, const char *function, const char *why, bool likely) {
    if (l->cursor.dead) return;
    const char *text = arena_printf(l->front->scratch, MSG_FRONT_UNKNOWN_CALL, function, why);
    unsigned here = end_step(l), depth = l->cursor.depth;
    l->cursor = emit_guarded(l, here, expr_bool(l->pool, true), depth);
    about(l, stop_at(l, APPROX_UNSUPPORTED, text), function);
    l->cursor = emit_guarded(l, here, expr_bool(l->pool, true), depth);
    if (likely) about(l, over_here(l, arena_printf(l->front->scratch, MSG_FRONT_UNKNOWN_PURE, function)), function);
}

void emit_doubt(Lower *l, const char *text) {
    if (l->cursor.dead) return;
    unsigned here = end_step(l), depth = l->cursor.depth;
    l->cursor = emit_guarded(l, here, expr_bool(l->pool, true), depth);
    stop_at(l, APPROX_UNSUPPORTED, text);
    l->cursor = emit_guarded(l, here, expr_bool(l->pool, true), depth);
}

void emit_unknown_result(Lower *l, const char *function) {
    const char *text = arena_printf(l->front->scratch, MSG_FRONT_UNKNOWN_RESULT, function);
    about(l, over_here(l, text), function)->result = true;
}

void emit_unknown_value(Lower *l, Variable *v) {
    const char *text = arena_printf(l->front->scratch, MSG_FRONT_VARIABLE_ANY, v->name);
    about(l, over_here(l, text), v->name)->result = true;
    emit(l, INSTR_HAVOC)->target = v;
}

void emit_assumption(Lower *l, const char *function, const char *text) {
    unsigned index = approximation(l, APPROX_ASSUMED, text);
    if (function) about(l, index, function);
}

void note_assumption(Lower *l, const char *text) {
    Position here = l->position;
    l->position = (Position){0};
    emit_assumption(l, NULL, text);
    l->position = here;
}

void assume_zero(Lower *l) { note_assumption(l, MSG_FRONT_ZERO_MEMORY); }

/* ---- atomic sections ---- */

void emit_section_begin(Lower *l) {
    PropertySet chosen = FOR_WAITS & (open_chooses(l) ? FOR_ALL : l->cursor.chosen); /* before a wait in the section */
    if (l->cursor.depth == 0) end_step_for(l, l->cursor.done | l->cursor.section | chosen);
    l->cursor.depth++;
}

void emit_section_end(Lower *l) {
    Cursor *c = &l->cursor;
    if (c->depth == 0) return;
    c->depth--;
    if (c->depth) return;
    PropertySet untouched = l->asked & (PropertySet)~c->section, inside = began_atomic(l) & untouched,
                idle = untouched & (PropertySet)~inside;
    c->done |= c->section;
    c->section = 0;
    if (inside || (c->action == NONE && l->template_->locations[c->location].atomic))
        emit_within(l, emit_location(l, LOCATION_PLAIN), l->asked & (PropertySet)~inside);
    if (!front_is_buffered(l->front)) return;
    for (Fork f = fork_by(l, idle); fork_next(l, &f);)
        if (asks(l, idle)) emit_fence(l, ORDER_SEQ_CST); /* it accesses nothing, but drains the store buffer */
}
