/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the C front end, a shared object, when there is C to read. Loading LLVM takes longer than most programs in text form take in
   all, and slows down every later fork. clang, which runs at the same time, loads it as well. */
#include "base/installation.h"
#include "front/clang.h"
#include "front/messages.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Returns the folder of a file of Heddle: beside the program, or where make install puts it relative to the program. */
static const char *find(const char *file, const char *installed, char folder[PATH_MAX]) {
    const char *found = installation_folder(file, installed, folder);
    if (!found && errno != ENOENT) incomplete(MSG_FRONT_OWN_FOLDER);
    if (!found) incomplete(MSG_FRONT_PART_MISSING, file, installed + 1);
    return found;
}

/* Distinguishes a lack of memory or open files, by the loader's message, from a fault of the installation. */
static _Noreturn void cannot_load(const char *why) {
    static const char *const scarce[] = {"failed to map", "cannot map", "allocate", "cannot create", "Too many open files", "Error 24"};
    for (size_t i = 0; i < sizeof scarce / sizeof *scarce; i++)
        if (strstr(why, scarce[i])) out_of_resources(MSG_FRONT_C_NOT_LOADED, why);
    incomplete(MSG_FRONT_C_NOT_LOADED, why);
}

/* Opens the shared object, which is never closed since LLVM cannot be loaded twice. */
static FrontC *open_front(void) {
    static const char file[] = "heddle-c.so";
    char folder[PATH_MAX], path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", find(file, "/../lib/heddle", folder), file);
    void *object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    FrontC *const *front = object ? dlsym(object, "front_c") : NULL;
    if (!front) cannot_load(dlerror());
    return *front;
}

bool front_load(const FrontOptions *options, Loaded *loaded, Buf *error) {
    char folder[PATH_MAX];
    FrontOptions with_models = *options;
    with_models.model_dir = find("model-LP64.bc", "/../share/heddle", folder);
    Clang *first = clang_reads(options->files[0]) ? clang_start(&with_models, options->files[0], false) : NULL;
    return open_front()(&with_models, first, loaded, error);
}
