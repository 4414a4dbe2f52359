/* SPDX-License-Identifier: Apache-2.0 */
#include "app/tasks.h"
#include "app/messages.h"
#include "base/file.h"
#include "result/property.h"
#include <glob.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

static bool has_suffix(const char *name, const char *suffix) {
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

/* Returns a path that is given relative to the folder of another file, malloced. */
static char *beside(const char *file, const char *path) {
    const char *slash = strrchr(file, '/');
    Buf out = {0};
    if (slash && *path != '/') buf_bytes(&out, file, (size_t)(slash - file) + 1);
    buf_text(&out, path);
    return out.text;
}

/* ---- YAML ---- */

static yaml_node_t *member(yaml_document_t *d, yaml_node_t *map, const char *key) {
    if (!map || map->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
        yaml_node_t *k = yaml_document_get_node(d, p->key);
        if (k && k->type == YAML_SCALAR_NODE && !strcmp((char *)k->data.scalar.value, key)) return yaml_document_get_node(d, p->value);
    }
    return NULL;
}

static const char *text_of(const yaml_node_t *n) { return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL; }

/* Returns the number of items: any node that is not a list counts as one item. */
static size_t items(const yaml_node_t *n) {
    if (!n) return 0;
    return n->type == YAML_SEQUENCE_NODE ? (size_t)(n->data.sequence.items.top - n->data.sequence.items.start) : 1;
}

static yaml_node_t *item(yaml_document_t *d, yaml_node_t *n, size_t i) {
    return n->type == YAML_SEQUENCE_NODE ? yaml_document_get_node(d, n->data.sequence.items.start[i]) : n;
}

/* ---- a task ---- */

static Expected expected_of(const char *text) {
    return text && !strcmp(text, "true") ? EXPECTED_TRUE : text && !strcmp(text, "false") ? EXPECTED_FALSE : EXPECTED_NOTHING;
}

/* Reads the property from its file, or from its name (…/unreach-call.prp) if the file cannot be read. */
static bool property_of(const char *task, const char *path, Task *t) {
    Buf text = {0}, error = {0};
    unsigned set = 0;
    char *file = beside(task, path), *name = strdup(base_name(path));
    if (has_suffix(name, ".prp")) name[strlen(name) - strlen(".prp")] = 0;
    bool said = file_read(file, FILE_TEXT, &text, &error);
    bool known = said ? properties_of_text(buf_string(&text), path, &set, &error) : properties_find(name, &set, &error);
    unsigned properties = set & ((1u << PARTS_SHIFT) - 1);
    known = known && properties && !(properties & (properties - 1)); /* exactly one */
    if (known) t->property = (Property)__builtin_ctz(properties), t->parts = set >> PARTS_SHIFT;
    free(file);
    free(name);
    buf_free(&text);
    buf_free(&error);
    return known;
}

const char *task_property(const Task *t) { return property_text(t->property, t->parts); }

static void add_task(Task **list, const char *path, yaml_document_t *d, yaml_node_t *root, yaml_node_t *property) {
    Task t = {.expected = expected_of(text_of(member(d, property, "expected_verdict")))};
    yaml_node_t *inputs = member(d, root, "input_files");
    const char *model = text_of(member(d, member(d, root, "options"), "data_model"));
    const char *asked = text_of(member(d, property, "property_file"));
    if (!asked || !property_of(path, asked, &t)) return;
    for (size_t i = 0; i < items(inputs); i++)
        if (text_of(item(d, inputs, i))) vec_push(t.inputs, beside(path, text_of(item(d, inputs, i))));
    t.data_model = !model ? NULL : !strcmp(model, "ILP32") ? "ILP32" : "LP64";
    vec_push(*list, t);
    vec_last(*list).file = strdup(path);
}

static bool add_file(Task **list, const char *path, Buf *error) {
    Buf text = {0};
    yaml_parser_t parser;
    yaml_document_t d;
    if (!file_read(path, FILE_TEXT, &text, error)) return false;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)buf_string(&text), text.length);
    bool good = yaml_parser_load(&parser, &d);
    if (good) {
        yaml_node_t *root = yaml_document_get_root_node(&d), *properties = member(&d, root, "properties");
        good = items(member(&d, root, "input_files"));
        for (size_t i = 0; i < items(properties) && good; i++) add_task(list, path, &d, root, item(&d, properties, i));
        yaml_document_delete(&d);
    }
    if (!good) buf_printf(error, MSG_APP_TASK_EMPTY, path);
    yaml_parser_delete(&parser);
    buf_free(&text);
    return good;
}

/* ---- lists and folders ---- */

/* Adds a file of a list or folder, and skips it with a message if it is not a task. */
static void add_found(Task **list, const char *path) {
    Buf error = {0};
    if (!add_file(list, path, &error)) {
        const char *line = strtok(error.text, "\n");
        size_t n = message_length(line);
        print_error("%.*s; skipped%s", (int)n, line, line + n);
    }
    buf_free(&error);
}

/* Adds the files of a list. Each line is a pattern of files; # begins a comment. */
static bool add_set(Task **list, const char *path, Buf *error) {
    Buf text = {0};
    bool good = file_read(path, FILE_TEXT, &text, error);
    char *rest = NULL;
    for (char *line = good && text.text ? strtok_r(text.text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        glob_t found = {0};
        while (*line == ' ' || *line == '\t') line++;
        line[strcspn(line, "#\r")] = 0;
        for (size_t n = strlen(line); n && (line[n - 1] == ' ' || line[n - 1] == '\t'); n--) line[n - 1] = 0;
        char *pattern = *line ? beside(path, line) : NULL;
        if (pattern && glob(pattern, 0, NULL, &found)) print_error(MSG_APP_SET_NO_FILE, path, pattern);
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (has_suffix(found.gl_pathv[i], ".yml")) add_found(list, found.gl_pathv[i]);
        globfree(&found);
        free(pattern);
    }
    buf_free(&text);
    return good;
}

static bool add_folder(Task **list, const char *path, Buf *error) {
    struct dirent **names = NULL;
    int n = scandir(path, &names, NULL, alphasort);
    bool good = n >= 0;
    if (!good) buf_printf(error, MSG_APP_FOLDER_UNREADABLE, path);
    for (int i = 0; i < n; i++) {
        Buf inner = {0};
        struct stat s;
        buf_printf(&inner, "%s/%s", path, names[i]->d_name);
        if (good && names[i]->d_name[0] != '.' && !stat(buf_string(&inner), &s)) {
            if (S_ISDIR(s.st_mode)) good = add_folder(list, buf_string(&inner), error);
            else if (has_suffix(names[i]->d_name, ".yml")) add_found(list, buf_string(&inner));
        }
        buf_free(&inner);
        free(names[i]);
    }
    free(names);
    return good;
}

bool tasks_add(Task **list, const char *path, Buf *error) {
    struct stat s;
    bool folder = !stat(path, &s) && S_ISDIR(s.st_mode);
    bool good = folder                     ? add_folder(list, path, error)
                : has_suffix(path, ".set") ? add_set(list, path, error)
                                           : add_file(list, path, error);
    while (error->length && error->text[error->length - 1] == '\n') error->text[--error->length] = 0;
    return good;
}

void tasks_free(Task *list) {
    for (size_t i = 0; i < vec_len(list); i++) {
        free(list[i].file);
        for (size_t k = 0; k < vec_len(list[i].inputs); k++) free(list[i].inputs[k]);
        vec_free(list[i].inputs);
    }
    vec_free(list);
}
