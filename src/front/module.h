/* SPDX-License-Identifier: Apache-2.0 */
/* The LLVM module: bitcode or IR text of several files, linked. Private to src/front. */
#pragma once
#include "front/lower.h"

/* Functions that came from the library of models carry this attribute, their static variables are in a section of this name. */
#define MODEL_ATTRIBUTE "heddle-model"

typedef struct Module {
    LLVMContextRef context;
    LLVMModuleRef module; /* NULL until the first file */
    LLVMModuleRef models; /* read, not yet linked; NULL: none */
    bool ilp32;
    Buf messages; /* what LLVM complained about */
} Module;

Module *module_new(bool ilp32);
void module_free(Module *);
/* Parse one file. NULL: *error has a message. */
LLVMModuleRef module_parse(Module *, const char *name, const char *bytes, size_t size, Buf *error);
/* Functions that it calls and that neither it nor the models define. */
unsigned module_missing(const Module *, LLVMModuleRef);
/* Link one more file, which is consumed. */
bool module_link(Module *, const char *name, LLVMModuleRef, Buf *error);
/* The library: to be read before the program's files, to be linked after them. */
bool module_read_models(Module *, const char *name, const char *bytes, size_t size, Buf *error);
bool module_link_models(Module *, Buf *error);
