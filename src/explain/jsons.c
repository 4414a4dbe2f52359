/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/jsons.h"
#include "base/message.h"
#include "base/messages.h"
#include <stdlib.h>

void json_put(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value)) out_of_resources(MSG_BASE_NO_MEMORY);
}

void json_add(json_t *array, json_t *value) {
    if (json_array_append_new(array, value)) out_of_resources(MSG_BASE_NO_MEMORY);
}

json_t *json_text(const char *text) {
    if (!text) return json_null();
    json_t *s = json_string(text);
    if (s) return s;
    Buf ascii = {0};
    for (; *text; text++) buf_char(&ascii, (unsigned char)*text < 0x80 ? *text : '?');
    s = json_string(buf_string(&ascii));
    buf_free(&ascii);
    return s;
}

json_t *json_message(const char *message) {
    Buf text = {0};
    if (message) buf_bytes(&text, message, message_length(message));
    json_t *s = json_text(message ? buf_string(&text) : NULL);
    buf_free(&text);
    return s;
}

json_t *json_code(const char *message) {
    char code[MESSAGE_CODE];
    return json_text(message ? message_code(code, message) : NULL);
}

void json_put_message(json_t *object, const char *message) {
    json_put(object, "text", json_message(message));
    json_t *code = json_code(message);
    if (json_is_null(code)) json_decref(code);
    else json_put(object, "code", code);
}

void json_put_position(json_t *object, Position p) {
    if (!p.file) return;
    json_put(object, "file", json_text(p.file));
    json_put(object, "line", json_integer(p.line));
    if (p.column) json_put(object, "column", json_integer(p.column));
}

void json_finish(Buf *out, json_t *value, size_t flags) {
    char *text = json_dumps(value, flags | JSON_REAL_PRECISION(6));
    if (!text) out_of_resources(MSG_BASE_NO_MEMORY);
    buf_text(out, text);
    buf_char(out, '\n');
    free(text);
    json_decref(value);
}
