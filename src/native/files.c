/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the schedule of a native run as a C file, which is linked with the runtime, and embeds the files of the runtime. */
#include "explain/events.h"
#include "native/files.h"
#include "base/file.h"
#include <inttypes.h>

/* ---- C ---- */

static void put_string(Buf *out, const char *s) {
    buf_char(out, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') buf_printf(out, "\\%c", *s);
        else if ((unsigned char)*s < ' ' || (unsigned char)*s == 127) buf_printf(out, "\\%03o", (unsigned char)*s);
        else buf_char(out, *s);
    }
    buf_char(out, '"');
}

static void put_text_or_null(Buf *out, const char *s) {
    if (s) put_string(out, s);
    else buf_char(out, '0');
}

/* ---- the description of a step ---- */

static void put_place(Buf *out, Position p) {
    if (p.file) buf_printf(out, "%s:%u", base_name(p.file), p.line);
}

static void put_moment(Buf *out, const Counterexample *s, const TraceLine *m) {
    Buf text = {0};
    buf_text(&text, counterexample_thread(s, m->thread));
    if (m->position.file) buf_text(&text, " at ");
    put_place(&text, m->position);
    buf_text(&text, ": ");
    line_events(s, &text, m);
    put_string(out, buf_string(&text));
    buf_free(&text);
}

/* Returns the line of the counterexample that contains the step, or NULL. */
static const TraceLine *moment_of(const Counterexample *s, size_t step) {
    for (size_t i = 0; i < vec_len(s->moments); i++)
        if (s->moments[i].first_step <= step && step <= s->moments[i].last_step) return &s->moments[i];
    return NULL;
}

/* ---- the tables ---- */

static void put_turn(Buf *out, const NativeTurn *t) {
    bool place = t->place != 0;
    unsigned flags = 0;
    const bool set[] = {t->valued && !t->parts,
                        t->address,
                        t->initialises && !t->parts,
                        t->continues,
                        t->race,
                        t->overrides_memory,
                        t->parts,
                        t->writes}; /* in the order of TURN_VALUE … */
    for (unsigned i = 0; i < sizeof set / sizeof *set; i++) flags |= (unsigned)set[i] << i;
    uint64_t low = place ? t->place : (uint64_t)t->value, high = place ? t->most_bytes : (uint64_t)(t->value >> 64);
    uint64_t reads = (uint64_t)t->read_at << 32 | t->reads, writes = (uint64_t)t->write_at << 32 | t->written;
    buf_printf(out, "    {%u, %u, 0x%" PRIx64 "u, %zu, %u, %u, 0x%" PRIx64 "u, 0x%" PRIx64 "u, ", t->thread, t->point.origin,
               t->point.context, t->step + 1, flags, t->size, reads, writes);
    buf_printf(out, "0x%" PRIx64 "u, 0x%" PRIx64 "u, ", low, high);
}

static void put_turns(Buf *out, const NativeRun *r, const Counterexample *s) {
    const TraceLine *last = NULL;
    buf_text(out, "static const HeddleTurn turns[] = {\n");
    for (size_t i = 0; i < vec_len(r->turns); i++) {
        const TraceLine *m = s ? moment_of(s, r->turns[i].step) : NULL;
        put_turn(out, &r->turns[i]);
        put_text_or_null(out, m ? m->function : NULL);
        buf_text(out, ", ");
        if (m && m != last && vec_len(m->events)) put_moment(out, s, m);
        else buf_char(out, '0');
        if (m) last = m;
        buf_text(out, "},\n");
    }
    buf_text(out, "    {0},\n};\n");
}

static void put_inputs(Buf *out, const char *name, const NativeInput *list) {
    buf_printf(out, "static const HeddleInput %s[] = {\n", name);
    for (size_t i = 0; i < vec_len(list); i++)
        buf_printf(out, "    {%u, %u, 0x%" PRIx64 "u, 0x%" PRIx64 "u, %zu},\n", list[i].thread, list[i].point.origin, list[i].point.context,
                   list[i].value, list[i].step + 1);
    buf_text(out, "    {0},\n};\n");
}

static const char *const ends[] = {
    [TRACE_ERROR] = "END_ERROR",     [TRACE_FAULT] = "END_FAULT",  [TRACE_DEADLOCK] = "END_DEADLOCK", [TRACE_LEAK] = "END_LEAK",
    [TRACE_ENDLESS] = "END_ENDLESS", [TRACE_FAIR] = "END_ENDLESS", [TRACE_RACE] = "END_RACE",         [TRACE_UNORDERED] = "END_UNORDERED"};

void native_schedule(Buf *out, const NativeRun *r, const Trace *t, const Counterexample *s, const char *arguments) {
    buf_text(out, "/* The steps in their order, with their values and inputs. */\n#include \"native.h\"\n\n");
    put_turns(out, r, s);
    put_inputs(out, "inputs", r->inputs);
    put_inputs(out, "variables", r->variables);
    buf_text(out, "static const unsigned char fates[] = {0");
    for (unsigned i = 1; i <= r->threads; i++) buf_printf(out, ", %d", i < vec_len(r->fates) ? (int)r->fates[i] : 0);
    buf_text(out, "};\nconst HeddleSchedule heddle_schedule = {\n    turns, inputs, variables, fates,\n");
    buf_printf(out, "    %zu, %zu, %zu, %u, %zu,\n", vec_len(r->turns), vec_len(r->inputs), vec_len(r->variables), r->threads,
               vec_len(t->steps));
    buf_printf(out, "    %s, %u, %u, %u, 0x%" PRIx64 "u, %zu, %zu,\n    ", ends[r->end], r->property, r->thread, r->point.origin,
               r->point.context, r->loop, t->loop + 1);
    put_text_or_null(out, arguments);
    buf_text(out, ", ");
    put_string(out, s && s->error ? s->error : "an error");
    buf_text(out, ", ");
    Buf place = {0};
    if (s && (r->end == TRACE_ERROR || r->end == TRACE_FAULT)) put_place(&place, s->position); /* other ends contain their place */
    put_string(out, buf_string(&place));
    buf_free(&place);
    buf_text(out, "};\n");
}

/* ---- the files of a native run ---- */

/* The paths are relative to the folder above src, in which make runs. */
#define EMBED(name, file)                                                                                                              \
    __asm__(".pushsection .rodata\n.global " #name "\n.type " #name ", @object\n" #name ":\n.incbin \"src/native/runtime/" file "\"\n" \
            ".byte 0\n.popsection\n");                                                                                                 \
    extern const char name[];
EMBED(native_header, "native.h")
EMBED(native_runtime, "runtime.h")
EMBED(native_turns, "turns.c")
EMBED(native_points, "points.c")
EMBED(native_primitives, "primitives.c")
EMBED(native_start, "start.c")
EMBED(native_watcher, "watcher.c")
EMBED(native_build, "build.sh")
EMBED(native_gdb, "bug.gdb")

const NativeFile native_files[] = {{"native.h", native_header},
                                   {"runtime.h", native_runtime},
                                   {"turns.c", native_turns},
                                   {"points.c", native_points},
                                   {"primitives.c", native_primitives},
                                   {"start.c", native_start},
                                   {"watcher.c", native_watcher},
                                   {"build.sh", native_build},
                                   {"bug.gdb", native_gdb},
                                   {NULL, NULL}};
