/* SPDX-License-Identifier: Apache-2.0 */
/* Makes JSON by the library jansson, and ends the process if memory runs out. */
#pragma once
#include "base/buf.h"
#include "ir/program.h"
#include <jansson.h>

void json_put(json_t *object, const char *key, json_t *value); /* takes over the value */
void json_add(json_t *array, json_t *value);                   /* takes over the value */
/* Returns a string, or null for NULL. In text that is not UTF-8, as names of files may be, '?' replaces every byte that is not ASCII. */
json_t *json_text(const char *);
/* Adds the message as `text` and its code, if it has one, as `code`. */
void json_put_message(json_t *object, const char *message);
/* Returns the message without its code. */
json_t *json_message(const char *message);
/* Returns the code of a message, or null. */
json_t *json_code(const char *message);
void json_put_position(json_t *object, Position); /* adds file, line and column; nothing if there is no file */
/* Adds the value as text and ends the line. Frees the value. `flags`: those of json_dumps. */
void json_finish(Buf *, json_t *, size_t flags);
