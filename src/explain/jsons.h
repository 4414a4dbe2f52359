/* SPDX-License-Identifier: Apache-2.0 */
/* Making JSON; jansson's names are not for display. */
#pragma once
#include "base/buf.h"
#include "ir/program.h"
#include <jansson.h>

void json_put(json_t *object, const char *key, json_t *value); /* takes the value over */
void json_add(json_t *array, json_t *value);                   /* likewise */
/* Text that is not UTF-8 (a file's name may be anything) loses the bytes that are not ASCII. NULL is null. */
json_t *json_text(const char *);
void json_put_position(json_t *object, Position); /* file, line, column; nothing if it is nowhere */
/* The text of it, and a line's end. The value is freed. */
void json_finish(Buf *, json_t *, size_t flags);
