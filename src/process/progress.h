/* SPDX-License-Identifier: Apache-2.0 */
/* Says on the terminal and on stderr what a run is doing. One for the whole process; its children inherit it. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

/* To be called once, first: shown: lines go to the terminal, if there is one; logged: each phase goes to stderr. */
void progress_start(bool shown, bool logged);
/* What the run does now, a literal: it is known to the parent if the process dies. */
void progress_phase(const char *phase);
/* What it did last. */
const char *progress_last_phase(void);
/* Does anybody watch the terminal? */
bool progress_is_shown(void);
/* Shows a short line in place of the one before it; the argument is not used (EngineTask.progress). */
void progress_line(void *unused, const char *line);
void progress_clear(void);
/* Passes on what a child said on stderr: all of it with --verbose, otherwise what a sanitizer said. */
void progress_said(const Buf *errors);
