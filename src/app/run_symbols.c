/* SPDX-License-Identifier: Apache-2.0 */
#include "app/run_symbols.h"
#include "base/file.h"
#include "base/map.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Question {
    uint64_t address;
    bool data;
} Question;

struct RunSymbols {
    Arena *arena;
    const char *program;
    const RunModule *modules;
    char *folder;       /* the working directory, with a slash at its end */
    const char **files; /* a vec */
    Question *asked;    /* a vec: the answers come in this order */
    Map *codes, *data;  /* address → RunPlace, name; asked, but not answered: 0 */
};

RunSymbols *run_symbols_new(Arena *arena, const char *program, const RunModule *modules) {
    RunSymbols *s = zeroed(1, sizeof *s);
    char *here = realpath(".", NULL);
    *s = (RunSymbols){.arena = arena, .program = program, .modules = modules, .codes = map_new(), .data = map_new()};
    s->folder = arena_printf(arena, "%s/", here ? here : "");
    free(here);
    return s;
}

void run_symbols_free(RunSymbols *s) {
    map_free(s->codes);
    map_free(s->data);
    vec_free(s->asked);
    vec_free(s->files);
    free(s);
}

static const RunModule *module_of(const RunSymbols *s, uint64_t address) {
    vec_each_at(const RunModule, m, s->modules)
        if (address >= m->from && address < m->to) return m;
    return NULL;
}

void run_symbols_ask(RunSymbols *s, uint64_t address, bool data) {
    Map *m = data ? s->data : s->codes;
    if (!module_of(s, address) || map_get(m, address, NULL)) return;
    map_put(m, address, 0);
    vec_push(s->asked, ((Question){address, data}));
}

/* ---- answers ---- */

/* Returns one pointer for a file, relative to the working directory where that is shorter. */
static const char *file_of(RunSymbols *s, const char *path) {
    size_t n = strlen(s->folder);
    if (!strncmp(path, s->folder, n)) path += n;
    vec_each(const char *, f, s->files)
        if (!strcmp(f, path)) return f;
    vec_push(s->files, arena_strdup(s->arena, path));
    return vec_last(s->files);
}

/* Libraries of the system are not a part of the program, though they may have debug information. */
static bool is_of_system(const RunModule *m) { return !strncmp(m->path, "/lib", 4) || !strncmp(m->path, "/usr/lib", 8); }

static void take_code(RunSymbols *s, uint64_t address, const json_t *answer) {
    const json_t *frame = json_array_get(json_object_get(answer, "Symbol"), 0);
    const char *file = json_string_value(json_object_get(frame, "FileName")),
               *function = json_string_value(json_object_get(frame, "FunctionName"));
    RunPlace *p = arena_alloc(s->arena, sizeof *p);
    *p = (RunPlace){0};
    if (function && *function) p->function = arena_strdup(s->arena, function);
    if (file && *file && json_integer_value(json_object_get(frame, "Line")) && !is_of_system(module_of(s, address))) {
        p->position.file = file_of(s, file);
        p->position.line = (unsigned)json_integer_value(json_object_get(frame, "Line"));
        p->position.column = (unsigned)json_integer_value(json_object_get(frame, "Column"));
    }
    map_put(s->codes, address, map_key(p));
}

static void take_data(RunSymbols *s, uint64_t address, const json_t *answer) {
    const json_t *data = json_object_get(answer, "Data");
    const char *name = json_string_value(json_object_get(data, "Name")), *start = json_string_value(json_object_get(data, "Start"));
    const RunModule *m = module_of(s, address);
    if (!name || !*name || !start || !m) return;
    uint64_t offset = address - m->from - strtoull(start, NULL, 16);
    const char *text = offset ? arena_printf(s->arena, "%s+%" PRIu64, name, offset) : arena_strdup(s->arena, name);
    map_put(s->data, address, map_key(text));
}

static bool take_answers(RunSymbols *s, FILE *f) {
    char *line = NULL;
    size_t room = 0, n = 0;
    for (; n < vec_len(s->asked) && getline(&line, &room, f) > 0; n++) {
        json_t *answer = json_loads(line, 0, NULL);
        if (!answer) break;
        (s->asked[n].data ? take_data : take_code)(s, s->asked[n].address, answer);
        json_decref(answer);
    }
    free(line);
    return n == vec_len(s->asked);
}

static void put_questions(const RunSymbols *s, FILE *f) {
    vec_each_at(const Question, q, s->asked) {
        const RunModule *m = module_of(s, q->address);
        uint64_t at = q->address - m->from - !q->data; /* the call is before the address to which it returns */
        fprintf(f, "%s \"%s\" 0x%" PRIx64 "\n", q->data ? "DATA" : "CODE", strcmp(m->path, ".") ? m->path : s->program, at);
    }
}

bool run_symbols_resolve(RunSymbols *s) {
    char path[] = "/tmp/heddle-XXXXXX", command[128];
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f) return false;
    put_questions(s, f);
    bool good = !fclose(f);
    snprintf(command, sizeof command, "llvm-symbolizer-19 --output-style=JSON --no-debuginfod <%s 2>/dev/null", path);
    FILE *answers = good ? popen(command, "r") : NULL;
    good = answers && take_answers(s, answers);
    if (answers) pclose(answers);
    unlink(path);
    vec_clear(s->asked);
    return good;
}

RunPlace run_symbols_place(const RunSymbols *s, uint64_t address) {
    uint64_t place = 0;
    return map_get(s->codes, address, &place) && place ? *(const RunPlace *)(uintptr_t)place : (RunPlace){0};
}

const char *run_symbols_data(const RunSymbols *s, uint64_t address) {
    uint64_t name = 0;
    return map_get(s->data, address, &name) ? (const char *)(uintptr_t)name : NULL;
}
