/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a module, before the models are linked, for threads that end in the middle of their work. */
#pragma once
#include <llvm-c/Core.h>

/* Replaces the C library's macros pthread_cleanup_push and pthread_cleanup_pop by calls of the models (model/cancel.c). A form that is
   not recognised stays: the models then know that there is a handler, but not which one. */
void name_cleanups(LLVMModuleRef);

/* Inserts calls of the models (cancel.c) before library functions that are cancellation points, if the program calls pthread_cancel. */
void mark_cancellation_points(LLVMModuleRef);

/* Builds, at the builder's position, a call of a model with n pointer arguments. */
void build_model_call(LLVMModuleRef, LLVMBuilderRef, const char *name, LLVMValueRef *arguments, unsigned n);
