/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a program as far as statements go. */
#pragma once
#include "witness/witness.h"

/* The text with blanks instead of comments and directives, and something instead of literals; to be freed. */
char *clean_text(const char *text);
/* The columns of the statement of the spot's line that its column is in become those of the spot. False: the line has no such column. */
bool clean_extent(const char *text, Spot *);
