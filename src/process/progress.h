/* SPDX-License-Identifier: Apache-2.0 */
/* Reports on the terminal and on stderr what the run is doing. The state belongs to the process, and its children inherit it. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

/* Starts the reports; call it once and first. shown: lines go to the terminal, if stderr is a terminal. logged: each phase goes to
   stderr. */
void progress_start(bool shown, bool logged);
/* Sets the phase of the run, a literal. The parent can read it after the process has died. */
void progress_phase(const char *phase);
/* Returns the last phase that this process or a child has set. */
const char *progress_last_phase(void);
/* Returns whether lines go to a terminal. */
bool progress_is_shown(void);
/* Shows a short line in place of the one before it. The first argument is not used (EngineTask.progress). */
void progress_line(void *unused, const char *line);
void progress_clear(void);
/* Passes on the stderr of a child: all of it with --verbose, otherwise only the reports of sanitizers. */
void progress_said(const Buf *errors);
