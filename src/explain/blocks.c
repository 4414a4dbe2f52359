/* SPDX-License-Identifier: Apache-2.0 */
/* A block has the line where it begins, and the lines of its transitions that other threads can observe. Local work after these lines belongs to
   no block. */
#include "explain/blocks.h"
#include <stdlib.h>
#include <string.h>

enum { FEW_BLOCKS = 10 };

typedef struct Block {
    Position *lines; /* a vec: in order, each once */
} Block;

static int compare_positions(const void *a, const void *b) {
    const Position *x = a, *y = b;
    int files = x->file && y->file ? strcmp(x->file, y->file) : 0;
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

static void sort_lines(Position *lines, Position **result) {
    if (vec_len(lines)) qsort(lines, vec_len(lines), sizeof *lines, compare_positions);
    for (size_t i = 0; i < vec_len(lines); i++)
        if (!vec_len(*result) || compare_positions(&vec_last(*result), &lines[i])) vec_push(*result, lines[i]);
}

/* ---- lines that other threads can observe ---- */

static bool add_visible(const Action *a, Position **lines) {
    size_t before = vec_len(*lines);
    if (!action_is_visible(a, NULL)) return false;
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        Position at = a->instrs[i].position.line ? a->instrs[i].position : a->position;
        if (at.line && instr_is_visible(&a->instrs[i], NULL)) vec_push(*lines, at);
    }
    if (vec_len(*lines) == before && a->position.line) vec_push(*lines, a->position);
    return vec_len(*lines) > before;
}

static void add_transition(const Proof *p, unsigned thread, const Transition *t, Position **lines) {
    const Template *template_ = p->program->templates[p->system->threads[thread].template_];
    size_t before = vec_len(*lines);
    for (size_t i = 0; i < vec_len(t->actions); i++)
        if (t->actions[i] < vec_len(template_->actions)) add_visible(&template_->actions[t->actions[i]], lines);
    if (vec_len(*lines) == before && t->position.line) vec_push(*lines, t->position);
}

Position blocks_next_of(const Proof *p, unsigned thread, const Transition *t) {
    const Template *template_ = p->program->templates[p->system->threads[thread].template_];
    unsigned first = NONE;
    for (size_t i = 0; i < vec_len(t->actions) && first == NONE; i++)
        if (t->actions[i] < vec_len(template_->actions)) first = t->actions[i];
    if (first == NONE) return t->position;
    const Action *a = &template_->actions[first];
    return vec_len(a->instrs) && a->instrs[0].position.line ? a->instrs[0].position : a->position.line ? a->position : t->position;
}

Position blocks_next(const Proof *p, unsigned thread, unsigned location) {
    ensure(thread < vec_len(p->system->threads) && location < vec_len(p->system->threads[thread].locations));
    const SystemThread *t = &p->system->threads[thread];
    const SystemLocation *l = &t->locations[location];
    Position next = {0};
    for (size_t i = 0; i < vec_len(l->out); i++) {
        Position one = blocks_next_of(p, thread, &t->transitions[l->out[i]]);
        if (next.line && compare_positions(&next, &one)) return l->position;
        next = one;
    }
    return next.line ? next : l->position;
}

/* ---- blocks ---- */

static void follow(const Proof *p, unsigned thread, unsigned location, bool *seen, Position **lines) {
    const SystemThread *t = &p->system->threads[thread];
    vec_each_of(const Transition, tr, t->transitions, t->locations[location].out) {
        add_transition(p, thread, tr, lines);
        if (p->out[thread][tr->target] || seen[tr->target]) continue;
        seen[tr->target] = true;
        follow(p, thread, tr->target, seen, lines);
    }
}

static Block block_from(const Proof *p, unsigned thread, unsigned location) {
    Block b = {0};
    bool *seen = NULL;
    Position *lines = NULL;
    vec_resize(seen, vec_len(p->system->threads[thread].locations));
    follow(p, thread, location, seen, &lines);
    if (vec_len(lines) && blocks_next(p, thread, location).line) vec_push(lines, blocks_next(p, thread, location));
    sort_lines(lines, &b.lines);
    vec_free(lines);
    vec_free(seen);
    return b;
}

static int compare_blocks(const void *a, const void *b) {
    const Block *x = a, *y = b;
    return compare_positions(&x->lines[0], &y->lines[0]);
}

