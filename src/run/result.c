/* SPDX-License-Identifier: Apache-2.0 */
#include "run/result.h"
#include "run/event.h"
#include <link.h>

static int put_module(struct dl_phdr_info *info, size_t size, void *writer) {
    Writer *w = writer;
    (void)size;
    Address end = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && p->p_vaddr + p->p_memsz > end) end = p->p_vaddr + p->p_memsz;
    }
    writer_put(w, "module %lx %lx ", (unsigned long)info->dlpi_addr, (unsigned long)(info->dlpi_addr + end));
    writer_word(w, *info->dlpi_name ? info->dlpi_name : ".");
    writer_put(w, "\n");
    return 0;
}

void result_begin(Writer *w, const char *path, const Campaign *c) {
    writer_open(w, path);
    writer_put(w, "heddle-result 1\nprogram ");
    writer_word(w, c->program->argv[0]);
    writer_put(w, "\nruns %lu orders %lu unfinished %lu threads %u events %lu\n", (unsigned long)c->runs, (unsigned long)c->orders,
               (unsigned long)c->unfinished, c->most_threads, (unsigned long)c->all_events);
    if (c->unfinished) {
        writer_put(w, "reason %s %lu ", violation_word(c->reason.outcome), (unsigned long)c->reason_run);
        writer_word(w, c->reason.text);
        writer_put(w, "\n");
    }
    dl_iterate_phdr(put_module, w);
}

static void put_entry(Writer *w, const Entry *e) {
    writer_put(w, "step %u %s %lx %lx %u %d %d %d %lx %lx %u", e->thread, event_word((EventKind)e->kind), (unsigned long)e->pc,
               (unsigned long)e->address, e->size, e->write, e->has_value, e->flag, (unsigned long)e->value, (unsigned long)e->before,
               e->other);
    for (unsigned i = 0; i < e->calls; i++) writer_put(w, " %lx", (unsigned long)e->call[i]);
    writer_put(w, "\n");
}

void result_violation(Writer *w, const Violation *v, const char *replay) {
    const Finding *f = &v->finding;
    writer_put(w, "violation %s %s run %lu seed %lu strategy %s switches %lu\n", violation_property(f->outcome), violation_word(f->outcome),
               (unsigned long)v->run, (unsigned long)v->seed, v->strategy, (unsigned long)v->ndecisions);
    writer_put(w, "place %u %lx %lx %u %d other %u %lx %u %d\n", f->thread, (unsigned long)f->pc, (unsigned long)f->address, f->size,
               f->write, f->other, (unsigned long)f->other_pc, f->other_size, f->other_write);
    writer_put(w, "text ");
    writer_word(w, f->text);
    writer_put(w, "\nreplay ");
    writer_word(w, replay);
    writer_put(w, "\n");
    uint64_t first = shared->nentries > MOST_ENTRIES ? shared->nentries - MOST_ENTRIES : 0;
    writer_put(w, "cut %lu\n", (unsigned long)first);
    for (uint64_t i = first; i < shared->nentries; i++) {
        const Entry *e = &shared->entries[i % MOST_ENTRIES];
        if (f->outcome == OUTCOME_RACE && e->event > f->event) break;
        put_entry(w, e);
    }
    writer_put(w, "end\n");
}
