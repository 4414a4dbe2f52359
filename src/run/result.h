/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a campaign found as text, one item a line: a word, then its fields with blanks between them. */
#pragma once
#include "run/campaign.h"
#include "run/writer.h"

void result_begin(Writer *, const char *path, const Campaign *);
/* Adds a violation, whose schedule was just run for its history. */
void result_violation(Writer *, const Violation *, const char *replay);
