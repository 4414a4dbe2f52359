/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/map.h"
#include "ir/program.h"

/* A copy that shares nothing with the program: its own pool and arena, the same indices and names. Transformations
   work on copies; the original stays for the checker. */
Program *program_copy(const Program *);
/* The same, with positions that know the calls that lead to them, as those of the original do, which must outlive it. */
Program *program_copy_placed(const Program *);

/* Within one program: instructions of a template for another, with locals and local objects replaced. */
typedef struct Renaming {
    Program *program;
    Variable **locals; /* by index of the old template's locals: the new one */
    Map *symbols;      /* of local objects: old Symbol -> new Symbol */
    Map *objects;      /* old Object -> new Object */
} Renaming;

/* A further template with the same code, and its own locals and local objects. */
Template *template_clone(Program *, const Template *, unsigned count);
