/* SPDX-License-Identifier: Apache-2.0 */
/* Prints and parses the text form of proofs (doc/proof.md). A text has no system. It refers to a system by the names of threads and variables, and
   by the numbers of locations and transitions. */
#pragma once
#include "result/proof.h"

/* The rules of proofs in words, by ProofRule. */
enum { PROOF_RULES = RULE_RELY + 1 };
extern const char *const proof_rule_words[PROOF_RULES];

/* Reads `proof RULE of` at the beginning of a text. The settings of the system follow, up to a semicolon (passes/settings.def). */
typedef struct Lexer Lexer;
ProofRule proof_parse_head(Lexer *);

/* Adds the text of a proof. */
void proof_print(Buf *, const Proof *);
/* Parses a text as a proof about the system. On success every list has the length that the system requires, every index is in range, and the proof
   owns `program` (or NULL) and `system`. On an error returns NULL, *error has line and column, and the caller keeps both. */
Proof *proof_parse(const char *text, Program *, System *, Buf *error);
