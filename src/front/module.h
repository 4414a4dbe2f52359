/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the LLVM module: bitcode or IR text of several files, linked. Private to src/front. */
#pragma once
#include "front/lower.h"

/* Marks code of the library models: it is the attribute of their functions and the section of their static variables. */
#define MODEL_ATTRIBUTE "heddle-model"

typedef struct Module {
    LLVMContextRef context;
    LLVMModuleRef module; /* NULL before the first file is linked */
    LLVMModuleRef models; /* the models, read but not yet linked; NULL: none */
    bool ilp32;
    Buf messages; /* error messages of LLVM */
} Module;

Module *module_new(bool ilp32);
void module_free(Module *);
/* Parses one file. Returns NULL and a message in *error if that fails. */
LLVMModuleRef module_parse(Module *, const char *name, const char *bytes, size_t size, Buf *error);
/* Counts the functions that the module calls and that neither it nor the models define. */
unsigned module_missing(const Module *, LLVMModuleRef);
/* Links one more file and consumes its module. */
bool module_link(Module *, const char *name, LLVMModuleRef, Buf *error);
/* Reads the library models; call it before the program's files are read. */
bool module_read_models(Module *, const char *name, const char *bytes, size_t size, Buf *error);
/* Links the library models; call it after the program's files are linked. */
bool module_link_models(Module *, Buf *error);
