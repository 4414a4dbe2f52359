/* SPDX-License-Identifier: Apache-2.0 */
/* What the module needs before it is linked with the models, so that threads can end in the middle of what they do. */
#pragma once
#include <llvm-c/Core.h>

/* pthread_cleanup_push and pthread_cleanup_pop, macros of the C library's, become calls of the models (model/cancel.c). What is not
   recognised is left as it is: the models know that there is a handler, and not which. */
void name_cleanups(LLVMModuleRef);

/* In a program that calls pthread_cancel, calls of library functions that are cancellation points are preceded by calls of the models (cancel.c). */
void mark_cancellation_points(LLVMModuleRef);

/* A call, where the builder is, of a model with n arguments that are pointers. */
void build_model_call(LLVMModuleRef, LLVMBuilderRef, const char *name, LLVMValueRef *arguments, unsigned n);
