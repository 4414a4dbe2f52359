/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Returns the candidate that is most like the text, if it is like it; else NULL. Candidates may be NULL. */
const char *nearest_word(const char *text, const char *const *candidates, unsigned n);
