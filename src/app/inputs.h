/* SPDX-License-Identifier: Apache-2.0 */
/* Turns options into what the rest takes: configuration, properties, files to load. */
#pragma once
#include "front/front.h"
#include "options/options.h"
#include "process/config.h"
#include "witness/witness.h"

/* Reads the configuration of engines and processes from the options. several: the run has several questions. False: *error. */
bool inputs_config(const Options *, bool several, Config *, Buf *error);
/* Returns the question about the property; all: the properties of the run, a set; parts: those of valid-memsafety that are asked for. */
Question inputs_question(const Options *, Property, unsigned all, unsigned parts);
/* Returns what the front end is to load. */
FrontOptions inputs_front(const Options *);
/* Finds the properties that are asked of the files: those that are named, or the usual ones. *set has bit p for property p; *parts: of
   valid-memsafety, 0: the usual ones. False: *error says what is wrong. */
bool inputs_properties(const Options *, const Witnesses *, unsigned *set, unsigned *parts, Buf *error);
/* Tells whether witnesses and native runs can be about the files. False: *error says why not. */
bool inputs_fit(const Options *, Buf *error);
