/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and prints properties: names, and the .prp files of the Competition on Software Verification. */
#pragma once
#include "base/buf.h"
#include "result/question.h"

const char *property_name(Property);
/* Returns the name with parts of valid-memsafety (ir/program.h; 0: the usual ones): "valid-deref,valid-free". */
const char *property_text(Property, unsigned parts);
/* Returns the name of one part; NULL for 0. */
const char *property_part(unsigned part);
/* Reads the requested properties: names with commas between them, `all` (every property but termination), or the path of a .prp file. Bit p of *set
   is property p. Above PARTS_SHIFT come the parts of valid-memsafety, or 0 for the usual ones. Returns false and an error for other texts. */
enum { PARTS_SHIFT = 8 };
bool properties_find(const char *text, unsigned *set, Buf *error);

/* Reads the text of a .prp file. `where`: its name, for messages. */
bool properties_of_text(const char *text, const char *where, unsigned *set, Buf *error);
