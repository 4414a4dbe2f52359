/* SPDX-License-Identifier: Apache-2.0 */
/* Wraps the emitter of libyaml. Names do not begin with yaml_, since those belong to the library. The process ends if memory runs out; no other
   error is possible. */
#include "output/yml.h"
#include "base/die.h"
#include "base/messages.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct Yml {
    yaml_emitter_t emitter;
    Buf *to;
};

static int append(void *context, unsigned char *bytes, size_t size) {
    Yml *y = context;
    buf_bytes(y->to, bytes, size);
    return 1;
}

static void emit(Yml *y, yaml_event_t *e, int made) {
    if (!made || !yaml_emitter_emit(&y->emitter, e)) out_of_resources(MSG_BASE_NO_MEMORY);
}

Yml *yml_new(Buf *to) {
    Yml *y = calloc(1, sizeof *y);
    yaml_event_t e;
    if (!y || !yaml_emitter_initialize(&y->emitter)) out_of_resources(MSG_BASE_NO_MEMORY);
    y->to = to;
    yaml_emitter_set_output(&y->emitter, append, y);
    yaml_emitter_set_unicode(&y->emitter, 1);
    yaml_emitter_set_width(&y->emitter, -1);
    emit(y, &e, yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING));
    emit(y, &e, yaml_document_start_event_initialize(&e, NULL, NULL, NULL, 1));
    return y;
}

void yml_free(Yml *y) {
    yaml_event_t e;
    emit(y, &e, yaml_document_end_event_initialize(&e, 1));
    emit(y, &e, yaml_stream_end_event_initialize(&e));
    yaml_emitter_delete(&y->emitter);
    free(y);
}

void yml_list(Yml *y) {
    yaml_event_t e;
    emit(y, &e, yaml_sequence_start_event_initialize(&e, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE));
}

void yml_list_end(Yml *y) {
    yaml_event_t e;
    emit(y, &e, yaml_sequence_end_event_initialize(&e));
}

void yml_map(Yml *y) {
    yaml_event_t e;
    emit(y, &e, yaml_mapping_start_event_initialize(&e, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
}

void yml_map_end(Yml *y) {
    yaml_event_t e;
    emit(y, &e, yaml_mapping_end_event_initialize(&e));
}

/* Writes a scalar. If the text is not UTF-8, a question mark replaces every byte that is not ASCII. */
static void scalar(Yml *y, const char *text, yaml_scalar_style_t style) {
    yaml_event_t e;
    Buf ascii = {0};
    if (!yaml_scalar_event_initialize(&e, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text), 1, 1, style)) {
        for (const char *c = text; *c; c++) buf_char(&ascii, (unsigned char)*c < 0x80 ? *c : '?');
        emit(y, &e, yaml_scalar_event_initialize(&e, NULL, NULL, (const yaml_char_t *)buf_string(&ascii), (int)ascii.length, 1, 1, style));
        buf_free(&ascii);
        return;
    }
    emit(y, &e, 1);
}

/* Writes the text without quotes. */
static void yml_word(Yml *y, const char *text) { scalar(y, text, YAML_PLAIN_SCALAR_STYLE); }
void yml_key(Yml *y, const char *text) { yml_word(y, text); }
void yml_string(Yml *y, const char *text) { scalar(y, text, YAML_DOUBLE_QUOTED_SCALAR_STYLE); }

static void yml_number(Yml *y, unsigned long n) {
    char text[32];
    snprintf(text, sizeof text, "%lu", n);
    yml_word(y, text);
}

void yml_put_word(Yml *y, const char *key, const char *value) {
    yml_key(y, key);
    yml_word(y, value);
}

void yml_put_string(Yml *y, const char *key, const char *value) {
    yml_key(y, key);
    yml_string(y, value);
}

void yml_put_number(Yml *y, const char *key, unsigned long value) {
    yml_key(y, key);
    yml_number(y, value);
}
