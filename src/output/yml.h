/* SPDX-License-Identifier: Apache-2.0 */
/* Writing YAML. */
#pragma once
#include "base/buf.h"

typedef struct Yml Yml;

Yml *yml_new(Buf *to); /* a document */
void yml_free(Yml *);  /* ends it */
void yml_list(Yml *);
void yml_list_end(Yml *);
void yml_map(Yml *);
void yml_map_end(Yml *);
void yml_key(Yml *, const char *);
void yml_string(Yml *, const char *); /* in quotes */
/* A key with its value. */
void yml_put_word(Yml *, const char *key, const char *value);
void yml_put_string(Yml *, const char *key, const char *value);
void yml_put_number(Yml *, const char *key, unsigned long value);
