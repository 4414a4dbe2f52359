/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the messages of a folder from its table, messages.def. Each row is MESSAGE(code, NAME, "format") and becomes the string MSG_NAME.
   The string ends with its code in brackets, as in "the file is empty [H0123]". Codes are stable: a message keeps its code when its words
   change, and the code of a message that is gone is not used again. The first two digits are those of the folder (doc/messages.md).
   A row PHRASE(NAME, "format") is a part of a message, or a line of an explanation: it prints without a code. */
#pragma once
#include <stddef.h>

#define PHRASE(name, text) static const char MSG_##name[] __attribute__((unused)) = text;
#define MESSAGE(code, name, text) static const char MSG_##name[] __attribute__((unused)) = text " [" #code "]";

enum { MESSAGE_CODE = 8 }; /* the size of a code with its NUL, rounded up */
/* Returns the length of a message without its code. */
size_t message_length(const char *text);
/* Puts the code of a message, such as "H0123", into the buffer and returns it. Returns NULL if the message does not end with a code. */
const char *message_code(char buffer[MESSAGE_CODE], const char *text);
