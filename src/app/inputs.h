/* SPDX-License-Identifier: Apache-2.0 */
/* Turns options into the values that other modules take: configuration, properties, files to load. */
#pragma once
#include "front/front.h"
#include "options/options.h"
#include "process/config.h"
#include "witness/witness.h"

/* Reads the configuration of engines and processes from the options. several: the run has several questions. Returns false and sets
   *error if the options are wrong. */
bool inputs_config(const Options *, bool several, Config *, Buf *error);
/* Reads a certificate. Returns NULL and sets *error if the file has none. */
Certificate *certificate_read(const char *path, Buf *error);
/* Returns the question about the property. all: the set of the run's properties; parts: the parts of valid-memsafety to verify. */
Question inputs_question(const Options *, Property, unsigned all, unsigned parts);
/* Returns the settings of the front end. */
FrontOptions inputs_front(const Options *);
/* Finds the properties to verify: those that the user named, or the usual ones. Then *set has bit p for property p. The parts of
   valid-memsafety go to *parts; 0 means the usual ones. Returns false and sets *error if a name is wrong. */
bool inputs_properties(const Options *, const Witnesses *, const Certificate *, unsigned *set, unsigned *parts, Buf *error);
/* Returns whether the files allow the witness or native run that the options ask for. Sets *error if they do not. */
bool inputs_fit(const Options *, Buf *error);
