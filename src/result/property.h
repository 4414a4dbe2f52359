/* SPDX-License-Identifier: Apache-2.0 */
/* Properties by name, and from the .prp files of the Competition on Software Verification. */
#pragma once
#include "base/buf.h"
#include "result/question.h"

const char *property_name(Property);
/* … where these parts of valid-memsafety are asked for (ir/program.h; 0: the usual ones), and the name of one of them; NULL: of none. */
const char *property_text(Property, unsigned parts);
const char *property_part(unsigned part);
/* Properties that are asked for: names with commas between them, `all` (every one that is decided, but termination), or the path of a .prp file. *set has bit p for
   property p and, above PARTS_SHIFT, the parts of valid-memsafety if these are not the usual ones. False: *error says what is wrong. */
enum { PARTS_SHIFT = 8 };
bool properties_find(const char *text, unsigned *set, Buf *error);

/* The same, of the text of such a file. where: for messages. */
bool properties_of_text(const char *text, const char *where, unsigned *set, Buf *error);
