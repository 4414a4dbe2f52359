/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions from one process to another, with what they share: a table of sorts, symbols and nodes, each after what it is made of, in
   which others name them by number. In the order in which they were made: who receives them has them in the same order. */
#ifndef HEDDLE_EXPR_SEND_H
#define HEDDLE_EXPR_SEND_H
#include "base/bytes.h"
#include "expr/expr.h"

/* First everything is added, then the table written, then numbers can be had. */
typedef struct ExprSender ExprSender;
ExprSender *sender_new(const Exprs *);
void sender_free(ExprSender *);
void sender_add(ExprSender *, const Expr *);
void sender_add_symbol(ExprSender *, const Symbol *);
void sender_write(ExprSender *, Buf *);
unsigned sender_number(const ExprSender *, const Expr *);
unsigned sender_symbol_number(const ExprSender *, const Symbol *);

/* What was received: vecs, by number. */
typedef struct ExprReceiver {
    const Sort **sorts;
    const Symbol **symbols;
    const Expr **exprs;
} ExprReceiver;
/* Into a pool that is empty. Nodes are made as they were, without being simplified; what is not well-sorted makes the reader bad. */
void receiver_read(ExprReceiver *, Exprs *, Reader *);
void receiver_free(ExprReceiver *);

#endif
