/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and links modules. LLVM reports errors to a diagnostic handler, which makes a message of them. Bad input never ends the process
   in the middle of a library call, unless LLVM itself gives up, with exit code 3 and its reason. */
#include "front/module.h"
#include "front/messages.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
    Module *m = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *text = LLVMGetDiagInfoDescription(info);
    buf_printf(&m->messages, "%s\n", text);
    LLVMDisposeMessage(text);
}

static void give_up(const char *reason) {
    print_error(MSG_FRONT_LLVM_GAVE_UP, reason);
    exit(EXIT_INPUT);
}

Module *module_new(bool ilp32) {
    Module *m = zeroed(1, sizeof *m);
    m->ilp32 = ilp32;
    m->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(m->context, note_diagnostic, m);
    LLVMInstallFatalErrorHandler(give_up);
    return m;
}

void module_free(Module *m) {
    if (m->module) LLVMDisposeModule(m->module);
    if (m->models) LLVMDisposeModule(m->models);
    LLVMContextDispose(m->context);
    LLVMResetFatalErrorHandler();
    buf_free(&m->messages);
    free(m);
}

static bool complain(Module *m, const char *name, const char *what, const char *reason, Buf *error) {
    const char *text = reason && *reason ? reason : m->messages.length ? buf_string(&m->messages) : MSG_FRONT_NO_LLVM_REASON;
    size_t n = strlen(text), line = strcspn(text, "\n");
    while (n && text[n - 1] == '\n') n--;
    buf_line(error, MSG_FRONT_LLVM_REFUSES, name, what, (int)line, text);
    if (line < n) buf_line(error, "%.*s", (int)(n - line - 1), text + line + 1);
    return false;
}

static bool parse(Module *m, const char *name, const char *bytes, size_t size, LLVMModuleRef *out, Buf *error) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes ? bytes : "", size, name);
    char *reason = NULL;
    bool failed = LLVMParseIRInContext(m->context, buffer, out, &reason);
    if (failed) complain(m, name, MSG_FRONT_NOT_READ, reason, error);
    LLVMDisposeMessage(reason);
    if (failed) return false;
    reason = NULL;
    if (LLVMVerifyModule(*out, LLVMReturnStatusAction, &reason)) {
        complain(m, name, MSG_FRONT_NOT_READ, reason, error);
        LLVMDisposeModule(*out);
        failed = true;
    }
    LLVMDisposeMessage(reason);
    return !failed;
}

static void mark_models(Module *m, LLVMModuleRef module) {
    LLVMAttributeRef mark = LLVMCreateStringAttribute(m->context, MODEL_ATTRIBUTE, strlen(MODEL_ATTRIBUTE), "", 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) LLVMAddAttributeAtIndex(f, ON_FUNCTION, mark);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMInternalLinkage) LLVMSetSection(g, MODEL_ATTRIBUTE);
}

static bool right_width(Module *m, LLVMModuleRef module, const char *name, Buf *error) {
    if (!*LLVMGetDataLayoutStr(module))
        LLVMSetDataLayout(module, m->ilp32 ? "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
                                           : "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
    unsigned bits = 8 * LLVMPointerSize(LLVMGetModuleDataLayout(module));
    if (bits == (m->ilp32 ? 32u : 64u)) return true;
    buf_line(error, MSG_FRONT_POINTER_WIDTH, name, bits, m->ilp32 ? "ILP32" : "LP64");
    return false;
}

LLVMModuleRef module_parse(Module *m, const char *name, const char *bytes, size_t size, Buf *error) {
    LLVMModuleRef module;
    if (!parse(m, name, bytes, size, &module, error)) return NULL;
    if (!right_width(m, module, name, error)) {
        LLVMDisposeModule(module);
        return NULL;
    }
    LLVMSetIsNewDbgInfoFormat(module, false);
    return module;
}

unsigned module_missing(const Module *m, LLVMModuleRef module) {
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (!LLVMIsDeclaration(f) || !LLVMGetFirstUse(f) || !strncmp(name, "llvm.", 5) || is_special(f)) continue;
        LLVMValueRef model = m->models ? LLVMGetNamedFunction(m->models, name) : NULL;
        n += !model || LLVMIsDeclaration(model);
    }
    return n;
}

/* True if both are the same inline function of a header that several files include. Debug information distinguishes it from two
   functions with one name. */
static bool same_source(LLVMValueRef a, LLVMValueRef b) {
    LLVMMetadataRef x = LLVMGetSubprogram(a), y = LLVMGetSubprogram(b);
    if (!x || !y || LLVMDISubprogramGetLine(x) != LLVMDISubprogramGetLine(y)) return false;
    unsigned n = 0, k = 0;
    const char *s = LLVMDIFileGetFilename(LLVMDIScopeGetFile(x), &n), *t = LLVMDIFileGetFilename(LLVMDIScopeGetFile(y), &k);
    return n == k && !memcmp(s, t, n);
}

static void weaken_copies(Module *m, LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage) continue;
        LLVMValueRef other = LLVMGetNamedFunction(m->module, LLVMGetValueName(f));
        if (other && !LLVMIsDeclaration(other) && same_source(f, other)) LLVMSetLinkage(f, LLVMWeakAnyLinkage);
    }
}

bool module_link(Module *m, const char *name, LLVMModuleRef module, Buf *error) {
    if (!m->module) {
        m->module = module;
        return true;
    }
    weaken_copies(m, module);
    if (!LLVMLinkModules2(m->module, module)) return true;
    return complain(m, name, MSG_FRONT_NOT_LINKED, NULL, error);
}

/* The front end may look for these by name, even if they are never called. */
static bool is_asked_for(const char *name) { return !strncmp(name, "__heddle_", 9) || !strncmp(name, "mem", 3); }

/* Lets the linker add only models that the program, or another linked model, refers to. Most models are not linked. */
static void link_by_need(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetLinkage(f) == LLVMWeakAnyLinkage && !is_asked_for(LLVMGetValueName(f))) LLVMSetLinkage(f, LLVMLinkOnceAnyLinkage);
}

/* The models are valid code. The linker reads the bodies of functions when it links them. */
bool module_read_models(Module *m, const char *name, const char *bytes, size_t size, Buf *error) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes ? bytes : "", size, name);
    if (LLVMGetBitcodeModuleInContext2(m->context, buffer, &m->models)) {
        m->models = NULL;
        LLVMDisposeMemoryBuffer(buffer);
        return complain(m, name, MSG_FRONT_NOT_READ, NULL, error);
    }
    LLVMSetIsNewDbgInfoFormat(m->models, false);
    mark_models(m, m->models);
    link_by_need(m->models);
    return true;
}

bool module_link_models(Module *m, Buf *error) {
    LLVMModuleRef models = m->models;
    m->models = NULL;
    return !models || module_link(m, MSG_FRONT_MODELS, models, error);
}
