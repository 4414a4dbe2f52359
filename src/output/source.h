/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines of source files, which are printed beside positions. */
#pragma once
#include "ir/program.h"

enum { SOURCE_LINE = 400 }; /* bytes of a line that are kept */

typedef struct Sources Sources;

Sources *sources_new(void);
void sources_free(Sources *);
/* Returns the line without its end, with a blank for each tab; NULL if the file or line does not exist. */
const char *source_line(Sources *, Position);
/* Returns the same without blanks at both ends. */
const char *source_trimmed(Sources *, Position);
/* Returns the unchanged bytes of the line without its end, *length of them; NULL if the line does not exist. */
const char *source_bytes(Sources *, Position, size_t *length);
/* Returns the columns that UTF-8 text takes on a terminal. Wide characters count as one column. */
unsigned text_width(const char *);
/* Returns the length in bytes of the longest prefix that takes at most `width` columns. */
unsigned text_cut(const char *, unsigned width);
