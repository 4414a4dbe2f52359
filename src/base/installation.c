/* SPDX-License-Identifier: Apache-2.0 */
#include "base/installation.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *installation_folder(const char *file, const char *installed, char folder[PATH_MAX]) {
    const char *const places[] = {"", installed};
    char self[PATH_MAX / 2], path[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return NULL;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, PATH_MAX, "%s%s", self, places[i]);
        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (!access(path, R_OK)) return folder;
    }
    errno = ENOENT;
    return NULL;
}
