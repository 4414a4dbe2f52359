/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the messages of a folder from its table, messages.def. Each row is MESSAGE(code, NAME, "format") and becomes the string MSG_NAME.
   The string ends with its code in brackets, as in "the file is empty [H0123]". Codes are stable: a message keeps its code when its words
   change, and the code of a message that is gone is not used again. The first two digits are those of the folder (doc/messages.md). */
#pragma once

#define MESSAGE(code, name, text) static const char MSG_##name[] __attribute__((unused)) = text " [" #code "]";
