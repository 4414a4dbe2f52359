/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of proofs: doc/proof.md. A text has no system: it speaks of one by the names of threads and variables, and by the numbers of
   locations and transitions. */
#pragma once
#include "result/proof.h"

/* The rules of proofs in words, by ProofRule. */
enum { PROOF_RULES = RULE_RELY + 1 };
extern const char *const proof_rule_words[PROOF_RULES];

/* Reads `proof RULE of` at the beginning of a text; what follows is how the system is made, in words of others, up to a semicolon. */
typedef struct Lexer Lexer;
ProofRule proof_parse_head(Lexer *);

void proof_print(Buf *, const Proof *);
/* On an error NULL, and *error has line and column. Otherwise every list of the proof is as long as the system says, and every index leads
   somewhere. The proof owns program (or NULL) and system; on an error they stay the caller's. */
Proof *proof_parse(const char *text, Program *, System *, Buf *error);
