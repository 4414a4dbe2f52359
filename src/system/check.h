/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formedness of systems: every rule of doc/system.md, section "Well-formedness". It is cheap enough to run after every pass. */
#pragma once
#include "system/system.h"

/* False: *why says which rule, where. The first violation ends it. The fine system is looked at as well. */
bool system_check(const System *, Buf *why);
