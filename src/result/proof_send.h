/* SPDX-License-Identifier: Apache-2.0 */
/* A proof from the process that found it to the one that checks it: with its system, but without the program it was made from, and
   without what is only for people and analyses (positions, what is live, actions, notes, the fine system). */
#ifndef HEDDLE_RESULT_PROOF_SEND_H
#define HEDDLE_RESULT_PROOF_SEND_H
#include "base/buf.h"
#include "result/proof.h"

void proof_send(const Proof *, Buf *);
/* The proof has a pool of its own. NULL: the bytes are no proof about a system that is well-formed. Every list is as long as the
   system says, and every index leads somewhere. */
Proof *proof_receive(const char *bytes, size_t length);

#endif
