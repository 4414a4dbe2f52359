/* SPDX-License-Identifier: Apache-2.0 */
/* Properties by name, and from the .prp files of the Competition on Software Verification. */
#ifndef HEDDLE_PROPERTY_H
#define HEDDLE_PROPERTY_H
#include "base/buf.h"
#include "engine/engine.h"

const char *property_name(Property);
/* A property's name or the path of a .prp file. False: *error says what is wrong. */
bool property_find(const char *text, Property *, Buf *error);

#endif
