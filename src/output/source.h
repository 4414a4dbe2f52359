/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the source files, for showing beside positions. */
#pragma once
#include "ir/program.h"

enum { SOURCE_LINE = 400 }; /* of a longer line, so many bytes are kept */

typedef struct Sources Sources;

Sources *sources_new(void);
void sources_free(Sources *);
/* The line's text without its end, tabs as single blanks; NULL if the file or line is not there. */
const char *source_line(Sources *, Position);
/* The same without the blanks around it. */
const char *source_trimmed(Sources *, Position);
/* The line as it is, without its end: *length bytes, all of them; NULL if it is not there. */
const char *source_bytes(Sources *, Position, size_t *length);
/* Columns that UTF-8 text takes on a terminal (wide characters are not known). */
unsigned text_width(const char *);
/* The longest prefix of text that takes at most width columns: its bytes. */
unsigned text_cut(const char *, unsigned width);