static Block *blocks_of(const Proof *p, unsigned thread) {
    ensure(thread < vec_len(p->system->threads) && vec_len(p->out) == vec_len(p->system->threads));
    Block *list = NULL;
    for (unsigned l = 0; l < vec_len(p->system->threads[thread].locations); l++) {
        if (!p->out[thread][l]) continue;
        Block b = block_from(p, thread, l);
        if (vec_len(b.lines)) vec_push(list, b);
        else vec_free(b.lines);
    }
    if (vec_len(list)) qsort(list, vec_len(list), sizeof *list, compare_blocks);
    return list;
}

void blocks_each(const Proof *p, unsigned thread, void (*visit)(void *, const Position *), void *context) {
    Block *list = blocks_of(p, thread);
    for (size_t i = 0; i < vec_len(list); i++) {
        visit(context, list[i].lines);
        vec_free(list[i].lines);
    }
    vec_free(list);
}

/* ---- text ---- */

static void print_place(Buf *out, const Display *display, Position at) {
    Buf text = {0};
    display_position(display, &text, at);
    buf_text(out, !strncmp(buf_string(&text), "line ", 5) ? buf_string(&text) + 5 : buf_string(&text));
    buf_free(&text);
}

/* Prints "3-7 + 12". A dash joins lines between which the thread has no line of another block. */
static void print_block(Buf *out, const Display *display, const Block *b, const Position *all) {
    size_t at = 0;
    for (size_t i = 0; i < vec_len(b->lines); i++) {
        while (compare_positions(&all[at], &b->lines[i])) at++;
        size_t last = i;
        while (last + 1 < vec_len(b->lines) && at + 1 < vec_len(all) && !compare_positions(&all[at + 1], &b->lines[last + 1])) last++, at++;
        buf_text(out, i ? " + " : "");
        print_place(out, display, b->lines[i]);
        if (last > i) {
            buf_text(out, "–");
            if (b->lines[i].file == b->lines[last].file) buf_printf(out, "%u", b->lines[last].line);
            else print_place(out, display, b->lines[last]);
        }
        i = last;
    }
}

static void print_blocks(Buf *out, const Display *display, const Proof *p, unsigned thread, bool all) {
    Block *list = blocks_of(p, thread);
    Position *lines = NULL, *sorted = NULL;
    unsigned shown = 0;
    const char *before = NULL;
    Buf text = {0}, last = {0};
    for (size_t i = 0; i < vec_len(list); i++)
        for (size_t k = 0; k < vec_len(list[i].lines); k++) vec_push(lines, list[i].lines[k]);
    sort_lines(lines, &sorted);
    for (size_t i = 0; i < vec_len(list); i++) {
        buf_clear(&text);
        print_block(&text, display, &list[i], sorted);
        if (before && !strcmp(buf_string(&text), buf_string(&last))) continue;
        if (all || shown < FEW_BLOCKS) buf_printf(out, "%s%s", before ? ", " : "", buf_string(&text));
        else if (shown == FEW_BLOCKS) buf_text(out, ", …");
        shown++;
        before = ", ";
        buf_clear(&last);
        buf_text(&last, buf_string(&text));
    }
    for (size_t i = 0; i < vec_len(list); i++) vec_free(list[i].lines);
    vec_free(list);
    vec_free(lines);
    vec_free(sorted);
    buf_free(&text);
    buf_free(&last);
}

/* Threads with the same blocks share one line of output. */
void blocks_text(Buf *out, const Display *display, const Proof *p, bool all) {
    const System *s = p->system;
    Buf *texts = NULL;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        Buf text = {0};
        if (p->out && system_first_instance(s, t) == t) print_blocks(&text, display, p, t, all);
        vec_push(texts, text);
    }
    bool any = false;
    for (unsigned t = 0; t < vec_len(texts); t++) {
        if (!texts[t].length) continue;
        if (!any) buf_text(out, "Blocks, by lines (no other thread needs to run inside one):\n");
        any = true;
        buf_printf(out, "  %s", display_thread(display, t));
        for (unsigned u = t + 1; u < vec_len(texts); u++) {
            if (strcmp(buf_string(&texts[t]), buf_string(&texts[u]))) continue;
            buf_printf(out, ", %s", display_thread(display, u));
            buf_clear(&texts[u]);
        }
        buf_printf(out, ": %s\n", buf_string(&texts[t]));
    }
    for (unsigned t = 0; t < vec_len(texts); t++) buf_free(&texts[t]);
    vec_free(texts);
}
