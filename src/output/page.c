/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the page of --html from a template, a style and a script (page/), the answers as JSON, and the lines of source that they mention. */
#include "base/version.h"
#include "output/embed.h"
#include "explain/jsons.h"
#include "output/report.h"
#include "output/source.h"
#include <stdlib.h>
#include <string.h>

EMBED(page_template, "page.html")
EMBED(page_style, "page.css")
EMBED(page_script, "page.js")

enum { WHOLE_FILE = 4000, AROUND = 30 };

typedef struct Used {
    char *file;
    unsigned *lines; /* a vec */
} Used;

/* ---- the lines that the answers mention ---- */

static void use(Used **list, const char *file, json_int_t line) {
    if (!file || line < 0 || line > 1 << 28) return;
    size_t i = 0;
    while (i < vec_len(*list) && strcmp((*list)[i].file, file)) i++;
    if (i == vec_len(*list)) vec_push(*list, ((Used){.file = strdup(file)}));
    if (line) vec_push((*list)[i].lines, (unsigned)line);
}

/* Finds the places in a JSON value: objects with file and line, and lists with a file before a line. */
static void find_places(Used **list, const json_t *v) {
    const char *key;
    json_t *part;
    if (json_is_object(v)) {
        use(list, json_string_value(json_object_get(v, "file")), json_integer_value(json_object_get(v, "line")));
        json_object_foreach((json_t *)v, key, part) find_places(list, part);
    }
    for (size_t i = 0; json_is_array(v) && i < json_array_size(v); i++) {
        part = json_array_get(v, i);
        if (json_is_string(part) && json_is_integer(json_array_get(v, i + 1)))
            use(list, json_string_value(part), json_integer_value(json_array_get(v, i + 1)));
        else find_places(list, part);
    }
}

static int compare_lines(const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* ---- sources: lists of segments, each the number of its first line and its lines ---- */

/* Returns the line with its tabs; NULL if the file has no such line. */
static json_t *line_of(Sources *sources, Position p) {
    size_t length;
    const char *text = source_line(sources, p), *bytes = source_bytes(sources, p, &length);
    if (!text) return NULL;
    Buf line = {0};
    for (size_t i = 0; text[i]; i++) buf_char(&line, i < length && bytes[i] == '\t' ? '\t' : text[i]);
    json_t *o = json_text(buf_string(&line));
    buf_free(&line);
    return o;
}

static unsigned add_lines(json_t *segments, Sources *sources, const char *file, unsigned first, unsigned last) {
    json_t *lines = json_array(), *segment = json_array();
    unsigned line = first;
    for (; line <= last; line++) {
        json_t *text = line_of(sources, (Position){.file = file, .line = line});
        if (!text) break;
        json_add(lines, text);
    }
    json_add(segment, json_integer(first));
    json_add(segment, lines);
    json_add(segments, segment);
    return line;
}

static json_t *lines_of(Sources *sources, const Used *u) {
    json_t *segments = json_array();
    if (!source_line(sources, (Position){.file = u->file, .line = WHOLE_FILE + 1})) {
        add_lines(segments, sources, u->file, 1, WHOLE_FILE);
        return segments;
    }
    if (vec_len(u->lines)) qsort(u->lines, vec_len(u->lines), sizeof *u->lines, compare_lines);
    for (size_t i = 0; i < vec_len(u->lines); i++) {
        unsigned first = u->lines[i] > AROUND ? u->lines[i] - AROUND : 1, last = u->lines[i] + AROUND;
        while (i + 1 < vec_len(u->lines) && u->lines[i + 1] <= last + AROUND) last = u->lines[++i] + AROUND;
        add_lines(segments, sources, u->file, first, last);
    }
    return segments;
}

static json_t *sources_json(const json_t *verdicts) {
    Used *list = NULL;
    Sources *sources = sources_new();
    json_t *o = json_object(), *first = json_object_get(json_array_get(verdicts, 0), "files");
    for (size_t i = 0; i < json_array_size(first); i++) use(&list, json_string_value(json_array_get(first, i)), 0);
    find_places(&list, verdicts);
    for (size_t i = 0; i < vec_len(list); i++) {
        json_put(o, list[i].file, lines_of(sources, &list[i]));
        free(list[i].file);
        vec_free(list[i].lines);
    }
    vec_free(list);
    sources_free(sources);
    return o;
}

/* ---- the page ---- */

/* Escapes every '<', so that the data cannot end the script element around it. */
static void put_data(Buf *out, json_t *data) {
    Buf text = {0};
    json_finish(&text, data, JSON_COMPACT | JSON_ENSURE_ASCII);
    for (size_t i = 0; i < text.length; i++) {
        if (text.text[i] == '<') buf_text(out, "\\u003c");
        else buf_char(out, text.text[i]);
    }
    buf_free(&text);
}

void report_page(Buf *views) {
    Buf list = {0}, page = {0};
    buf_printf(&list, "[%s]", buf_string(views));
    json_t *data = json_object(), *verdicts = json_loads(buf_string(&list), 0, NULL);
    json_put(data, "version", json_text(HEDDLE_VERSION));
    json_put(data, "sources", sources_json(verdicts));
    json_put(data, "verdicts", verdicts);
    for (const char *s = page_template; *s;) {
        const char *mark = strchr(s, '@');
        if (!mark) mark = s + strlen(s);
        buf_bytes(&page, s, (size_t)(mark - s));
        s = mark;
        if (!strncmp(s, "@style@", 7)) buf_text(&page, page_style), s += 7;
        else if (!strncmp(s, "@script@", 8)) buf_text(&page, page_script), s += 8;
        else if (!strncmp(s, "@data@", 6)) put_data(&page, data), s += 6;
        else if (*s) buf_char(&page, *s++);
    }
    buf_free(&list);
    buf_free(views);
    *views = page;
}
