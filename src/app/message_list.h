/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the messages of all folders. */
#pragma once
#include "base/buf.h"

/* Adds a line for each message, in the order of their codes: the code and the format. */
void messages_list(Buf *);
