/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/map.h"
#include "ir/program.h"

/* Copies a program. The copy shares nothing with it: it has its own pool and arena, and the same indices and names. Passes change
   copies; the check uses the original. */
Program *program_copy(const Program *);
/* Copies a program. Positions of the copy refer to activations of the original, so the original must outlive the copy. */
Program *program_copy_placed(const Program *);

/* Adds a copy of a local, or of a local object or allocation site, to the template. */
Variable *variable_clone(Program *, Template *, const Variable *);
Object *object_clone(Program *, const Template *, const Object *);

/* Maps the locals and local objects of a template to those of its clone. */
typedef struct Renaming {
    Program *program;
    Variable **locals; /* by index of the old local: the new one */
    Map *symbols;      /* for local objects: old Symbol -> new Symbol */
    Map *objects;      /* old Object -> new Object */
} Renaming;

/* Adds a template with the same code, and its own locals, local objects and allocation sites. */
Template *template_clone(Program *, const Template *, unsigned count);
