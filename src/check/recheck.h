/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

/* A second opinion: cvc5, as a program of its own, answers unsat to every question of the certificate. */
bool recheck(const char *certificate, double seconds, Buf *why_not);
