/* SPDX-License-Identifier: Apache-2.0 */
/* The C front end is a shared object of its own, opened when there is C to read: loading LLVM takes longer than most programs
   in text form, and every process that is forked afterwards, take in all. clang loads it meanwhile as well. */
#include "front/clang.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file of Heddle: beside the program, or where make install puts it relative to that. The result is its folder. */
static const char *find(const char *file, const char *installed, char folder[PATH_MAX]) {
    const char *const places[] = {"", installed};
    char self[PATH_MAX / 2], path[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) incomplete("cannot find out where this program is");
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, PATH_MAX, "%s%s", self, places[i]);
        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (!access(path, R_OK)) return folder;
    }
    incomplete("%s is neither beside the program nor in %s", file, installed + 1);
}

/* What the loader says where memory or open files are scarce; all else is the installation's fault. */
static _Noreturn void cannot_load(const char *why) {
    static const char *const scarce[] = {"failed to map", "cannot map", "allocate", "cannot create", "Too many open files", "Error 24"};
    for (size_t i = 0; i < sizeof scarce / sizeof *scarce; i++)
        if (strstr(why, scarce[i])) out_of_resources("the C front end cannot be loaded: %s", why);
    incomplete("the C front end cannot be loaded: %s", why);
}

/* Never closed: LLVM does not like to be loaded twice. */
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
