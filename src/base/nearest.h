/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the word that the user meant. */
#pragma once

/* Returns the candidate with the least edit distance from the text, or NULL if none is close. Candidates may be NULL. */
const char *nearest_word(const char *text, const char *const *candidates, unsigned n);
