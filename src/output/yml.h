/* SPDX-License-Identifier: Apache-2.0 */
/* Writes YAML. */
#pragma once
#include "base/buf.h"

typedef struct Yml Yml;

Yml *yml_new(Buf *to); /* begins a document */
void yml_free(Yml *);  /* ends the document */
void yml_list(Yml *);
void yml_list_end(Yml *);
void yml_map(Yml *);
void yml_map_end(Yml *);
void yml_key(Yml *, const char *);
void yml_string(Yml *, const char *); /* in quotes */
/* Write a key with its value: without quotes, in quotes, as a number. */
void yml_put_word(Yml *, const char *key, const char *value);
void yml_put_string(Yml *, const char *key, const char *value);
void yml_put_number(Yml *, const char *key, unsigned long value);
