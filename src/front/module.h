/* SPDX-License-Identifier: Apache-2.0 */
/* The LLVM module: bitcode or IR text of several files, linked. Private to src/front. */
#ifndef HEDDLE_FRONT_MODULE_H
#define HEDDLE_FRONT_MODULE_H
#include "front/lower.h"

/* Functions that came from the library of models carry this attribute. */
#define MODEL_ATTRIBUTE "heddle-model"

typedef struct Module {
    LLVMContextRef context;
    LLVMModuleRef module; /* NULL until the first file */
    bool ilp32;
    Buf messages; /* what LLVM complained about */
} Module;

Module *module_new(bool ilp32);
void module_free(Module *);
/* Parse and link one more file. False: *error has a message. */
bool module_add(Module *, const char *name, const char *bytes, size_t size, bool is_model, Buf *error);

#endif
